/**
 * Answers that a page owes the core. Each effect is carried out once and answered once; an answer is held until the core has
 * committed it, and is delivered again after a loss of the core.
 */
import type { PageAnswer } from '../../events/wire.ts'

/** Delivers an answer to the core. Resolves when it is committed; rejects when it may not have arrived. */
export type Deliver = (effectId: string, answer: PageAnswer) => Promise<void>

type Answers = {
  /** @returns true for a new effect; a known one goes on, or its answer is delivered again */
  begin(effectId: string): boolean
  /** Sets the answer; only the first counts. */
  settle(effectId: string, answer: PageAnswer): void
  /** Ids of effects without an answer. */
  asking(): string[]
  /** Ids of effects whose answer may not be committed. */
  answered(): string[]
  setDeliver(deliver: Deliver): void
  /** Delivers uncommitted answers, after the core was attached anew. */
  redeliver(): void
}

type Kept = { answer?: PageAnswer; taken: boolean; onTheWay: boolean; again: boolean }

/** Committed answers that are remembered, in case the core orders the effect again. */
const takenKept = 64

/** Makes an empty set of answers; nothing is delivered before `setDeliver`. */
export function createAnswers(): Answers {
  const kept = new Map<string, Kept>()
  let deliver: Deliver | undefined

  function hand(effectId: string, one: Kept): void {
    const { answer } = one
    if (!answer || !deliver) return
    if (one.onTheWay) {
      one.again = true
      return
    }
    one.onTheWay = true
    one.again = false
    deliver(effectId, answer).then(
      () => {
        one.onTheWay = false
        one.taken = true
        forgetOldest()
      },
      () => {
        one.onTheWay = false
        // A new attachment requested it while the delivery to the lost core was in flight
        if (one.again) hand(effectId, one)
      },
    )
  }

  function forgetOldest(): void {
    const taken = [...kept].filter(([, one]) => one.taken)
    for (const [effectId] of taken.slice(0, Math.max(0, taken.length - takenKept))) kept.delete(effectId)
  }

  const idsOf = (which: (one: Kept) => boolean) =>
    [...kept].filter(([, one]) => which(one)).map(([effectId]) => effectId)

  return {
    begin(effectId) {
      const known = kept.get(effectId)
      if (!known) {
        kept.set(effectId, { taken: false, onTheWay: false, again: false })
        return true
      }
      hand(effectId, known)
      return false
    },
    settle(effectId, answer) {
      const known = kept.get(effectId)
      if (!known || known.answer) return
      known.answer = answer
      hand(effectId, known)
    },
    asking: () => idsOf(one => !one.answer),
    answered: () => idsOf(one => one.answer !== undefined && !one.taken),
    setDeliver(next) {
      deliver = next
    },
    redeliver() {
      for (const [effectId, one] of kept) if (one.answer && !one.taken) hand(effectId, one)
    },
  }
}
