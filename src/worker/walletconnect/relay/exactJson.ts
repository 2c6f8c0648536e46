/** Lossless JSON: `JSON.parse` rounds integers from 2^53 on, which would change a balance or a nonce. */
import { isWhite, skipBlanks, stringEnd } from './json.ts'

/** Prefix of a marked bigint in a copy of the text; an original string that begins with it gets a second one. */
const mark = '\uE000'

/**
 * Parses JSON as `JSON.parse` does, but integers beyond ±(2^53 - 1) become bigints, digit for digit. Numbers with a
 * fraction or an exponent stay doubles.
 *
 * @throws SyntaxError when it is not JSON
 */
export function readExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = markBig(text)
  // Most long digit runs are inside strings
  return marked === undefined ? JSON.parse(text) : JSON.parse(marked, unmark)
}

/** @returns the text with big integers as marked strings, undefined when it has none */
function markBig(text: string): string | undefined {
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
  parts.push(text.slice(copied))
  return found ? parts.join('') : undefined
}

function unmark(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith(mark)) return value
  return value[1] === 'n' ? BigInt(value.slice(2)) : value.slice(1)
}

function isKey(text: string, end: number): boolean {
  return text.charAt(skipBlanks(text, end)) === ':'
}

/** Digit, sign, point or exponent. */
function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 69 || code === 101
}

/** @returns the same JSON without blanks between its tokens */
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
