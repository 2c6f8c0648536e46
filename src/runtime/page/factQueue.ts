/** Facts of this page: folded at once, and held until the core has committed them. */
import type { SentPageFact } from '../log/record.ts'
import type { AnyCore } from '../wire.ts'
import type { AnyPageFact, PageStore } from './pageTypes.ts'

/** A page fact from before the runtime was loaded: folded, but not in a log yet. */
export type EarlyFact<Fact> = { fact: Fact; at: number }

type Ports<Fact> = {
  store: Pick<PageStore<Fact>, 'flush' | 'folded' | 'dispatch'>
  tab: string
  early: readonly EarlyFact<Fact>[]
  now(): number
  /** Life of the core that the page attached to last. */
  life(): number
  /** The core that this page is attached to. */
  core(): Pick<AnyCore, 'pageFacts'> | undefined
}

type FactQueue<Fact> = {
  dispatch(fact: Fact): void
  /** Sends up to 200 uncommitted facts, then the next ones. */
  ship(): Promise<void>
  /** Facts that are not committed yet. */
  tail(): SentPageFact[]
  /** Drops the uncommitted facts, which belong to an erased log. */
  forget(): void
}

export function createFactQueue<Fact extends AnyPageFact>({
  store,
  tab,
  early,
  now,
  life,
  core,
}: Ports<Fact>): FactQueue<Fact> {
  let p = 0
  let unshipped: SentPageFact[] = []
  let shipping = false

  function record({ fact, at }: EarlyFact<Fact>): void {
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
      // The facts stay for the next attempt or the next core
    } finally {
      shipping = false
    }
    if (shipped || core() !== joined) void ship()
  }

  return {
    dispatch(fact) {
      const at = Math.floor(now())
      // Batched facts are folded first: the person has seen them when this page fact comes
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
