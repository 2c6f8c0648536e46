/**
 * ReCaps: the last resource of a signed statement, which grants more than signing in. Under the resource `eip155`, the
 * abilities `request/<method>` are the methods a session may request; the wallet adds the chains to their limits.
 *
 * @see EIP-5573; WalletConnect specs, session authenticate
 */
import { Fault } from '../../../runtime/failure.ts'
import { fromBase64 } from '../crypto/base64.ts'
import { fromBase64url, fromUtf8, toBase64, toUtf8 } from '../crypto/encoding.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { writeJson } from '../relay/writeJson.ts'
import { isChainId } from '../session/namespaces.ts'

/** Limits by resource and ability (`request/eth_sendTransaction`). */
type Recap = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>

const prefix = 'urn:recap:'
const begins = 'I further authorize the stated URI to perform the following actions on my behalf: '

/** @returns the ReCap among resources; only the last resource can be one */
export function recapIn(resources: readonly string[] | undefined): string | undefined {
  const last = resources?.at(-1)
  return last?.startsWith(prefix) ? last : undefined
}

/**
 * @param methods at least one
 * @param before an earlier ReCap of the resources; its abilities are preserved
 * @returns the resource: sorted abilities, JSON in base64 without padding
 * @throws Fault `bad_response` when `before` is unreadable
 */
export function methodsRecap(methods: readonly string[], before?: string): string {
  const merged: Record<string, Record<string, readonly Json[]>> = {}
  const given = before === undefined ? {} : readRecap(before)
  for (const name of sorted(['eip155', ...Object.keys(given)])) merged[name] = { ...given[name] }
  const ours = (merged.eip155 ??= {})
  for (const method of methods) ours[`request/${method}`] = [{}]
  const att = Object.fromEntries(
    Object.entries(merged).map(([name, abilities]) => [
      name,
      Object.fromEntries(sorted(Object.keys(abilities)).map(ability => [ability, abilities[ability] ?? []])),
    ]),
  )
  return prefix + toBase64(toUtf8(writeJson({ att }, 'ReCap'))).replace(/=+$/, '')
}

/**
 * @param resource `urn:recap:` and base64 of the JSON, either alphabet, with or without padding
 * @throws Fault `bad_response` when it is malformed
 */
export function readRecap(resource: string): Recap {
  const value = readJson(textOf(resource.slice(prefix.length)), { name: 'ReCap' })
  const att = isRecord(value) ? value.att : undefined
  if (!isRecord(att) || Object.keys(att).length === 0) throw misshapen('att with a resource in it')
  for (const abilities of Object.values(att)) {
    if (!isRecord(abilities) || Object.keys(abilities).length === 0) throw misshapen('abilities under each resource')
    for (const limits of Object.values(abilities)) {
      if (!Array.isArray(limits) || limits.length === 0 || !limits.every(isRecord))
        throw misshapen('a list of limits under each ability')
    }
  }
  return att as Recap // the checks above verify the shape
}

/** @returns the methods and chains a ReCap grants, deduplicated; chains may be empty */
export function allowedBy(recap: Recap): { methods: string[]; chains: string[] } {
  const abilities = Object.entries(recap.eip155 ?? {}).filter(([ability]) => ability.startsWith('request/'))
  const chains = abilities.flatMap(([, [limits]]) =>
    isRecord(limits) && Array.isArray(limits.chains) ? limits.chains : [],
  )
  return {
    methods: [...new Set(abilities.map(([ability]) => ability.slice('request/'.length)))],
    chains: [...new Set(chains.filter(isChainId))],
  }
}

/** @returns the statement followed by the ReCap's permissions in words, unless it contains them already */
export function withAllowed(statement: string, recap: Recap): string {
  if (statement.includes(begins)) return statement
  let count = 0
  const parts = Object.entries(recap).map(([resource, abilities]) => {
    const pairs = Object.keys(abilities).map(ability => ability.split('/', 2) as [string, string?])
    const actions = new Map<string, string[]>()
    for (const [name, action = ''] of pairs.sort(([, a = ''], [, b = '']) => inOrder(a, b)))
      actions.set(name, [...(actions.get(name) ?? []), action])
    return [...actions]
      .map(([name, list]) => `(${++count}) '${name}': '${list.join("', '")}' for '${resource}'.`)
      .join(', ')
      .replace('.,', '.')
  })
  return `${statement === '' ? '' : `${statement} `}${begins}${parts.join(' ')}`
}

function textOf(encoded: string): string {
  const text = encoded.replace(/=+$/, '')
  try {
    if (/[-_]/.test(text)) return fromUtf8(fromBase64url(text, 'ReCap'), 'ReCap')
    return fromUtf8(fromBase64(text + '='.repeat((4 - (text.length % 4)) % 4), 'ReCap'), 'ReCap')
  } catch (cause) {
    throw cause instanceof Fault ? new Fault('bad_response', cause.message) : cause
  }
}

function misshapen(expected: string): Fault {
  return new Fault('bad_response', `ReCap expected ${expected}`)
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort(inOrder)
}

/** The order wallets use in the statement: by letters first, so `_` comes before `T`. */
function inOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en')
}
