/** Messages a wallet may send to a dapp (§9.3, §10, §14.3, §16.5), and their relevant parts. */
import { isRecord, type Wanted } from './wanted.ts'
import { isNull, type Reading, rpcOf } from './rpc.ts'
import { readableName } from './names.ts'
import { member, textIn, type Tree, wholeIn } from '../jsonTree.ts'
import { hasBlanks, hasLongNames, plainOf, sessionCode } from './namespaces.ts'

const unopened: Wanted = { kind: 'unopened' }

/** @returns the required reading of a payload; a plain one must not be called unreadable, any other may be */
export function payloadOf(text: string): Reading<Wanted> {
  const { says, isPlain } = rpcOf(text)
  if (!says) return { says: unopened, isPlain: true }
  if (says.kind === 'error') return { says: { kind: 'error', id: says.id ?? '0' }, isPlain }
  if (says.kind === 'result') return resultOf(says.id, says.result, isPlain)
  const wanted = requestOf(says.echo, says.method, says.params)
  return wanted
    ? { says: wanted, isPlain: isPlain && !isOdd(wanted, member(says.params, 'namespaces')) }
    : { says: unopened, isPlain: true }
}

function isOdd(wanted: Wanted, tree: Tree | undefined): boolean {
  // The original ones: those in `wanted` have readable names
  const namespaces = wanted.namespaces && tree && plainOf(tree)
  if (isRecord(namespaces) && (hasBlanks(namespaces) || hasLongNames(namespaces))) return true
  // Beyond the latest date
  return typeof wanted.expiresAt === 'number' && wanted.expiresAt > 8_640_000_000_000_000
}

function resultOf(id: string, result: Tree | undefined, isPlain: boolean): Reading<Wanted> {
  const key = member(result, 'responderPublicKey')
  if (key?.kind === 'text') {
    const isKey = /^[0-9a-f]{64}$/.test(key.value)
    return isKey
      ? { says: { kind: 'result', id, responderKey: key.value }, isPlain }
      : { says: unopened, isPlain: true }
  }
  // Readers of transactions judge the bytes of a signed one
  return { says: { kind: 'result', id }, isPlain: isPlain && textIn(member(result, 'transaction')) === undefined }
}

function requestOf(id: string, method: string, params: Tree | undefined): Wanted | undefined {
  switch (method) {
    case 'wc_sessionSettle':
      return settleOf(id, params) ?? malformed('settle', id)
    case 'wc_sessionUpdate': {
      const namespaces = namespacesOf(params)
      return namespaces ? { kind: 'update', id, namespaces } : malformed('update', id)
    }
    case 'wc_sessionEvent': {
      const event = textIn(member(member(params, 'event'), 'name'))
      const chainId = textIn(member(params, 'chainId'))
      if (event === undefined || !/^\S{1,100}$/.test(event) || chainId === undefined) return undefined
      // Names that reach into a prototype are refused
      if (['__proto__', 'constructor', 'prototype'].includes(event)) return undefined
      return { kind: 'event', id, event: readableName(event), chainId: readableName(chainId) }
    }
    case 'wc_sessionExtend':
      return params === undefined || isNull(params) || params.kind === 'object'
        ? { kind: 'extend', id }
        : malformed('extend', id)
    case 'wc_sessionDelete':
      return { kind: 'delete', id }
    case 'wc_sessionPing':
      return { kind: 'ping', id }
    case 'wc_pairingDelete':
      return { kind: 'pairingDelete', id }
    case 'wc_pairingPing':
      return { kind: 'pairingPing', id }
    default:
      return { kind: 'request', id, method: readableName(method) }
  }
}

/** The sender gets an answer that reports the malformed params. */
function malformed(kind: 'settle' | 'update' | 'extend', id: string): Wanted {
  return { kind, id, error: {} }
}

function settleOf(id: string, params: Tree | undefined): Wanted | undefined {
  const namespaces = namespacesOf(params)
  const controllerKey = textIn(member(member(params, 'controller'), 'publicKey'))
  const expiry = wholeIn(member(params, 'expiry'))
  if (textIn(member(member(params, 'relay'), 'protocol')) === undefined) return undefined
  if (!namespaces || controllerKey === undefined || !/^[0-9a-f]{64}$/i.test(controllerKey)) return undefined
  if (expiry === undefined || expiry < 0) return undefined
  return { kind: 'settle', id, controllerKey, expiresAt: expiry * 1000, namespaces }
}

function namespacesOf(params: Tree | undefined): Record<string, unknown> | undefined {
  const tree = member(params, 'namespaces')
  if (tree === undefined || isNull(tree)) return undefined
  const given = plainOf(tree)
  if (sessionCode(given) !== 0 || !isRecord(given)) return undefined
  return Object.fromEntries(
    Object.entries(given).map(([key, part]) => {
      const { accounts, methods, events } = part as Record<string, unknown>
      return [key, { accounts, methods: readable(methods), events: readable(events) }]
    }),
  )
}

function readable(names: unknown): unknown {
  return Array.isArray(names) ? names.map(name => (typeof name === 'string' ? readableName(name) : name)) : names
}
