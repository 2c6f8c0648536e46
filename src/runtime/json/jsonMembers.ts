/** Members of a JSON text, verbatim. */
import { comma, isKeyEnd, isWhite, nesting, quote, skipBlanks, stringEnd } from './jsonText.ts'

/**
 * The literals of a top-level member, verbatim: `JSON.parse` rounds integers above 2^53.
 *
 * @param text a JSON object that `readJson` accepted
 * @returns one text for each occurrence of the key; only the bracket of an object or array
 */
export function memberLiterals(text: string, key: string): string[] {
  const literals: string[] = []
  let depth = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code !== quote) {
      depth += nesting(code)
      at += 1
      continue
    }
    const end = stringEnd(text, at)
    const colon = skipBlanks(text, end)
    const isKey = depth === 1 && isKeyEnd(text, end)
    if (isKey && JSON.parse(text.slice(at, end)) === key) literals.push(literalAt(text, skipBlanks(text, colon + 1)))
    at = isKey ? colon + 1 : end
  }
  return literals
}

/**
 * The text of a member, verbatim.
 *
 * @param text JSON that `readJson` accepted
 * @param keys path to the member, outermost first
 * @returns undefined when it is absent; the last one of duplicate keys, like `JSON.parse`
 */
export function memberText(text: string, ...keys: readonly string[]): string | undefined {
  return keys.reduce<string | undefined>(
    (within, key) => (within === undefined ? undefined : partOf(within, key)),
    text,
  )
}

function partOf(text: string, key: string): string | undefined {
  if (text.charAt(skipBlanks(text, 0)) !== '{') return undefined
  let found: string | undefined
  let at = skipBlanks(text, 0) + 1
  while (at < text.length) {
    if (text.charCodeAt(at) !== quote) {
      at += 1
      continue
    }
    const end = stringEnd(text, at)
    const start = skipBlanks(text, skipBlanks(text, end) + 1)
    const after = valueEnd(text, start)
    if (JSON.parse(text.slice(at, end)) === key) found = text.slice(start, after)
    at = after
  }
  return found
}

/** Index after the value that begins at `start`. */
function valueEnd(text: string, start: number): number {
  let depth = 0
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      if (depth === 0) return at
      continue
    }
    const change = nesting(code)
    if (depth + change < 0 || (depth === 0 && (code === comma || isWhite(code)))) return at
    depth += change
    at += 1
    if (change < 0 && depth === 0) return at
  }
  return at
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
      at = text.charCodeAt(at) === quote ? stringEnd(text, at) : at + 1
    parts.push(text.slice(start, at))
  }
  return parts.join('')
}

function literalAt(text: string, start: number): string {
  if (text.charAt(start) === '"') return text.slice(start, stringEnd(text, start))
  if ('{['.includes(text.charAt(start))) return text.charAt(start)
  let end = start
  while (end < text.length && !' \t\n\r,}'.includes(text.charAt(end))) end += 1
  return text.slice(start, end)
}
