/**
 * Documents that parsers read in different ways are refused: duplicate keys, lone surrogates, numbers other than canonical whole
 * ones of at most 2^53 - 1.
 */
import { isKeyEnd, numberEnd, stringEnd } from './jsonText.ts'
import type { Refuse } from './readJson.ts'

/** Options of a published document that is signed or hashed: one whose meaning must not depend on the parser. */
export const publishedJson = { maxBytes: 65_536, maxDepth: 8, strict: checkStrict } as const

const canonicalInteger = /^(0|-?[1-9][0-9]{0,15})$/
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** @param text JSON, as the parser found */
function checkStrict(text: string, refuse: Refuse): void {
  /** keys of each open object; a list has none */
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at)
    if (char === '"') {
      const end = stringEnd(text, at)
      const read = JSON.parse(text.slice(at, end)) as string
      if (loneSurrogate.test(read)) throw refuse('JSON', 'expected whole characters, got half a surrogate pair')
      const keys = isKeyEnd(text, end) ? open.at(-1) : undefined
      if (keys?.has(read)) throw refuse('DUPLICATE_KEY', 'expected each key once in an object, got one twice')
      keys?.add(read)
      at = end
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      const end = numberEnd(text, at)
      const literal = text.slice(at, end)
      if (!canonicalInteger.test(literal) || !Number.isSafeInteger(Number(literal))) {
        const got = literal.slice(0, 20)
        throw refuse('NUMBER', `expected whole numbers of at most 2^53 - 1 in plain digits, got ${got}`)
      }
      at = end
    } else {
      if (char === '{' || char === '[') open.push(char === '{' ? new Set() : undefined)
      else if (char === '}' || char === ']') open.pop()
      at += 1
    }
  }
}
