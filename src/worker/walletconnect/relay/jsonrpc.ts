import { Fault } from '../../../events/failure.ts'
import { type RpcError } from './errors.ts'
import { readRpcError } from './peerErrors.ts'
import { isRecord } from '../isRecord.ts'
import { type Json, memberLiterals, readJson, writeJson } from './json.ts'

/**
 * JSON-RPC 2.0 as both layers use it: frames between us and the relay, and the wc payloads inside envelopes.
 * An id is text here. Relay ids have 19 digits, more than a number holds; `id` is what to compare, `echo` is the
 * literal as it came, number or string, to be written into the answer digit for digit.
 */

export type RpcMessage =
  | {
      readonly kind: 'request'
      readonly id: string
      readonly echo: string
      readonly method: string
      readonly params: unknown
    }
  | { readonly kind: 'result'; readonly id: string; readonly result: unknown }
  /** `id` is null when the other side could not read the request's */
  | { readonly kind: 'error'; readonly id: string | null; readonly error: RpcError }

/** A message that the relay delivers. It is acknowledged by `answerTrue(echo)` once it is stored. */
export type Push = {
  readonly kind: 'push'
  readonly id: string
  readonly echo: string
  readonly subscriptionId: string
  readonly topic: string
  /** envelope; may be empty, then there is nothing to open */
  readonly message: string
  /** ms since the Unix epoch */
  readonly publishedAt: number | null
  readonly tag: number | null
  readonly attestation: string | null
}

/** What a push carries. */
export type Delivered = Pick<Push, 'topic' | 'message' | 'publishedAt' | 'tag' | 'attestation'>

type RelayFrame = RpcMessage | Push

/**
 * Reads one text frame from the relay.
 *
 * @param data what the socket gave
 * @returns a push, an answer to one of our requests, or another request, which gets no answer
 * @throws Fault `bad_response`; when the frame is a push that is malformed but has an id, `facts.echo` holds it: such a
 *   push is acknowledged too, or the relay would deliver it for ever
 */
export function parseRelayFrame(data: unknown): RelayFrame {
  const message = parse(data, 'relay frame', longestFrame)
  if (message.kind !== 'request' || message.method !== 'irn_subscription') return message
  const { params, id, echo } = message
  const refuse = (member: string, expected: string) =>
    new Fault('bad_response', `relay push expected ${member} to be ${expected}`, { echo })
  if (!isRecord(params) || typeof params.id !== 'string') throw refuse('params.id', 'text')
  return { kind: 'push', id, echo, subscriptionId: params.id, ...readDelivered(params.data, refuse) }
}

/**
 * Reads one message as a push or an answer to a fetch has it.
 *
 * @param refuse makes the fault for a member that is not what was expected
 */
export function readDelivered(given: unknown, refuse: (member: string, expected: string) => Fault): Delivered {
  const pushed = isRecord(given) ? given : {}
  if (typeof pushed.topic !== 'string' || !isTopic(pushed.topic)) throw refuse('topic', '64 hex digits')
  if (typeof pushed.message !== 'string') throw refuse('message', 'text')
  const publishedAt = pushed.publishedAt ?? null
  if (publishedAt !== null && !isCount(publishedAt)) throw refuse('publishedAt', 'whole ms')
  const tag = pushed.tag ?? null
  if (tag !== null && !isCount(tag)) throw refuse('tag', 'a whole number')
  const attestation = pushed.attestation ?? null
  if (attestation !== null && typeof attestation !== 'string') throw refuse('attestation', 'text')
  return { topic: pushed.topic, message: pushed.message, publishedAt, tag, attestation }
}

/**
 * Reads a wc payload, the text inside an envelope.
 *
 * @throws Fault `bad_response`; `facts.id` names the payload when it has an id but is neither request nor answer
 */
export function parsePayload(text: string): RpcMessage {
  return parse(text, 'wc payload')
}

/** @returns whether a text can be a topic: 64 lower-case hex digits */
export function isTopic(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * @param id digits; for the relay it becomes a string, in a wc payload a number
 * @returns a request, members in the order `id, jsonrpc, method, params`
 * @throws Fault `bad_input` when the params cannot be sent as they are
 */
export function relayRequest(id: string, method: string, params: Json): string {
  return request(`"${requireDigits(id)}"`, method, params)
}

/** As `relayRequest`, for the payload inside an envelope. */
export function wcRequest(id: number, method: string, params: Json): string {
  return request(requireDigits(String(id)), method, params)
}

/** @returns the answer `true`: to a push, and to settle, update, extend and ping */
export function answerTrue(echo: string): string {
  return `{"id":${requireEcho(echo)},"jsonrpc":"2.0","result":true}`
}

/** @returns the answer to a wc request that was refused */
export function answerError(echo: string, error: Required<RpcError>): string {
  const body = writeJson({ code: error.code, message: error.message }, 'wc error')
  return `{"id":${requireEcho(echo)},"jsonrpc":"2.0","error":${body}}`
}

function request(id: string, method: string, params: Json): string {
  return `{"id":${id},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${writeJson(params, method)}}`
}

/** Longest frame read from a relay, UTF-16 units: one may hold a page of fetched messages. */
export const longestFrame = 4_194_304

function parse(data: unknown, name: string, longest?: number): RpcMessage {
  if (typeof data !== 'string') throw new Fault('bad_response', `${name} expected text, got ${typeof data}`)
  const value = readJson(data, name, longest)
  if (!isRecord(value)) throw new Fault('bad_response', `${name} expected an object, got another JSON value`)
  const echo = idLiteral(data, name)
  const about = echo === null ? {} : { id: echo.replaceAll('"', '') }
  if (value.jsonrpc !== '2.0') throw new Fault('bad_response', `${name} expected jsonrpc "2.0"`, about)
  // Some write down as null what they leave out; whoever asks and answers at once does neither
  const method = value.method ?? undefined
  const isBoth = (value.result ?? null) !== null && (value.error ?? null) !== null
  const isAnswer = (value.result ?? value.error ?? null) !== null
  if (isBoth || (method !== undefined && (isAnswer || typeof method !== 'string')))
    throw new Fault('bad_response', `${name} expected a method, a result or an error, got more than one`, about)
  const failed = 'error' in value && !(value.error === null && 'result' in value)
  if (echo === null) {
    if (failed && method === undefined) return { kind: 'error', id: null, error: readRpcError(value.error) }
    throw new Fault('bad_response', `${name} expected an id`)
  }
  const id = echo.replaceAll('"', '')
  if (typeof method === 'string') return { kind: 'request', id, echo, method, params: value.params ?? null }
  if (failed) return { kind: 'error', id, error: readRpcError(value.error) }
  if ('result' in value) return { kind: 'result', id, result: value.result }
  throw new Fault('bad_response', `${name} expected a method, a result or an error`, { id })
}

/** The literal of the one id: 1 to 40 digits, or a plain string of 1 to 64 characters; null when there is none. */
function idLiteral(text: string, name: string): string | null {
  const [literal = 'null', ...more] = memberLiterals(text, 'id')
  if (more.length > 0) throw new Fault('bad_response', `${name} expected one id, got ${more.length + 1}`)
  if (literal === 'null') return null
  if (!isEcho(literal)) throw new Fault('bad_response', `${name} expected an id of digits or plain text`)
  return literal
}

function isEcho(literal: string): boolean {
  return /^(0|[1-9]\d{0,39}|"[\w.:-]{1,64}")$/.test(literal)
}

function requireEcho(echo: string): string {
  if (!isEcho(echo)) throw new Fault('bad_input', 'answer expected the id literal of the request it answers')
  return echo
}

function requireDigits(id: string): string {
  if (!/^(0|[1-9]\d{0,39})$/.test(id)) throw new Fault('bad_input', 'request id expected digits')
  return id
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
