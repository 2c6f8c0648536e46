/** @param at ms since the Unix epoch, between the years 1970 and 9999. @returns `2026-01-01T00:00:00.000Z` */
export function isoOf(at: number): string {
  return new Date(at).toISOString()
}
