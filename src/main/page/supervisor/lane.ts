/** This page's own facts: folded at once, and kept here until the core has them on disk. */
import type { PageFact } from '../../../events/app.ts'
import type { SentPageFact } from '../../../runtime/log/record.ts'
import type { Core } from '../../../events/wire.ts'
import type { Store } from '../../../ui/store.ts'

/** A page fact of before the lane was there: folded, but in no log yet. */
export type EarlyFact = { fact: PageFact; at: number }

type Ports = {
  store: Pick<Store, 'flush' | 'folded' | 'dispatch'>
  tab: string
  early: readonly EarlyFact[]
  now(): number
  /** of the core that this page knows */
  life(): number
  /** The core that this page has joined. */
  core(): Core | undefined
}

type Lane = {
  dispatch(fact: PageFact): void
  /** Hands over what the core does not have yet. */
  ship(): Promise<void>
  /** What the core does not have yet. */
  tail(): SentPageFact[]
  /** What this page said to an erased log is forgotten with it. */
  forget(): void
}

export function createLane({ store, tab, early, now, life, core }: Ports): Lane {
  let p = 0
  let unshipped: SentPageFact[] = []
  let shipping = false

  function record({ fact, at }: EarlyFact): void {
    p += 1
    unshipped.push({ k: 'p', p, life: life(), after: store.folded(), tab, at, type: fact.type, data: fact.data })
  }
  for (const before of early) record(before)

  async function ship(): Promise<void> {
    const joined = core()
    if (shipping || !joined || unshipped.length === 0) return
    shipping = true
    const batch = unshipped.slice(0, 200)
    const lastP = batch.at(-1)?.p ?? 0
    let shipped = false
    try {
      await joined.pageFacts(batch)
      unshipped = unshipped.filter(one => one.p > lastP)
      shipped = true
    } catch {
      // They stay here for the next try or the next core
    } finally {
      shipping = false
    }
    if (shipped || core() !== joined) void ship()
  }

  return {
    dispatch(fact) {
      const at = Math.floor(now())
      // What waits is folded before this fact, so it counts as seen
      store.flush()
      record({ fact, at })
      store.dispatch({ ...fact, at })
      void ship()
    },
    ship,
    tail: () => [...unshipped],
    forget() {
      unshipped = []
    },
  }
}
