/** Seeded choices, in Node and in the page: the same words give the same choices, whatever the machine's timing. */
import { nextRandom } from '../../src/runtime/core/generator.ts'
import { freshTransient } from '../../src/worker/core/transient.ts'

export type Chance = {
  /** @returns a whole number from 0 to `below` − 1 */
  below(below: number): number
  /** @returns one of these */
  oneOf<T>(choices: readonly T[]): T
}

/** @param words names of these choices: seed, kind, number */
export function seededChance(...words: (string | number)[]): Chance {
  const state = freshTransient(words.join(' '), 0).random
  const below = (limit: number) => nextRandom(state) % limit
  return {
    below,
    oneOf<T>(choices: readonly T[]): T {
      return choices[below(choices.length)] as T
    },
  }
}
