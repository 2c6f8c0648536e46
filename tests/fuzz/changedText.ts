/** Mutations of texts without regard to their meaning. */
import type { Random } from './random.ts'

const pieces = [
  '\u0000',
  '\ud800',
  '%',
  '%zz',
  '%00',
  '=',
  '&',
  '?',
  '@',
  ':',
  '//',
  '#',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  '.',
  '-',
  '+',
  ' ',
  '\n',
  '\u202e',
  'n',
  '0',
  '9'.repeat(30),
  '__proto__',
  'null',
  'é',
  '😀',
]

/** @returns a text changed in one to three places: cut, repeated, or with other characters or a piece of `other` */
export function changedText(random: Random, text: string, other: string): string {
  let changed = text
  for (let count = 1 + random.below(3); count > 0; count--) changed = changedOnce(random, changed, other)
  return changed
}

function changedOnce(random: Random, text: string, other: string): string {
  const at = random.below(text.length + 1)
  const length = 1 + random.below(random.oneIn(3) ? 40 : 3)
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + text.slice(at + length)
    case 2:
      return text.slice(0, at + length) + text.slice(at)
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.below(random.oneIn(4) ? 0x10000 : 128)) + text.slice(at + 1)
    case 4:
      return text.slice(0, at) + swappedCase(text.charAt(at)) + text.slice(at + 1)
    case 5: {
      const from = random.below(other.length + 1)
      return text.slice(0, at) + other.slice(from, from + length) + text.slice(at + (random.oneIn(2) ? length : 0))
    }
    default:
      return text.slice(0, at) + random.pick(pieces) + text.slice(at + random.below(2))
  }
}

function swappedCase(char: string): string {
  const upper = char.toUpperCase()
  return upper === char ? char.toLowerCase() : upper
}
