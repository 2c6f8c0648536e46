/**
 * When a request over HTTP is worth another try, and how long to wait before it. Decisions only: no clock, no socket.
 */

/** Statuses after which the same request may succeed later. */
export const retriedStatuses: ReadonlySet<number> = /* @__PURE__ */ new Set([403, 408, 413, 429, 500, 502, 503, 504])

/** Tries after the first. */
export const maxRetries = 3
/** First wait in ms; each further one is twice as long. */
const baseWaitMs = 150
/** A server that wants a longer pause than this gets its refusal handed up instead of a silent wait. */
const longestWaitMs = 10_000

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
