/**
 * Models of a simulated device's pages, made as in the product: the worker's batches carry facts to each page, whose store
 * folds them once a frame.
 *
 * 1. A page that stands at the core's last fact has the core's model, in every subject that pages show.
 * 2. At rest every open page stands there.
 */
import type { CoreModel } from '../../src/events/app.ts'
import { isShown } from '../../src/events/coreFolds.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { firstDifference } from '../../src/runtime/replay/firstDifference.ts'
import type { PagePort } from '../../src/events/wire.ts'
import { foldBatch } from '../../src/ui/foldBatch.ts'
import { createStore, type Store } from '../../src/ui/store.ts'
import type { CoreMachine } from '../../src/worker/core/core.ts'
import type { Pages } from '../../src/runtime/host/pages.ts'
import { createPages } from '../../src/worker/host/pages.ts'
import type { Tab } from './browser.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'

const frameMs = 16
/** Time until a page has heard and folded the last facts, ms. */
const soonMs = 100
/** A page whose batch waits longer is given up, ms. */
const hangMs = 12_000
/** Every so many frames of a page that is not behind are compared. */
const comparedEvery = 6

type Core = Pick<CoreMachine, 'model' | 'seq'>

type Ports = {
  queue: Queue
  dice: Dice
  /** whether this tab is open */
  isOpen(tab: Tab): boolean
  /** the worker has given this page up */
  left(tab: Tab): void
  /** the page hears that, and attaches anew */
  detached(tab: Tab): void
  wrong(what: string): void
}

export function createPageModels({ queue, dice, isOpen, left, detached, wrong }: Ports) {
  const stores = new Map<Tab, Store>()
  /** of this life: the core, its pages, and the tabs that have joined */
  let core: Core | undefined
  let pages: Pages | undefined
  let joined = new Set<Tab>()
  let publishedAt = 0
  let frames = 0

  function storeOf(tab: Tab): Store {
    let store = stores.get(tab)
    if (!store) {
      const made = createStore(
        {
          request: task =>
            void queue.after(frameMs, 'page', () => {
              task()
              frames += 1
              if (frames % comparedEvery === 0) compare(tab, made)
            }),
          hidden: () => !tab.visible,
        },
        foldBatch,
      )
      stores.set(tab, (store = made))
    }
    return store
  }

  function compare(tab: Tab, store: Store): void {
    if (!core || !joined.has(tab) || store.folded() !== core.seq) return
    const path = shownDifference(core.model, store.model())
    if (path !== undefined) wrong(`a page has another model than its core: ${path}`)
  }

  /** Messages of a worker that has died do not arrive: its timers are gone, and its promises with them. */
  function portOf(tab: Tab, of: Core): PagePort {
    const facts = (batch: readonly FactRecord[]) =>
      new Promise<void>(resolve => {
        const hear = () => {
          if (core !== of || !isOpen(tab)) return
          try {
            storeOf(tab).take(structuredClone([...batch]))
          } catch (cause) {
            wrong(`facts for a page: ${String(cause)}`)
          }
          resolve()
        }
        if (dice.strikes('page.hangs')) queue.after(hangMs, 'worker', hear)
        else hear()
      })
    const detachedFrom = async () => {
      if (core === of && isOpen(tab)) detached(tab)
    }
    const none = async () => undefined
    return { facts, detached: detachedFrom, otherBuild: none, restart: none, perform: none }
  }

  return {
    /** A core begins. */
    begin(of: Core): void {
      core = of
      joined = new Set()
      const tabOf = (name: string) => [...joined].find(tab => tab.name === name)
      pages = createPages({
        bytes: undefined as never,
        left(name) {
          // The timers of a dead worker are gone, also those that count its pages' silence
          const tab = core === of ? tabOf(name) : undefined
          if (!tab) return
          joined.delete(tab)
          if (isOpen(tab)) left(tab)
        },
      })
    },
    end: () => void (core = undefined),
    attach(tab: Tab): void {
      if (!core || !pages) return
      storeOf(tab).attach({ life: 0, seq: core.seq, model: structuredClone(core.model) } as never)
      joined.add(tab)
      pages.join(tab.name, portOf(tab, core))
    },
    publish(facts: readonly FactRecord[], now: boolean): void {
      if (facts.length > 0) publishedAt = queue.now()
      pages?.publish(facts, now)
    },
    /** A page that becomes visible again folds at once. */
    shown: (tab: Tab) => stores.get(tab)?.flush(),
    /** @returns pages that do not show what the core knows, in words */
    behind(): string[] {
      if (!core || queue.now() - publishedAt < soonMs) return []
      const found: string[] = []
      for (const [tab, store] of stores) {
        if (!isOpen(tab)) stores.delete(tab)
        else if (store.folded() === core.seq && joined.has(tab)) compare(tab, store)
        else found.push(`a page stands at fact ${store.folded()}, its core at ${core.seq}`)
      }
      return found
    },
  }
}
export type PageModels = ReturnType<typeof createPageModels>

/** @returns the first difference in what pages show */
function shownDifference(core: CoreModel, page: CoreModel): string | undefined {
  for (const subject of Object.keys(core) as (keyof CoreModel)[]) {
    // `relay.` facts fold into both
    if (!isShown(`${subject === 'relays' ? 'relay' : subject}.`)) continue
    const found = firstDifference(JSON.stringify(core[subject]), JSON.stringify(page[subject]))
    if (found) return `${subject}.${found.path}`
  }
  return undefined
}
