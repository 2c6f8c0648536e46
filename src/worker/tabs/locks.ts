/** The origin's locks: who leads, who lives. */
import { lifeLock } from '../../events/wire.ts'

export type Locks = Pick<LockManager, 'request' | 'query'>

/** Whoever holds it leads: the name is the same for every build, for all time. */
export const leadLock = 'mai-core'

/**
 * Takes a lock and holds it until `release`, or until this worker ends.
 *
 * @returns `held` resolves false when the browser refuses; `lost` resolves when another took it away
 */
export function hold(
  locks: Locks,
  name: string,
  options: LockOptions = {},
): { held: Promise<boolean>; lost: Promise<void>; release(): void } {
  let release = () => undefined as void
  const until = new Promise<void>(resolve => {
    release = resolve
  })
  let taken = false
  let lose = () => undefined as void
  const lost = new Promise<void>(resolve => {
    lose = resolve
  })
  const held = new Promise<boolean>(resolve => {
    const run = (lock: Lock | null) => {
      taken = lock !== null
      resolve(taken)
      return taken ? until : undefined
    }
    locks.request(name, options, run).catch(() => (taken ? lose() : resolve(false)))
  })
  return { held, lost, release }
}

/**
 * @returns whether this worker leads, though its page gave it up: a frozen one keeps its locks until the browser has really
 * stopped it, which takes seconds
 */
export async function stillLeads(locks: Locks, peer: string): Promise<boolean> {
  const { held = [] } = await locks.query()
  const holder = (name: string) => held.find(lock => lock.name === name)?.clientId
  const leader = holder(leadLock)
  return leader !== undefined && leader === holder(lifeLock(peer))
}
