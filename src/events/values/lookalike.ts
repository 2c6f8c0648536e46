/**
 * Whether two names look alike to a person, by Unicode's table of confusable characters. The table is large: import this
 * where it is needed, at run time.
 * @see https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
import { bareLetters } from './bareLetters.ts'
import table from './confusables.json' with { type: 'json' }

const prototypes = new Map(
  Object.entries(table).flatMap(([to, from]) => [...from].map(letter => [letter, to] as const)),
)

/** @returns whether a person could take one name for the other, in any mix of cases */
export function looksAlike(one: string, other: string): boolean {
  const [ours, theirs] = [skeletonsOf(one), skeletonsOf(other)]
  return ours.some(skeleton => theirs.includes(skeleton))
}

/**
 * @returns one skeleton of the name in small letters, and one of the name as it is written: I looks like l, and i does not.
 *   Names that have one in common look alike.
 */
export function skeletonsOf(name: string): string[] {
  // A name without a single letter is compared as it is
  const letters = bareLetters(name) || name
  return [skeleton(letters.toLowerCase()), skeleton(skeleton(letters).toLowerCase())]
}

function skeleton(letters: string): string {
  return bareLetters([...letters].map(letter => prototypes.get(letter) ?? letter).join('')) || letters
}
