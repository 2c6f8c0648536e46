/** What is going to happen, in order of time. Whatever belongs to the worker or to the page goes when they go. */
export type Scope = 'worker' | 'page' | 'outside'

type Coming = { at: number; order: number; scope: Scope; run(): void }

export function createQueue(start: number) {
  let now = start
  let order = 0
  let coming: Coming[] = []

  return {
    now: () => now,
    /** Something happens `inMs` from now. @returns how to call it off */
    after(inMs: number, scope: Scope, run: () => void): () => void {
      order += 1
      const one = { at: now + Math.max(0, inMs), order, scope, run }
      coming.push(one)
      return () => {
        coming = coming.filter(other => other !== one)
      }
    },
    /** Goes on to the next thing. @returns false when nothing is coming any more before `until` */
    next(until: number): boolean {
      let first: Coming | undefined
      for (const one of coming)
        if (!first || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one
      if (!first || first.at > until) return false
      const { run } = first
      coming = coming.filter(one => one !== first)
      now = Math.max(now, first.at)
      run()
      return true
    },
    drop(...scopes: Scope[]): void {
      coming = coming.filter(one => !scopes.includes(one.scope))
    },
  }
}
export type Queue = ReturnType<typeof createQueue>
