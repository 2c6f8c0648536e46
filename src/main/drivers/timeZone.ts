type Clocks = { Temporal?: { Now: { timeZoneId(): string } }; Intl: Pick<typeof Intl, 'DateTimeFormat'> }

/**
 * The first date format of a page loads the tables of a locale, a fifth of the work of an opening: engines with Temporal are
 * spared it.
 *
 * @returns the person's time zone, such as `Europe/Rome`
 */
export function timeZone({ Temporal, Intl }: Clocks = globalThis): string {
  return Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC'
}
