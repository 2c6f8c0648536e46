/**
 * The page's model: a fold of core facts and page facts.
 *
 * 1. Core facts queue up and fold once a frame; page facts fold at once, after the facts that wait.
 * 2. Core facts fold in order of `seq`, each once; a gap throws and leaves the model right up to it.
 * 3. No import of React or the worker.
 */
import { produce } from 'immer'
import {
  emptyCoreModel,
  emptyPageModel,
  foldShownFact,
  foldPageFact,
  isShown,
  type Model,
  type PageFact,
} from '../events/app.ts'
import { foldListing, type ListingFact } from '../events/subjects/listing.ts'
import { Fault } from '../runtime/failure.ts'
import type { FactRecord } from '../runtime/log/record.ts'
import type { Attached } from '../events/wire.ts'

/**
 * Facts that may queue in a hidden page before a flush; from this size on a batch folds into a plain copy, not an immer draft.
 */
export const hiddenLimit = 5000

type FrameScheduler = {
  /** Runs `task` before the next paint; never while the page is hidden. */
  request(task: () => void): void
  hidden(): boolean
}

export type Store = {
  model(): Model
  subscribe(listener: () => void): () => void
  /**
   * Queues core facts, in order; facts already folded are skipped.
   * @param atOnce fold now: a program waits for them, not only the next paint
   * @throws Fault `bad_response` on a gap: the model is right up to there, and the page must attach anew
   */
  take(facts: FactRecord[], atOnce?: boolean): void
  /** Folds a page fact before returning. */
  dispatch(fact: PageFact & { at: number }): void
  /** Replaces the core's model by the current one and drops facts queued from an earlier life. */
  attach(attached: Attached): void
  /** The last core `seq` folded here: the `after` of a page fact. */
  folded(): number
  /** Folds the queue now: for a page that becomes visible again. */
  flush(): void
}

const isOfListing = ({ type }: FactRecord): boolean => type.startsWith('listing.')

/**
 * The directory after its facts. Their fold replaces each part that it changes, so it needs no draft: immer would wrap and search
 * every wallet of the list with each page.
 */
function listingAfter(listing: Model['listing'], facts: FactRecord[]): Model['listing'] {
  const part = { listing: { ...listing } }
  for (const fact of facts) foldListing(part, fact as FactRecord & ListingFact)
  return Object.freeze(part.listing)
}

/** Makes a store over an empty model. */
export function createStore(frame: FrameScheduler): Store {
  let model: Model = { ...emptyCoreModel(), ...emptyPageModel() }
  let seq = 0
  let waiting: FactRecord[] = []
  let requested = false
  const listeners = new Set<() => void>()

  function publish(next: Model) {
    if (next === model) return
    model = next
    for (const listener of listeners) listener()
  }

  function flush() {
    requested = false
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    seq = batch[batch.length - 1]?.seq ?? seq
    if (!batch.some(({ type }) => isShown(type))) return
    const [ofListing, others] = [batch.filter(isOfListing), batch.filter(fact => !isOfListing(fact))]
    const foldInto = (into: Model) => {
      for (const fact of others) foldShownFact(into, fact)
    }
    let next = model
    if (batch.length < hiddenLimit) next = produce(model, foldInto)
    else foldInto((next = structuredClone(model)))
    // Frozen, immer passes over it
    if (ofListing.length > 0) next = Object.freeze({ ...next, listing: listingAfter(model.listing, ofListing) })
    publish(next)
  }

  return {
    model: () => model,
    folded: () => seq,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    take(facts, atOnce = false) {
      let missing: Fault | undefined
      let last = waiting.at(-1)?.seq ?? seq
      for (const fact of facts) {
        if (fact.seq <= last) continue
        if (fact.seq > last + 1) {
          missing = new Fault('bad_response', `the page expected fact ${last + 1} next, got fact ${fact.seq}`)
          break
        }
        waiting.push(fact)
        last = fact.seq
      }
      if (atOnce || (waiting.length >= hiddenLimit && frame.hidden())) flush()
      else if (!requested && !frame.hidden()) {
        requested = true
        frame.request(flush)
      }
      if (missing) throw missing
    },
    dispatch(fact) {
      flush()
      publish(
        produce(model, draft => {
          foldPageFact(draft, fact)
        }),
      )
    },
    attach(attached) {
      waiting = []
      seq = attached.seq
      const { tab, screen, toast, installed } = model
      publish({ ...attached.model, tab, screen, toast, installed })
    },
    flush,
  }
}
