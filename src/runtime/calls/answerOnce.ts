/** Each page effect is answered once, however often a page that heard nothing hands its answer over. */
import type { Journal } from '../journal/journal.ts'
import type { InputRecord } from '../log/record.ts'
import { createNewestLines, isTaken } from './dedupe.ts'
import { createOnce } from './once.ts'

type AnswerOnce = {
  /**
   * Takes an effect's answer, unless it was taken: then this waits until that one is kept.
   *
   * @throws what `take` throws; then the answer may come again
   */
  once(effectId: string, take: () => Promise<void>): Promise<void>
}

type Settings = {
  /** of the core that takes the answers */
  life: number
  journal: Pick<Journal, 'lines'>
  /** Whether an input that ends an effect is a page's answer, not the core's own end of it. */
  isAnswer(input: InputRecord): boolean
}

export function createAnswerOnce({ life, journal, isAnswer }: Settings): AnswerOnce {
  const once = createOnce()
  const newestLines = createNewestLines(journal)
  const ownEffects = `e${life}.`

  return {
    async once(effectId, take) {
      await once(effectId, async () => {
        // Only what an earlier life asked can have been answered to an earlier life
        const isKnown = !effectId.startsWith(ownEffects) && isTaken(await newestLines(), { to: effectId, isAnswer })
        if (!isKnown) await take()
        return isKnown
      })
    },
  }
}
