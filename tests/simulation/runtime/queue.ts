/** Coming events in order of time. Those of a worker or page are dropped with it. */
export type Scope = 'worker' | 'page' | 'outside'

type Coming = { at: number; order: number; scope: Scope; run(): void }

export function createQueue(start: number) {
  let now = start
  let order = 0
  let coming: Coming[] = []
  let frozenUntil = 0
  let frozenFrom = 0
  let thawed = () => undefined as void

  /** A frozen page's timers and messages wait, and run in order when it thaws. */
  const dueOf = ({ at, scope }: Coming) => (scope !== 'outside' && at < frozenUntil ? frozenUntil : at)

  function first(): Coming | undefined {
    let found: Coming | undefined
    let due = 0
    for (const one of coming) {
      const its = dueOf(one)
      if (
        found &&
        (its > due || (its === due && (one.at > found.at || (one.at === found.at && one.order > found.order))))
      )
        continue
      found = one
      due = its
    }
    return found
  }

  return {
    now: () => now,
    size: () => coming.length,
    /** Schedules an event in `inMs`. @returns cancels it */
    after(inMs: number, scope: Scope, run: () => void): () => void {
      order += 1
      const one = { at: now + Math.max(0, inMs), order, scope, run }
      coming.push(one)
      return () => {
        const at = coming.indexOf(one)
        if (at >= 0) coming.splice(at, 1)
      }
    },
    /** Runs the next event. @returns false if none is due before `until` */
    next(until: number): boolean {
      const one = first()
      if (!one || dueOf(one) > until) return false
      now = Math.max(now, dueOf(one))
      coming.splice(coming.indexOf(one), 1)
      one.run()
      return true
    },
    /** Advances time without running events. */
    pass(until: number): void {
      now = Math.max(now, until)
    },
    /** Pauses events of worker and pages until then. */
    freeze(until: number): void {
      const isFrozen = frozenUntil > now
      if (!isFrozen) frozenFrom = now
      frozenUntil = until
      if (isFrozen && until <= now) thawed()
    },
    /** Hears that a freeze ends before its time. */
    onThaw(run: () => void): void {
      thawed = run
    },
    isFrozen: () => frozenUntil > now,
    /** Time until worker and pages thaw, ms. */
    frozenMs: () => Math.max(0, frozenUntil - now),
    /** Beginning of the last freeze. */
    frozenFrom: () => frozenFrom,
    drop(...scopes: Scope[]): void {
      coming = coming.filter(one => !scopes.includes(one.scope))
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
