import { Fault } from '../../../runtime/failure.ts'
import type { Redirect } from '../../../events/schema/fields.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import type { Json } from '../../../runtime/json/readJson.ts'
import { wcRequest } from '../relay/jsonrpc.ts'
import { sessionProblem } from './namespaceChecks.ts'
import { isUniversal } from '../../../events/values/universalLink.ts'
import { isChainId, type ProposedNamespaces, type SessionNamespaces } from './namespaces.ts'

/**
 * The wc payloads of a dapp: serialized requests, and readers of the wallet's payloads. Members are in the order of the
 * official client, as a wallet hashes the text to look up its attestation.
 *
 * @see WalletConnect specs, sign rpc methods
 */

export type Metadata = {
  readonly name: string
  readonly description: string
  /** the page's real origin; wallets verify it */
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: Redirect
}

type ProposalRequest = {
  readonly id: number
  readonly pairingTopic: string
  /** X25519, hex, a new one for each proposal */
  readonly publicKey: string
  readonly metadata: Metadata
  readonly optionalNamespaces: ProposedNamespaces
  /** Unix seconds */
  readonly expiryTimestamp: number
  readonly sessionProperties?: Readonly<Record<string, string>>
  readonly scopedProperties?: Readonly<Record<string, Json>>
}

/** All namespaces are optional; the granted ones are checked after the settlement. */
export function proposePayload(proposal: ProposalRequest): string {
  const { id, pairingTopic, publicKey, metadata, optionalNamespaces, expiryTimestamp } = proposal
  const { sessionProperties, scopedProperties } = proposal
  return wcRequest(id, 'wc_sessionPropose', {
    requiredNamespaces: {},
    optionalNamespaces: asJson(optionalNamespaces),
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey, metadata },
    expiryTimestamp,
    pairingTopic,
    ...(sessionProperties ? { sessionProperties } : {}),
    ...(scopedProperties ? { scopedProperties } : {}),
    id,
  })
}

type SessionRequest = {
  readonly id: number
  /** CAIP-2, an approved chain */
  readonly chainId: string
  /** `solana_signTransaction`, … */
  readonly method: string
  readonly params: Json
  /** Unix seconds */
  readonly expiryTimestamp: number
}

export function requestPayload(request: SessionRequest): string {
  const { id, chainId, method, params, expiryTimestamp } = request
  return wcRequest(id, 'wc_sessionRequest', { request: { method, params, expiryTimestamp }, chainId })
}

/**
 * A wallet's approval of a proposal.
 *
 * @returns its X25519 public key, hex; the session's key derives from it
 * @throws Fault `bad_response`
 */
export function readApproval(result: unknown): { responderPublicKey: string } {
  const key = isRecord(result) ? result.responderPublicKey : undefined
  if (!isKey(key) || key !== key.toLowerCase())
    throw new Fault('bad_response', 'proposal answer expected responderPublicKey of 64 lower-case hex digits')
  return { responderPublicKey: key }
}

/** The last moment of a JavaScript date, Unix seconds. */
const latestSecond = 8_640_000_000_000

type Settlement = {
  readonly namespaces: SessionNamespaces
  readonly controller: { readonly publicKey: string; readonly metadata: Metadata }
  /** Unix seconds */
  readonly expiry: number
  readonly sessionProperties?: Record<string, string>
  /** JSON text by key */
  readonly scopedProperties?: Record<string, string>
  readonly disableDeepLink?: true
}

/**
 * @throws Fault `bad_response` when a part is missing or malformed. The caller checks that the controller is the responder,
 *   the expiry is ahead and a proposed chain has an account
 */
export function readSettlement(params: unknown): Settlement {
  const { relay, namespaces, controller, expiry, sessionConfig, ...given } = members(params, 'settlement')
  if (!isRecord(relay) || typeof relay.protocol !== 'string') {
    throw new Fault('bad_response', 'settlement expected relay.protocol to be text')
  }
  if (!isRecord(controller) || !isKey(controller.publicKey)) {
    throw new Fault('bad_response', 'settlement expected controller.publicKey of 64 hex digits')
  }
  if (typeof expiry !== 'number' || !Number.isSafeInteger(expiry) || expiry < 0 || expiry > latestSecond) {
    throw new Fault('bad_response', `settlement expected expiry in whole Unix seconds below ${latestSecond}`)
  }
  return {
    namespaces: requireNamespaces(namespaces, 'onSessionSettleRequest()'),
    controller: { publicKey: controller.publicKey, metadata: readMetadata(controller.metadata) },
    expiry,
    ...propertiesIn(given),
    ...(isRecord(sessionConfig) && sessionConfig.disableDeepLink === true && { disableDeepLink: true }),
  }
}

/** Most properties of a settlement, and the longest name (an account has at most 170) and value, UTF-16 units. */
const most = { properties: 100, name: 200, text: 4096, json: 65_536 }

/** Properties the wallet attached to the session. Unusable ones are dropped, as they are optional. */
function propertiesIn({ sessionProperties, scopedProperties }: Readonly<Record<string, unknown>>): {
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, string>
} {
  const plain = textProperties(sessionProperties, value => (typeof value === 'string' ? value : undefined), most.text)
  const scoped = textProperties(scopedProperties, value => JSON.stringify(value), most.json)
  return { ...(plain && { sessionProperties: plain }), ...(scoped && { scopedProperties: scoped }) }
}

function textProperties(
  given: unknown,
  textOf: (value: unknown) => string | undefined,
  longest: number,
): Record<string, string> | undefined {
  if (!isRecord(given)) return undefined
  const entries = Object.entries(given).flatMap(([name, value]): [string, string][] => {
    const text = value === null || name.length > most.name ? undefined : textOf(value)
    return text === undefined || text.length > longest ? [] : [[name, text]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries.slice(0, most.properties))
}

/** @returns the complete new namespaces. @throws Fault `bad_response` */
export function readUpdate(params: unknown): SessionNamespaces {
  return requireNamespaces(members(params, 'session update').namespaces, 'update()')
}

/** @returns a wallet's event with its data unchecked. @throws Fault `bad_response` */
export function readEvent(params: unknown): { name: string; data: unknown; chainId: string } {
  const { event, chainId } = members(params, 'session event')
  if (
    !isRecord(event) ||
    typeof event.name !== 'string' ||
    !/^(?!(__proto__|constructor|prototype)$)\S{1,100}$/.test(event.name)
  ) {
    throw new Fault('bad_response', 'session event expected event.name to be 1 to 100 characters of text')
  }
  if (typeof chainId !== 'string') throw new Fault('bad_response', 'session event expected chainId to be text')
  return { name: event.name, data: event.data ?? null, chainId }
}

/** A wallet's metadata; missing parts are empty, as wallets omit some. Never throws. */
export function readMetadata(value: unknown): Metadata {
  const given = isRecord(value) ? value : {}
  const text = (part: unknown) => (typeof part === 'string' ? part.slice(0, 2_000) : '')
  const icons = Array.isArray(given.icons) ? given.icons.filter(icon => typeof icon === 'string').slice(0, 8) : []
  const redirect = isRecord(given.redirect) ? readRedirect(given.redirect) : undefined
  return {
    name: text(given.name),
    description: text(given.description),
    url: text(given.url),
    icons: icons.map(text),
    ...(redirect && { redirect }),
  }
}

/** Drops links that open no app. */
function readRedirect({ native, universal, linkMode }: Readonly<Record<string, unknown>>): Redirect | undefined {
  const isScheme = typeof native === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(native) && native.length <= 300
  const isLink = typeof universal === 'string' && universal.length <= 300 && isUniversal(universal)
  if (!isScheme && !isLink) return undefined
  return {
    ...(isScheme && { native }),
    ...(isLink && { universal }),
    ...(isLink && linkMode === true && { linkMode: true as const }),
  }
}

function requireNamespaces(given: unknown, context: string): SessionNamespaces {
  const problem = sessionProblem(given, context)
  // The official text quotes the peer's value
  if (problem)
    throw new Fault('bad_response', `${context} expected namespaces of their form, got error ${problem.code}`, {
      wcCode: problem.code,
    })
  const checked = given as SessionNamespaces // `sessionProblem` checked it, but for `chains`
  const names = Object.entries(checked).flatMap(([key, { accounts, methods, events }]) => [
    key,
    ...accounts,
    ...methods,
    ...events,
  ])
  if (names.some(name => name.length > most.name))
    throw new Fault('bad_response', `${context} expected accounts and names of at most ${most.name} characters`)
  return Object.fromEntries(
    Object.entries(checked).map(([key, { chains, accounts, methods, events }]) => [
      key,
      { ...(Array.isArray(chains) ? { chains: chains.filter(isShortChain) } : {}), methods, events, accounts },
    ]),
  )
}

function isShortChain(chain: unknown): chain is string {
  return isChainId(chain) && chain.length <= most.name
}

function asJson(namespaces: ProposedNamespaces): Json {
  return Object.fromEntries(
    Object.entries(namespaces).map(([key, { chains, methods, events }]) => [
      key,
      { ...(chains ? { chains } : {}), methods, events },
    ]),
  )
}

function members(params: unknown, name: string): Readonly<Record<string, unknown>> {
  if (isRecord(params)) return params
  throw new Fault('bad_response', `${name} expected params to be an object`)
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)
}
