/** Splits a timer's id into its family and what the timer is for; a timer of which there is one has no colon. */
export function timerOf(timerId: string): { family: string; id: string } {
  const colon = timerId.indexOf(':')
  return colon < 0 ? { family: timerId, id: '' } : { family: timerId.slice(0, colon), id: timerId.slice(colon + 1) }
}
