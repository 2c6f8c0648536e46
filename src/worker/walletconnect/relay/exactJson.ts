/**
 * JSON without loss: `JSON.parse` rounds whole numbers from 2^53 on, and a balance or a nonce that is rounded is another one.
 */
import { isWhite, skipBlanks, stringEnd } from './json.ts'

/** Stands before what is written into a copy of the text; a text of the original that begins with it gets one more. */
const mark = '\uE000'

/**
 * Reads JSON as `JSON.parse` does, but whole numbers beyond ±(2^53 - 1) become bigints, digit for digit. A number with a
 * fraction or an exponent is a number, as precise as a double is.
 *
 * @throws SyntaxError when it is no JSON
 */
export function readExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = markBig(text)
  // Most long numbers are digits inside of texts
  return marked === undefined ? JSON.parse(text) : JSON.parse(marked, unmark)
}

/** @returns the text with big whole numbers as marked texts, undefined when it has none */
function markBig(text: string): string | undefined {
  const parts: string[] = []
  let kept = 0
  let found = false
  const put = (start: number, end: number, instead: string) => {
    parts.push(text.slice(kept, start), instead)
    kept = end
  }
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === 34) {
      const end = stringEnd(text, at)
      if (!isKey(text, end) && /^"(?:\uE000|\\ue000)/i.test(text.slice(at, at + 7))) put(at, at + 1, `"${mark}`)
      at = end
    } else if (isNumeric(code)) {
      let end = at + 1
      while (end < text.length && isNumeric(text.charCodeAt(end))) end += 1
      const literal = text.slice(at, end)
      if (/^-?[1-9]\d{15,}$/.test(literal) && !Number.isSafeInteger(Number(literal)) && !isKey(text, end)) {
        found = true
        put(at, end, `"${mark}n${literal}"`)
      }
      at = end
    } else at += 1
  }
  parts.push(text.slice(kept))
  return found ? parts.join('') : undefined
}

function unmark(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value
  return value[1] === 'n' ? BigInt(value.slice(2)) : value.slice(1)
}

function isKey(text: string, end: number): boolean {
  return text.charAt(skipBlanks(text, end)) === ':'
}

/** What a number is made of: digits, sign, point, exponent. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 69 || code === 101
}

/** @returns the same JSON without what stands between its parts */
export function withoutBlanks(text: string): string {
  if (!/[ \t\n\r]/.test(text)) return text
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const start = at
    if (isWhite(text.charCodeAt(at))) {
      at = skipBlanks(text, at)
      continue
    }
    while (at < text.length && !isWhite(text.charCodeAt(at)))
      at = text.charCodeAt(at) === 34 ? stringEnd(text, at) : at + 1
    parts.push(text.slice(start, at))
  }
  return parts.join('')
}
