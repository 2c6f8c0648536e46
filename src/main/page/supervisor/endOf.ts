/** How a page learns that its worker ended. */
import { lifeLock } from '../../../events/wire.ts'

/** A worker that is killed says nothing, but the lock that it held comes free at once. */
export function whenGone(worker: string, then: () => void): void {
  void navigator.locks?.request(lifeLock(worker), { mode: 'shared' }, then).catch(() => undefined)
}

/** @returns why a worker ended, in our words: an engine's own quote what they stumbled over, a secret included */
export function endOf(message: string): string {
  const [, kind, words] = /^(?:Uncaught )?(\w{1,40}): ?([^]*)$/.exec(message) ?? []
  if (kind === 'Fault') return words ?? ''
  if (kind) return `it ended in ${kind}`
  return message === '' ? 'its script could not be loaded' : 'it ended in an error'
}
