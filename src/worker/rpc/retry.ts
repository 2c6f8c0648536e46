/** HTTP retries: which requests are retried, and after how long. Pure: no clock, no I/O. */

/** Statuses after which the same request may succeed later. */
export const retriedStatuses: ReadonlySet<number> = /* @__PURE__ */ new Set([403, 408, 413, 429, 500, 502, 503, 504])

/** Retries after the first attempt. */
export const maxRetries = 3
/** First wait in ms; it doubles with each retry. */
const baseWaitMs = 150
/** Longest wait a server may demand, ms; beyond it the request fails instead of waiting silently. */
const longestWaitMs = 10_000

/**
 * @param retry number of the next retry, from 0
 * @param wanted ms the server asked for
 * @param random 0 ≤ random < 1; jitters the wait between half and all of it
 * @returns ms to wait, undefined to give up
 */
export function waitBefore(retry: number, wanted: number | undefined, random: number): number | undefined {
  if (retry >= maxRetries) return undefined
  if (wanted !== undefined) return wanted > longestWaitMs ? undefined : wanted
  return Math.round(baseWaitMs * 2 ** retry * (0.5 + random / 2))
}
