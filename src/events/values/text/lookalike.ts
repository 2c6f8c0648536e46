/**
 * Tells whether two names look alike to a person, by Unicode's table of confusable characters. The table is large: import this
 * lazily.
 * @see https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
import { bareLetters } from './bareLetters.ts'
import table from './confusables.json' with { type: 'json' }

const prototypes = new Map(
  Object.entries(table).flatMap(([to, from]) => [...from].map(letter => [letter, to] as const)),
)

/** Latin small capitals: the table maps Cyrillic letters to them, but them to no Latin letter. */
const smallCapitals = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟʍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, at) => [capital, 'abcdefghijklmnopqrstuvwyz'.charAt(at)]),
)

/** Symbols and modifiers beside a name: a tick, a trade mark, an invisible note. */
const ornaments = /[\p{S}\p{Lm}]/gu

/** Skeletons of the names compared so far, which come again with every page of the directory. */
const known = new Map<string, string[]>()
const mostKnown = 4096

/** @returns whether a person could take one name for the other, in any mix of cases */
export function looksAlike(one: string, other: string): boolean {
  const [ours, theirs] = [knownSkeletons(one), knownSkeletons(other)]
  return ours.some(skeleton => theirs.includes(skeleton))
}

function knownSkeletons(name: string): string[] {
  const before = known.get(name)
  if (before) return before
  const skeletons = skeletonsOf(name)
  if (known.size >= mostKnown) known.clear()
  known.set(name, skeletons)
  return skeletons
}

/**
 * @returns skeletons of the name: in lower case, as written, because I looks like l and i does not, and in upper case; and the
 *   same without its ornaments. Names with a skeleton in common look alike.
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
