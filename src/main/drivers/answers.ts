/**
 * The answers a page owes the core. Each effect is carried out once and answered once; an answer is kept until the core
 * has committed it, and is handed over again after the core was lost.
 */
import type { PageAnswer } from '../../events/wire.ts'

/** Hands an answer to the core. Resolves when it is committed; rejects when it may not have arrived. */
export type Deliver = (effectId: string, answer: PageAnswer) => Promise<void>

type Answers = {
  /** @returns true when the effect is new; one that is known goes on, or its answer is handed over again */
  begin(effectId: string): boolean
  /** Takes the one answer; later ones change nothing. */
  settle(effectId: string, answer: PageAnswer): void
  /** Ids of effects without an answer. */
  asking(): string[]
  /** Ids of effects whose answer the core does not have for certain. */
  answered(): string[]
  setDeliver(deliver: Deliver): void
  /** Hands over what the core does not have: after it was attached anew. */
  redeliver(): void
}

type Kept = { answer?: PageAnswer; taken: boolean; onTheWay: boolean; again: boolean }

/** Answers that are remembered after the core took them, should it ask again. */
const takenKept = 64

/** Makes an empty set of answers; nothing is handed over before `setDeliver`. */
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
        // A new attachment asked for it while the lost one still held it
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
