/** Walks over the text of JSON without parsing it. Strings are skipped whole, so that their brackets do not count. */

/**
 * Measures a text without parsing it; a duplicate key counts twice. Strings are skipped. Stops behind a limit.
 *
 * @returns the deepest nesting, the values, and of these the lists and objects
 */
export function measureJson(
  text: string,
  maxDepth: number,
  maxValues: number,
): { depth: number; values: number; containers: number } {
  let level = 0
  let depth = 0
  let values = 1
  let containers = 0
  for (let at = 0; at < text.length && depth <= maxDepth && values <= maxValues; ) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      continue
    }
    const change = nesting(code)
    level += change
    if (level > depth) depth = level
    if (change > 0) containers += 1
    if (code === comma || change > 0) values += 1
    at += 1
  }
  return { depth, values, containers }
}

export const comma = 44
export const quote = 34

/** Change of depth at a bracket. Both kinds have codes above 90. */
export function nesting(code: number): number {
  if (code < 91) return 0
  if (code === 123 || code === 91) return 1
  return code === 125 || code === 93 ? -1 : 0
}

/** Index after the closing quote of the string that opens at `start`, or the text's length when it is not closed. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at)
    if (end < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes += 1
    if (slashes % 2 === 0) return end + 1
    at = end + 1
  }
}

/** Index of the first character from `start` on that is not a JSON blank. */
export function skipBlanks(text: string, start: number): number {
  let at = start
  while (at < text.length && isWhite(text.charCodeAt(at))) at += 1
  return at
}

/** @returns whether the string that ends before `end` is a key */
export function isKeyEnd(text: string, end: number): boolean {
  return text.charAt(skipBlanks(text, end)) === ':'
}

/** Index after the number that begins at `start`. */
export function numberEnd(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isNumeric(text.charCodeAt(end))) end += 1
  return end
}

/** Digit, sign, point or exponent. */
export function isNumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 69 || code === 101
}

/** Blank, tab, line feed, carriage return. */
export function isWhite(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13
}
