/** Retries and budgets of requests. Pure: no clock, no I/O. */

/** Statuses after which the same request may succeed later. */
export const retriedStatuses: ReadonlySet<number> = /* @__PURE__ */ new Set([403, 408, 413, 429, 500, 502, 503, 504])

/** Retries after the first attempt. */
export const maxRetries = 3
/** Deadline of one attempt, ms. */
export const attemptMs = 10_000
/** A request whose caller names no deadline begins no retry after this, ms. */
export const patienceMs = 45_000
/** Half of the first wait, ms; it doubles with each retry. */
const halfWaitMs = 75

/** Requests to one endpoint: this many at once, then one each `everyMs`. */
export const budget = { burst: 100, everyMs: 20 } as const

/**
 * @param retry number of the next retry, from 0
 * @param wanted ms the server asked for
 * @param random a whole number below its argument; jitters the wait between half and all of it
 * @returns ms to wait
 */
export function waitBefore(retry: number, wanted: number | undefined, random: (below: number) => number): number {
  const half = halfWaitMs * 2 ** retry
  return wanted ?? half + random(half + 1)
}

/**
 * Takes one request out of an endpoint's budget.
 *
 * @param endpoint `paidUntil`: when the budget will be whole again, ms since the Unix epoch
 * @returns when the request may be made; later than `latest`: it may not, and nothing was taken
 */
export function spend(endpoint: { paidUntil: number }, at: number, latest: number): number {
  const next = Math.max(endpoint.paidUntil, at) + budget.everyMs
  const free = Math.max(at, next - budget.burst * budget.everyMs)
  if (free <= latest) endpoint.paidUntil = next
  return free
}
