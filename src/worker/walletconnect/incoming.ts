import { Fault } from '../../events/failure.ts'
import type { InputData } from '../context.ts'
import { publicUrl } from '../../events/values/publicUrl.ts'
import { fromBase64 } from './base64.ts'
import type { RpcError } from './errors.ts'
import { isRecord } from './isRecord.ts'
import { readJson } from './json.ts'
import { parsePayload } from './jsonrpc.ts'
import { readEvent, readSettlement, readUpdate } from './payloads.ts'
import { plainWords } from './peerErrors.ts'

export type IncomingPayload = InputData<'relay.message'>['payload']

/** A wallet's payload in the fields the core decides on; `transaction` are the bytes it signed, which go elsewhere. */
export type Incoming = { payload: IncomingPayload; transaction?: Uint8Array }

/**
 * Reduces an opened payload to its fields. What a method of nobody's carries is dropped, its name is kept.
 *
 * @param text the JSON-RPC text inside an envelope
 * @param isOfPage whether a page asked what has this id: its answer is kept as it is, as JSON text
 * @returns a payload of kind `unopened` when it cannot be read
 */
export function readIncoming(text: string, isOfPage: (id: string) => boolean = () => false): Incoming {
  try {
    return read(text, isOfPage)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { id } = cause.facts ?? {}
    return unopened(cause.message, typeof id === 'string' ? id : undefined)
  }
}

/** The payload of a message that could not be opened or read. */
export function unopened(message: string, id = '0'): Incoming {
  return { payload: { kind: 'unopened', id, error: { code: 0, message: message.slice(0, 300) } } }
}

function read(text: string, isOfPage: (id: string) => boolean): Incoming {
  const message = parsePayload(text)
  const { id } = message
  if (message.kind !== 'request' && id !== null && isOfPage(id)) {
    const given = readJson(text, 'wc payload') as { result?: unknown; error?: unknown }
    const answer = JSON.stringify((message.kind === 'error' ? given.error : given.result) ?? null)
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
      return { payload: readRequest(message.id, message.method, message.params) }
  }
}

function errorIn({ code, message }: RpcError): NonNullable<IncomingPayload['error']> {
  return { code: whole(code), message: plainWords(message) }
}

function whole(code: number | undefined): number {
  return code !== undefined && Number.isSafeInteger(code) ? code : 0
}

function readResult(id: string, result: unknown): Incoming {
  if (result === true) return { payload: { kind: 'result', id, acknowledged: true } }
  if (typeof result === 'string') return { payload: { kind: 'result', id, ...signatureIn(result) } }
  if (!isRecord(result)) return { payload: { kind: 'result', id } }
  if (typeof result.responderPublicKey === 'string') {
    if (!/^[0-9a-f]{64}$/.test(result.responderPublicKey))
      throw new Fault('bad_response', 'proposal answer expected responderPublicKey of 64 hex digits')
    return { payload: { kind: 'result', id, responderKey: result.responderPublicKey } }
  }
  const payload: IncomingPayload = { kind: 'result', id, ...signatureIn(result.signature) }
  if (typeof result.transaction !== 'string') return { payload }
  return { payload, transaction: fromBase64(result.transaction, 'signed transaction') }
}

/** 64 bytes in base58; any other text may be a secret of the wallet's, and would be of no use. */
function signatureIn(given: unknown): { signature?: string } {
  return typeof given === 'string' && /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(given) ? { signature: given } : {}
}

function readRequest(id: string, method: string, params: unknown): IncomingPayload {
  switch (method) {
    case 'wc_sessionSettle': {
      const { namespaces, controller, expiry } = readSettlement(params)
      const { name, url, description, icons } = controller.metadata
      return {
        kind: 'settle',
        id,
        namespaces: plain(namespaces),
        peer: { name: name.slice(0, 100), url: publicUrl(url), description, icons: icons.map(publicUrl) },
        controllerKey: controller.publicKey,
        expiresAt: expiry * 1000,
      }
    }
    case 'wc_sessionUpdate':
      return { kind: 'update', id, namespaces: plain(readUpdate(params)) }
    case 'wc_sessionExtend':
      return { kind: 'extend', id }
    case 'wc_sessionEvent': {
      const { name, data, chainId } = readEvent(params)
      const accounts = name === 'accountsChanged' && Array.isArray(data) ? { accounts: addresses(data) } : {}
      return { kind: 'event', id, event: name.slice(0, 100), chainId: chainId.slice(0, 100), ...accounts }
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
      return { kind: 'request', id, method: method.slice(0, 100) }
  }
}

/** Addresses of an accountsChanged event: CAIP-10 accounts or, from some wallets, bare addresses. */
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
      methods: [...methods],
      events: [...events],
    }
  }
  return copy
}
