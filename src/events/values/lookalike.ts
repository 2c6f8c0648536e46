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

/** Latin letters in the form of small capitals, for which the table has no letter; it takes Cyrillic ones for them, too. */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟʍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, at) => [capital, 'abcdefghijklmnopqrstuvwyz'.charAt(at)]),
)

/** Symbols and modifiers beside a name: a tick, a trade mark, a note that draws nothing. */
const ornaments = /[\p{S}\p{Lm}]/gu

/** @returns whether a person could take one name for the other, in any mix of cases */
export function looksAlike(one: string, other: string): boolean {
  const [ours, theirs] = [skeletonsOf(one), skeletonsOf(other)]
  return ours.some(skeleton => theirs.includes(skeleton))
}

/**
 * @returns one skeleton of the name in small letters, one of the name as it is written, for I looks like l, and i does not, and
 *   one of it in capitals; besides, those of the name without its ornaments. Names that have one in common look alike.
 */
export function skeletonsOf(name: string): string[] {
  // A name without a single letter is compared as it is
  const letters = bareLetters(name) || name
  const plain = bareLetters(name.replace(ornaments, '')) || letters
  return [...new Set([letters, plain].flatMap(casesOf))]
}

function casesOf(letters: string): string[] {
  return [
    skeleton(letters.toLowerCase()),
    skeleton(skeleton(letters).toLowerCase()),
    skeleton(skeleton(letters.toUpperCase()).toLowerCase()),
  ]
}

function skeleton(letters: string): string {
  return bareLetters([...letters].map(prototypeOf).join('')) || letters
}

function prototypeOf(letter: string): string {
  const found = prototypes.get(letter) ?? letter
  const small = smallCapitals.get(found)
  return small === undefined ? found : (prototypes.get(small) ?? small)
}
