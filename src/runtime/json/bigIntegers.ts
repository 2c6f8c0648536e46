/** Integers that `JSON.parse` rounds, from 2^53 on: rounding would change a balance or a nonce. */
import { isKeyEnd, isNumeric, numberEnd, stringEnd } from './jsonText.ts'

/** Prefix of a marked integer in a copy of the text; an original string that begins with it gets a second one. */
const mark = '\uE000'

/** @returns a copy of a JSON text whose big integers are marked strings for `unmarkBigInteger`, undefined when it has none */
function markBigIntegers(text: string): string | undefined {
  // Most long digit runs are inside strings
  if (!/\d{16}/.test(text)) return undefined
  const parts: string[] = []
  let copied = 0
  let found = false
  const put = (start: number, end: number, instead: string) => {
    parts.push(text.slice(copied, start), instead)
    copied = end
  }
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      const end = stringEnd(text, at)
      if (isMarkAt(text, at) && !isKeyEnd(text, end)) put(at, at + 1, `"${mark}`)
      at = end
    } else if (isNumeric(code)) {
      const end = numberEnd(text, at)
      const literal = end - at < 16 ? '' : text.slice(at, end)
      if (/^-?[1-9]\d{15,}$/.test(literal) && !Number.isSafeInteger(Number(literal)) && !isKeyEnd(text, end)) {
        found = true
        put(at, end, `"${mark}n${literal}"`)
      }
      at = end
    } else at += 1
  }
  parts.push(text.slice(copied))
  return found ? parts.join('') : undefined
}

/** Whether the string that opens at `at` begins with the mark, plain or escaped. */
function isMarkAt(text: string, at: number): boolean {
  const first = text[at + 1]
  return first === mark || (first === '\\' && /^\\ue000/i.test(text.slice(at + 1, at + 7)))
}

/** Reviver of `JSON.parse` for a marked copy. */
function unmarkBigInteger(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value
  return value[1] === 'n' ? BigInt(value.slice(2)) : value.slice(1)
}

/** How `readJson` reads big integers. */
export type BigIntegers = { mark(text: string): string | undefined; unmark(key: string, value: unknown): unknown }

/** Reads them as bigints, digit for digit. */
export const exactIntegers: BigIntegers = { mark: markBigIntegers, unmark: unmarkBigInteger }
