/**
 * The page's model: a fold of core facts and page facts.
 *
 * 1. Core facts queue up and fold once a frame; page facts fold at once, after the facts that wait.
 * 2. Core facts fold in order of `seq`, each once; a gap throws and leaves the model right up to it.
 * 3. No import of React or the worker.
 */
import { produce } from 'immer'
import type { Model, PageFact } from '../events/app.ts'
import { emptyCoreModel, emptyPageModel } from '../events/emptyModel.ts'
import { foldPageFact } from '../events/pageFolds.ts'
import { Fault } from '../runtime/failure.ts'
import type { FactRecord } from '../runtime/log/record.ts'
import type { Attached } from '../events/wire.ts'

/** Facts that may queue in a hidden page before a flush. */
export const hiddenLimit = 5000

/** Folds a batch of core facts. @returns the next model; the same one when nothing changed that pages show */
export type FoldBatch = (model: Model, batch: readonly FactRecord[]) => Model

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
  /** Gives the folds of core facts, which come with the page's runtime. `take` needs them. */
  foldBy(fold: FoldBatch): void
  /** Folds a page fact before returning. */
  dispatch(fact: PageFact & { at: number }): void
  /** Replaces the core's model by the current one and drops facts queued from an earlier life. */
  attach(attached: Attached): void
  /** The last core `seq` folded here: the `after` of a page fact. */
  folded(): number
  /** Folds the queue now: for a page that becomes visible again. */
  flush(): void
}

/** Makes a store over an empty model. */
export function createStore(frame: FrameScheduler, fold?: FoldBatch): Store {
  let foldBatch: FoldBatch = fold ?? withoutFolds
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
    publish(foldBatch(model, batch))
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
    foldBy(fold) {
      foldBatch = fold
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

function withoutFolds(): never {
  throw new Fault('bad_input', 'the store expected the folds of core facts before the first fact, got a fact')
}
