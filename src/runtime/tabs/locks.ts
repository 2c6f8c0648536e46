/** The origin's locks: one for the lead, one for each living worker. */

export type Locks = Pick<LockManager, 'request' | 'query'>

/**
 * Takes a lock and holds it until `release`, or until this worker ends.
 *
 * @returns `held` resolves false when the browser refuses; `lost` resolves when another worker stole it
 */
export function holdLock(
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

/** @returns the browser's id of the worker that holds the lock named; undefined for a free one */
export async function holderOf(locks: Locks, name: string): Promise<string | undefined> {
  const { held } = await locks.query()
  return held?.find(lock => lock.name === name)?.clientId
}

/**
 * @param names of the lead lock, and of the life lock of the worker in question
 * @returns whether that worker leads. A frozen worker that its page gave up keeps its locks until the browser has stopped it, which
 *   takes seconds
 */
export async function stillLeads(locks: Locks, names: { lead: string; life: string }): Promise<boolean> {
  const [leader, ended] = await Promise.all([holderOf(locks, names.lead), holderOf(locks, names.life)])
  return leader !== undefined && leader === ended
}
