/** Each page effect is answered once, however often a page that heard nothing hands its answer over. */
import type { PageAnswer } from '../../events/wire.ts'
import type { Journal } from '../journal/journal.ts'
import { wasTaken } from './dedupe.ts'

/** Answers that are remembered; pages repeat one within seconds. */
const remembered = 256

export type Answering = {
  /**
   * Takes an effect's answer, unless it was taken: then this waits until that one is kept.
   *
   * @throws what `take` throws; then the answer may come again
   */
  once(effectId: string, answer: PageAnswer, take: () => Promise<void>): Promise<void>
}

/** @param life of the core that takes the answers */
export function createAnswering({ life, journal }: { life: number; journal: Pick<Journal, 'lines'> }): Answering {
  const taken = new Map<string, Promise<void>>()
  const ownEffects = `e${life}.`

  /** Only what an earlier life asked can have been answered to an earlier life. */
  async function takeNew(effectId: string, answer: PageAnswer, take: () => Promise<void>): Promise<void> {
    if (effectId.startsWith(ownEffects) || !(await wasTaken(journal, { to: effectId, answer }))) await take()
  }

  return {
    once(effectId, answer, take) {
      const before = taken.get(effectId)
      if (before) return before
      const taking = takeNew(effectId, answer, take)
      taken.set(effectId, taking)
      taking.catch(() => taken.delete(effectId))
      const [oldest] = taken.keys()
      if (taken.size > remembered && oldest !== undefined) taken.delete(oldest)
      return taking
    },
  }
}
