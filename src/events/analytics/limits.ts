/** Limits of analytics: events that wait, and error reports. */

/** Waiting events, the oldest first, and how many were dropped for want of room. */
export type EventQueue<E> = { readonly waiting: readonly E[]; readonly dropped: number }

/** Most events that wait, offline or while a batch is on its way. */
export const mostWaiting = 100

/** @returns the queue with these events at its end; the oldest beyond {@link mostWaiting} are dropped and counted */
export function enqueued<E>({ waiting, dropped }: EventQueue<E>, events: readonly E[]): EventQueue<E> {
  const all = [...waiting, ...events]
  const over = Math.max(0, all.length - mostWaiting)
  return { waiting: all.slice(over), dropped: dropped + over }
}

const mostReports = 5
const reportWindowMs = 60_000

/**
 * Admits at most 5 error reports in any 60 s.
 *
 * @param admitted times of the reports admitted before, ms since the Unix epoch
 * @returns the times to keep, and whether the report at `at` is sent; a clock that went back by a window forgets later times
 */
export function admitReport(
  admitted: readonly number[],
  at: number,
): { isAdmitted: boolean; admitted: readonly number[] } {
  const recent = admitted.filter(time => Math.abs(at - time) < reportWindowMs)
  return recent.length < mostReports
    ? { isAdmitted: true, admitted: [...recent, at] }
    : { isAdmitted: false, admitted: recent }
}
