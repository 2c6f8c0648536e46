/** Detects that a worker has ended, and why. */

/** Calls back when the browser releases a worker's life lock: a killed worker sends no event. */
export function whenGone(lifeLock: string, then: () => void): void {
  void navigator.locks?.request(lifeLock, { mode: 'shared' }, then).catch(() => undefined)
}

/**
 * @param message of the worker's error; a plain event, for a script that was not run, has none
 * @returns why a worker ended. Messages of engines are left out: they quote values, which may be secrets.
 */
export function endOf(message: string | undefined): string {
  if (!message) return 'its script could not be loaded'
  const [, kind, words] = /^(?:Uncaught )?(\w{1,40}): ?([^]*)$/.exec(message) ?? []
  if (kind === 'Fault') return words ?? ''
  if (kind) return `it ended in ${kind}`
  return 'it ended in an error'
}
