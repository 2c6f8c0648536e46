/**
 * Tokens for personal values: of the same form and decoded length, equal where the values are. A token is random and says
 * nothing about its value; the mapping lives as long as these tokens.
 */
import { decodeBase58, encodeBase58 } from '../values/solana/base58.ts'
import { nextRandom, seeded } from '../../runtime/core/generator.ts'
import { type OrderMemo, parseOrderMemo } from '../sale/payments/memo.ts'
import { isPublicName } from './publicNames.ts'

type Tokens = {
  /** @returns the value's token; public values and the empty text stay */
  of(value: string): string
  /** @returns the token of a name that a wallet or a host chose; a public one stays */
  name(value: string): string
  /** @returns the text with every long value that has a token replaced */
  within(text: string): string
  /** @returns a failure's sentence with every hash replaced: a checkpoint may quote one that stands nowhere else */
  said(sentence: string): string
}

/** Keys, hashes and signatures in a sentence. */
const longWords = /[0-9A-Za-z]{32,}/g
const hashes = /(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])/g
/** The object of a protocol sentence: `session topic doesn't exist: <topic>`. */
const lastWord = /(?<=: )\S+$/
const letters = 'abcdefghijkmnpqrstuvwxyz'

/**
 * One function, because all kinds of tokens share one generator and one table.
 *
 * @param key random for every recording, so that no two share a token; never stored
 * @param publics values that stay wherever they stand
 * @param amountsOf an order's memo with other amounts
 */
export function createTokens(
  key: string,
  publics: ReadonlySet<string>,
  amountsOf: (memo: OrderMemo) => OrderMemo,
): Tokens {
  const state = seeded(key)
  const known = new Map<string, string>()
  const taken = new Set<string>(publics)
  const draw = (below: number) => nextRandom(state) % below
  const drawn = (count: number, alphabet: string) =>
    Array.from({ length: count }, () => alphabet.charAt(draw(alphabet.length))).join('')

  function of(value: string): string {
    if (value === '' || publics.has(value)) return value
    let token = known.get(value)
    if (token !== undefined) return token
    token = composed(value)
    for (let tries = 0; token === undefined; tries += 1) {
      const made = tries < 20 ? alike(value) : free()
      if (!taken.has(made)) token = made
    }
    taken.add(token)
    known.set(value, token)
    return token
  }

  /** A composed value: each part that the core extracts has a token of its own. */
  function composed(value: string): string | undefined {
    const memo = parseOrderMemo(value)
    if (memo) {
      const { terms, id, asset, units, quoted, min, referrer } = amountsOf(memo)
      const parts = ['mai1', beginningOf(terms), of(id), asset, units, quoted, min]
      return [...parts, ...(referrer === undefined ? [] : [of(referrer)])].join(':')
    }
    // A payment names its terms as a memo does
    if (/^[0-9a-f]{16}$/.test(value)) return knownBeginning(value)
    // It may come before the terms are read
    const beginning = /^[0-9a-f]{64}$/.test(value) ? known.get(value.slice(0, 16)) : undefined
    if (beginning !== undefined) return beginning + drawn(48, '0123456789abcdef')
    // A quote means JSON, from which the core extracts nothing
    const account = /^([^:\s"]+:[^:\s/"]+):([^:\s"]+)$/.exec(value)
    return account?.[1] !== undefined && account[2] !== undefined && !value.includes('://')
      ? `${name(account[1])}:${of(account[2])}`
      : undefined
  }

  /** @returns the start of the token of a hash that starts so: a memo names terms by the start of their hash */
  function beginningOf(part: string): string {
    return knownBeginning(part) ?? of(part)
  }

  function knownBeginning(part: string): string | undefined {
    for (const [value, token] of known)
      if (value.length === 64 && value.startsWith(part)) return token.slice(0, part.length)
    return undefined
  }

  /** A chain keeps its public namespace, because the core reads that. */
  function name(value: string): string {
    if (isPublicName(value) || publics.has(value)) return value
    const colon = value.indexOf(':')
    if (colon >= 0) return `${name(value.slice(0, colon))}:${namePart(value.slice(colon + 1), 12)}`
    return namePart(value, 8)
  }

  function namePart(value: string, length: number): string {
    let token = known.get(value)
    while (token === undefined) {
      const made = drawn(length, letters)
      if (!taken.has(made)) token = made
    }
    taken.add(token)
    known.set(value, token)
    return token
  }

  function alike(value: string): string {
    // Where it expects one line, the core checks for a second
    if (/[\r\n]/.test(value)) return `${free()}\n${free()}`
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return `https://${drawn(10, letters)}.example/`
    if (/^[^@\s]+@[^@\s]+$/.test(value)) return `${drawn(10, letters)}@token.example`
    if (/^0x[0-9a-f]{8,}$/i.test(value)) return `0x${drawn(value.length - 2, '0123456789abcdef')}`
    if (/^[0-9]{8,}$/.test(value)) return drawn(1, '123456789') + drawn(value.length - 1, '0123456789')
    if (/^[0-9a-f]{8,}$/.test(value)) return drawn(value.length, '0123456789abcdef')
    if (/^[0-9A-F]{8,}$/.test(value)) return drawn(value.length, '0123456789ABCDEF')
    const bytes = value.length >= 20 ? decodeBase58(value) : undefined
    return bytes ? encodeBase58(bytes.map((_, at) => (at === 0 ? 1 + draw(255) : draw(256)))) : free()
  }

  function free(): string {
    return `text-${drawn(12, letters)}`
  }

  function within(text: string): string {
    if (text.length < 32) return text
    const token = (word: string) => known.get(word) ?? word
    return text.replace(longWords, token).replace(lastWord, token)
  }

  function said(sentence: string): string {
    return within(sentence.replace(hashes, of))
  }

  return { of, name, within, said }
}
