import { Fault } from '../../../runtime/failure.ts'
import type { InputData } from '../../core/context.ts'
import { cleanText, protocolName } from '../../../events/values/text/cleanText.ts'
import { publicUrl } from '../../../events/values/publicUrl.ts'
import { fromBase64 } from '../crypto/base64.ts'
import { changedChain } from '../session/changedChain.ts'
import { internalErrors, type WireError } from './errors.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { memberLiterals, memberText, withoutBlanks } from '../../../runtime/json/jsonMembers.ts'
import { parsePayload } from './jsonrpc.ts'
import { readAuthAnswer } from '../auth/authPayload.ts'
import { type Metadata, readApproval, readEvent, readSettlement, readUpdate } from '../session/payloads.ts'
import { plainWords } from './peerErrors.ts'

export type IncomingPayload = InputData<'relay.message'>['payload']

/** The fields of a wallet's payload that the core decides on; `transaction` are the signed bytes, which bypass the core. */
type Incoming = {
  payload: IncomingPayload
  transaction?: Uint8Array
  /** unread CACAOs of one-click auth; `auth/cacao.ts` reads them */
  cacaos?: unknown
}

type Subscriptions = {
  /** whether a page sent the request with this id: its answer is forwarded unparsed, as JSON text */
  isOfPage: (id: string) => boolean
  /** whether a page subscribes to events of this name on the message's topic */
  isSubscribed: (event: string) => boolean
}

/** Events of every chain, which some wallets send without approving them by name. */
const ofEveryChain: readonly string[] = ['accountsChanged', 'chainChanged']

/**
 * Reduces an opened payload to its fields. Payloads of unsupported methods and events are dropped; the name remains.
 *
 * @param text the JSON-RPC text inside an envelope
 * @param heard the pages' pending requests and subscriptions
 * @returns a payload of kind `unopened` when it is unreadable
 */
export function readIncoming(text: string, heard: Partial<Subscriptions> = {}): Incoming {
  const { isOfPage = () => false, isSubscribed = () => false } = heard
  try {
    return read(text, { isOfPage, isSubscribed: isSubscribed })
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { id } = cause.facts ?? {}
    return unopened(cause.message, typeof id === 'string' ? id : idIn(text))
  }
}

/** The id of an otherwise unreadable payload, so that its request fails instead of waiting. */
function idIn(text: string): string | undefined {
  try {
    const [literal = '', ...more] = memberLiterals(text, 'id')
    return more.length === 0 && /^\d{1,40}$/.test(literal) ? literal : undefined
  } catch {
    return undefined
  }
}

/** The payload of a message that cannot be opened or read. */
export function unopened(message: string, id = '0'): Incoming {
  return { payload: { kind: 'unopened', id, error: { code: 0, message: message.slice(0, 300) } } }
}

function read(text: string, { isOfPage, isSubscribed }: Subscriptions): Incoming {
  const message = parsePayload(text)
  const { id } = message
  if (message.kind !== 'request' && id !== null && isOfPage(id)) {
    // Verbatim: parsing and serializing would round integers beyond 2^53
    const answer = withoutBlanks(memberText(text, message.kind) ?? 'null')
    if (message.kind === 'result') return { payload: { kind: 'result', id, answer } }
    return { payload: { kind: 'error', id, error: errorIn(message.error), answer } }
  }
  switch (message.kind) {
    case 'error':
      return {
        payload: {
          kind: 'error',
          id: message.id ?? '0',
          error: errorIn(message.error),
        },
      }
    case 'result':
      return readResult(message.id, message.result)
    case 'request':
      // Our answer echoes the id's literal, digits or quoted text
      return { payload: readRequest({ ...message, id: message.echo }, text, isSubscribed) }
  }
}

function errorIn({ code, message }: WireError): NonNullable<IncomingPayload['error']> {
  return { code: whole(code), message: plainWords(message) }
}

function whole(code: number | undefined): number {
  return code !== undefined && Number.isSafeInteger(code) ? code : 0
}

function readResult(id: string, result: unknown): Incoming {
  if (result === true) return { payload: { kind: 'result', id, acknowledged: true } }
  if (typeof result === 'string') return { payload: { kind: 'result', id, ...signatureIn(result) } }
  if (!isRecord(result)) return { payload: { kind: 'result', id } }
  if (typeof result.responderPublicKey === 'string')
    return { payload: { kind: 'result', id, responderKey: readApproval(result).responderPublicKey } }
  if ('cacaos' in result) return readAuthResult(id, result)
  const payload: IncomingPayload = { kind: 'result', id, ...signatureIn(result.signature) }
  const transaction = typeof result.transaction === 'string' ? transactionIn(result.transaction, payload) : undefined
  return { payload, ...(transaction && { transaction }) }
}

/** @throws Fault `bad_response` when it is not base64, unless a signature comes with it: some wallets encode otherwise */
function transactionIn(text: string, { id, signature }: IncomingPayload): Uint8Array | undefined {
  try {
    return fromBase64(text, 'signed transaction')
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    if (signature === undefined) throw new Fault('bad_response', cause.message, { id })
    return undefined
  }
}

/** An unreadable auth result becomes a `problem`, so that its request fails instead of waiting. */
function readAuthResult(id: string, result: Readonly<Record<string, unknown>>): Incoming {
  try {
    const { responderKey, metadata, cacaos } = readAuthAnswer(result)
    return { payload: { kind: 'result', id, responderKey, peer: peerOf(metadata), ...linksOf(metadata) }, cacaos }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    return { payload: { kind: 'result', id, problem: cause.message } }
  }
}

function linksOf({ redirect }: Metadata): Pick<IncomingPayload, 'redirect'> {
  return redirect ? { redirect } : {}
}

function peerOf({ name, url, description, icons }: Metadata): NonNullable<IncomingPayload['peer']> {
  const address = (given: string) => cleanText(publicUrl(given), longestAddress)
  return {
    name: cleanText(name, 100),
    url: address(url),
    description: cleanText(description, 500),
    icons: icons.map(address),
  }
}

/** 64 bytes in base58; any other text is useless and may be a secret of the wallet. */
function signatureIn(given: unknown): { signature?: string } {
  return typeof given === 'string' && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(given) ? { signature: given } : {}
}

function readRequest(
  { id, method, params }: { id: string; method: string; params: unknown },
  whole: string,
  isSubscribed: Subscriptions['isSubscribed'],
): IncomingPayload {
  switch (method) {
    case 'wc_sessionSettle': {
      const settlement = attempted(() => readSettlement(params))
      if ('error' in settlement) return { kind: 'settle', id, ...settlement }
      const { namespaces, controller, expiry, sessionProperties, scopedProperties, disableDeepLink } = settlement
      return {
        kind: 'settle',
        id,
        namespaces: plain(namespaces),
        peer: peerOf(controller.metadata),
        ...linksOf(controller.metadata),
        controllerKey: controller.publicKey,
        expiresAt: expiry * 1000,
        ...(sessionProperties && { sessionProperties }),
        ...(scopedProperties && { scopedProperties }),
        ...(disableDeepLink && { disableDeepLink }),
      }
    }
    case 'wc_sessionUpdate': {
      const update = attempted(() => ({ namespaces: plain(readUpdate(params)) }))
      return { kind: 'update', id, ...update }
    }
    case 'wc_sessionExtend':
      // The params' members are not read, but anything other than an object is malformed
      return params === null || isRecord(params) ? { kind: 'extend', id } : { kind: 'extend', id, error: malformed() }
    case 'wc_sessionEvent': {
      const { name, data, chainId } = readEvent(params)
      const isHeard = ofEveryChain.includes(name) || isSubscribed(name)
      const text = withoutBlanks(memberText(whole, 'params', 'event', 'data') ?? 'null')
      if (isHeard && text.length > longestEvent)
        throw new Fault('bad_response', `session event expected at most ${longestEvent} characters, got ${text.length}`)
      const accounts = name === 'accountsChanged' && Array.isArray(data) ? { accounts: addresses(data) } : {}
      const chain = name === 'chainChanged' ? changedChain(data, chainId) : undefined
      return {
        kind: 'event',
        id,
        event: protocolName(name),
        chainId: protocolName(chainId),
        ...accounts,
        ...(chain === undefined ? {} : { chain }),
        ...(isHeard && { data: text }),
      }
    }
    case 'wc_sessionDelete':
      return { kind: 'delete', id }
    case 'wc_sessionPing':
      return { kind: 'ping', id }
    case 'wc_pairingDelete':
      return { kind: 'pairingDelete', id }
    case 'wc_pairingPing':
      return { kind: 'pairingPing', id }
    default:
      return { kind: 'request', id, method: protocolName(method) }
  }
}

/** Longest URL of a peer's site or icon, characters. */
const longestAddress = 2048
/** Longest JSON text of an event's data, UTF-16 units. */
const longestEvent = 65_536

/** Turns a Fault into an error for the payload, so that the wallet's request gets an answer. */
function attempted<T extends object>(read: () => T): T | { error: { code: number; message: string } } {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { wcCode } = cause.facts ?? {}
    return { error: malformed(typeof wcCode === 'number' ? wcCode : undefined) }
  }
}

/** The error of a malformed request; it quotes nothing of it. */
function malformed(code: number = internalErrors.MISSING_OR_INVALID.code): { code: number; message: string } {
  return { code, message: '' }
}

/** Addresses of an accountsChanged event: CAIP-10 accounts, or bare addresses from some wallets. */
function addresses(data: readonly unknown[]): string[] {
  return data
    .filter(account => typeof account === 'string')
    .slice(0, 100)
    .map(account => account.slice(account.lastIndexOf(':') + 1, 200))
}

function plain(namespaces: ReturnType<typeof readUpdate>): NonNullable<IncomingPayload['namespaces']> {
  const copy: NonNullable<IncomingPayload['namespaces']> = {}
  for (const [key, { chains, accounts, methods, events }] of Object.entries(namespaces)) {
    copy[key] = {
      ...(chains ? { chains: [...chains] } : {}),
      accounts: [...accounts],
      methods: methods.map(protocolName),
      events: events.map(protocolName),
    }
  }
  return copy
}
