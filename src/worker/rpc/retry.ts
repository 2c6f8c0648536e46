/**
 * When a request over HTTP is worth another try, and how long to wait before it. Decisions only: no clock, no socket.
 */

/** Statuses after which the same request may succeed later. */
export const retriedStatuses: ReadonlySet<number> = /* @__PURE__ */ new Set([403, 408, 413, 429, 500, 502, 503, 504])

/** Tries after the first. */
export const maxRetries = 3
/** First wait in ms; each further one is twice as long. */
export const baseWaitMs = 150
/** A server that wants a longer pause than this gets its refusal handed up instead of a silent wait. */
export const longestWaitMs = 10_000

/**
 * @param value the header as it came
 * @param now ms since the Unix epoch, for the form that names a date
 * @returns ms to wait, undefined when the header is absent or neither whole seconds nor a date
 * @see RFC 9110, §10.2.3
 */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, /.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/**
 * @param retry which retry comes next, from 0
 * @param wanted ms that the server asked for
 * @param random 0 ≤ random < 1; spreads clients that failed together over a half to the whole wait
 * @returns ms to wait, undefined when the request is to be given up
 */
export function waitBefore(retry: number, wanted: number | undefined, random: number): number | undefined {
  if (retry >= maxRetries) return undefined
  if (wanted !== undefined) return wanted > longestWaitMs ? undefined : wanted
  return Math.round(baseWaitMs * 2 ** retry * (0.5 + random / 2))
}
