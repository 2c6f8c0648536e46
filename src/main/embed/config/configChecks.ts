/** Checks of a host's config. Each throws Fault `bad_input` with the key, what was expected and what came. */
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { isSaleId } from '../../../events/sale/terms/saleId.ts'
import { isUniversal } from '../../../events/values/universalLink.ts'
import { listedUrls } from '../../page/integrity/listedUrls.ts'

/** Checks one value. @param key path of the value, for the error. @throws Fault `bad_input` */
export type ConfigCheck = (value: unknown, key: string) => void

/** Most addresses of one service. */
const mostListed = 10

/** @returns the Fault for a value; the values of services are not quoted, as they may carry a key */
export function wrong(key: string, expected: string, got: unknown): Fault {
  const came =
    typeof got === 'string'
      ? /^(?:addresses\.|projectId|walletConnect\.(?:verify|evm))/.test(key)
        ? `text of ${got.length} characters`
        : `"${got.slice(0, 60)}"`
      : got === null
        ? 'null'
        : Array.isArray(got)
          ? 'a list'
          : typeof got
  const plain = typeof got === 'number' || typeof got === 'boolean' ? String(got) : came
  return new Fault('bad_input', `createModal: ${key} expected ${expected}, got ${plain}`)
}

/** Runs a check whose sentence names this method instead of `createModal`. @throws Fault `bad_input` */
export function inNameOf(method: string, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw cause instanceof Fault ? new Fault(cause.code, cause.message.replace('createModal', method)) : cause
  }
}

/** Checks an object: only these keys, each with a valid value. A key that is undefined counts as absent. */
export function known(value: unknown, key: string, table: Record<string, ConfigCheck>): void {
  if (!isRecord(value)) throw wrong(key, 'an object', value)
  for (const [name, part] of Object.entries(value)) {
    const path = key === 'config' ? name : `${key}.${name}`
    const check = Object.hasOwn(table, name) ? table[name] : undefined
    if (!check) {
      const names = Object.keys(table).join(', ')
      throw new Fault('bad_input', `createModal: ${key} expected only the keys ${names}, got ${name.slice(0, 60)}`)
    }
    if (part !== undefined) check(part, path)
  }
}

/**
 * Reads an object whose faults cost only the key that has them.
 *
 * @param rules the checks; `strict` keys throw; the fields of `inParts` are judged one by one
 * @param tell gets a sentence for each key that is left out
 * @returns a copy of the valid keys
 * @throws Fault `bad_input` for another value than an object, and for a strict key
 */
export function fitting(
  value: unknown,
  key: string,
  rules: {
    checks: Record<string, ConfigCheck>
    strict?: readonly string[]
    inParts?: Record<string, Record<string, ConfigCheck>>
  },
  tell: (sentence: string) => void,
): Record<string, unknown> {
  if (!isRecord(value)) throw wrong(key, 'an object', value)
  const { checks, strict = [], inParts = {} } = rules
  const kept: [string, unknown][] = []
  for (const [name, part] of Object.entries(value)) {
    if (part === undefined) continue
    const path = key === 'config' ? name : `${key}.${name}`
    try {
      const fields = isRecord(part) && Object.hasOwn(inParts, name) ? inParts[name] : undefined
      known({ [name]: fields ? {} : part }, key, checks)
      kept.push([name, fields ? fitting(part, path, { checks: fields }, tell) : part])
    } catch (cause) {
      if (strict.includes(name) || !(cause instanceof Fault)) throw cause
      tell(`${cause.message}; it is left out`)
    }
  }
  return Object.fromEntries(kept)
}

/** Requires a key of an object that `known` has checked. */
export function present(value: object, name: string, key: string): void {
  if ((value as Record<string, unknown>)[name] === undefined) throw wrong(key, 'a value', undefined)
}

/** @returns a check for text of `least` to `most` characters */
export function boundedText(least: number, most: number): ConfigCheck {
  return (value, key) => {
    if (typeof value !== 'string' || value.length < least || value.length > most)
      throw wrong(key, `text of ${least} to ${most} characters`, value)
  }
}

/** A check for a BCP 47 tag, by its form. */
export const languageTag: ConfigCheck = (value, key) => {
  const [first = '', ...others] = typeof value === 'string' ? value.split('-', 10) : []
  if (!/^[a-z]{2,8}$/i.test(first) || others.length > 8 || !others.every(part => /^[a-z0-9]{1,8}$/i.test(part)))
    throw wrong(key, 'a language tag such as de or ar-EG', value)
}

/** @returns a check for one of these values */
export function oneOf(...allowed: (string | boolean)[]): ConfigCheck {
  return (value, key) => {
    if (!allowed.includes(value as string)) throw wrong(key, allowed.join(' or '), value)
  }
}

/** @returns a check for a whole number in this range */
export function wholeBetween(least: number, most: number): ConfigCheck {
  return (value, key) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      throw wrong(key, `a whole number from ${least} to ${most}`, value)
  }
}

/** Checks an element of the page. */
export function elementCheck(value: unknown, key: string): void {
  if (!(value instanceof HTMLElement)) throw wrong(key, 'an element of the page', value)
}

/** @returns a check for a list of at most `most` valid members */
export function listOf(member: ConfigCheck, most: number): ConfigCheck {
  return (value, key) => {
    if (!Array.isArray(value) || value.length > most) throw wrong(key, `a list of at most ${most}`, value)
    for (const [at, one] of value.entries()) member(one, `${key}[${at}]`)
  }
}

/** Checks an http(s) address. */
export function address(value: unknown, key: string): void {
  if (!hasProtocol(value, ['https:', 'http:'])) throw wrong(key, 'an address that begins with https: or http:', value)
}

/** Checks the address of a service; relays and Solana endpoints may be several, with commas between them. */
export function service(value: unknown, key: string): void {
  const ofRelay = key.endsWith('relayUrl')
  if (!ofRelay && !key.endsWith('solanaRpcUrl')) return address(value, key)
  const urls = typeof value === 'string' ? listedUrls(value) : []
  const protocols = ofRelay ? ['wss:', 'ws:'] : ['https:', 'http:']
  if (urls.length < 1 || urls.length > mostListed || !urls.every(url => hasProtocol(url, protocols)))
    throw wrong(
      key,
      `an address that begins with ${protocols.join(' or ')}, or up to ${mostListed} of them with commas between them`,
      value,
    )
}

/** Checks a Solana address. */
export function solanaKey(value: unknown, key: string): void {
  if (typeof value !== 'string' || !isSolanaAddress(value)) throw wrong(key, 'base58 of 32 bytes', value)
}

/** Checks the id of a sale. */
export function saleId(value: unknown, key: string): void {
  if (!isSaleId(value)) throw wrong(key, '3 to 32 of a-z, 0-9 and -', value)
}

/** Checks the base address of an app's links or of a service: https, and nothing after the path. */
export function universal(value: unknown, key: string): void {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value) || !isUniversal(value))
    throw wrong(key, 'an address that begins with https: and has no query, fragment or user', value)
}

/** @returns whether a value is an address of at most 2000 characters with one of these protocols, such as `https:` */
export function hasProtocol(value: unknown, allowed: string[]): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 2000 &&
    URL.canParse(value) &&
    allowed.includes(new URL(value).protocol)
  )
}

/** Checks the value of a custom property. The CSSOM sets it, so it cannot close its rule; `url()` is refused, as it fetches. */
export function style(value: unknown, key: string): void {
  const fits = typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && plainStyle.test(value)
  if (!fits) throw wrong(key, 'a number or a CSS value without url() of at most 200 characters', value)
}
const plainStyle = /^(?!.*(?:url|image|src)\s*\()[^;{}<>\\@]{1,200}$/i
