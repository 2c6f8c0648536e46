import { Fault } from '../../../runtime/failure.ts'
import { type WireError } from './errors.ts'
import { readPeerError } from './peerErrors.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { memberLiterals } from '../../../runtime/json/jsonMembers.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { writeJson } from './writeJson.ts'

/**
 * JSON-RPC 2.0 of both layers: frames to and from the relay, and wc payloads inside envelopes.
 * Ids are text here: relay ids have 19 digits, more than a number holds. Compare `id`; write `echo`, the id's literal as
 * received, number or string, into the answer.
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
  /** `id` is null when the peer could not read the request's id */
  | { readonly kind: 'error'; readonly id: string | null; readonly error: WireError }

/** A message the relay delivers. It is acknowledged by `answerTrue(echo)` once it is stored. */
export type Push = {
  readonly kind: 'push'
  readonly id: string
  readonly echo: string
  readonly subscriptionId: string
  readonly topic: string
  /** envelope; an empty one has nothing to open */
  readonly message: string
  /** ms since the Unix epoch */
  readonly publishedAt: number | null
  readonly tag: number | null
  readonly attestation: string | null
}

/** The message of a push. */
export type Delivered = Pick<Push, 'topic' | 'message' | 'publishedAt' | 'tag' | 'attestation'>

type RelayFrame = RpcMessage | Push

/**
 * Parses a text frame from the relay.
 *
 * @param data of the socket's message event
 * @returns a push, an answer to one of our requests, or another request, which gets no answer
 * @throws Fault `bad_response`; for a malformed push with an id `facts.echo` is that id: such a push is acknowledged too, or
 *   the relay would redeliver it for ever
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
 * Reads a message of a push or of a fetch's answer.
 *
 * @param refuse makes the fault for a malformed member
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
 * Parses a wc payload, the text inside an envelope.
 *
 * @throws Fault `bad_response`; `facts.id` is the payload's id, if readable
 */
export function parsePayload(text: string): RpcMessage {
  return parse(text, 'wc payload')
}

/** @returns whether a text is 64 lower-case hex digits */
export function isTopic(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * @param id digits; a relay id is written as a string, a wc id as a number
 * @returns a request, members in the order `id, jsonrpc, method, params`
 * @throws Fault `bad_input` when the params cannot be sent
 */
export function relayRequest(id: string, method: string, params: Json): string {
  return request(`"${requireDigits(id)}"`, method, params)
}

/** Like `relayRequest`, for the payload inside an envelope. */
export function wcRequest(id: number, method: string, params: Json): string {
  return request(requireDigits(String(id)), method, params)
}

/** @returns the acknowledgement `true`: of a push, a settlement, update, extension or ping */
export function answerTrue(echo: string): string {
  return `{"id":${requireEcho(echo)},"jsonrpc":"2.0","result":true}`
}

/** @returns the error answer to a refused wc request */
export function answerError(echo: string, error: Required<WireError>): string {
  const body = writeJson({ code: error.code, message: error.message }, 'wc error')
  return `{"id":${requireEcho(echo)},"jsonrpc":"2.0","error":${body}}`
}

function request(id: string, method: string, params: Json): string {
  return `{"id":${id},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${writeJson(params, method)}}`
}

/** Longest frame read from a relay, UTF-16 units: one may hold a page of fetched messages. */
export const longestFrame = 4_194_304

function parse(data: unknown, name: string, maxLength?: number): RpcMessage {
  if (typeof data !== 'string') throw new Fault('bad_response', `${name} expected text, got ${typeof data}`)
  const value = readJson(data, maxLength === undefined ? { name } : { name, maxLength })
  if (!isRecord(value)) throw new Fault('bad_response', `${name} expected an object, got another JSON value`)
  const echo = idLiteral(data, name)
  const about = echo === null ? {} : { id: echo.replaceAll('"', '') }
  if (value.jsonrpc !== '2.0') throw new Fault('bad_response', `${name} expected jsonrpc "2.0"`, about)
  // Some peers write absent members as null; a message with both a method and an answer is refused
  const method = value.method ?? undefined
  const isBoth = (value.result ?? null) !== null && (value.error ?? null) !== null
  const isAnswer = (value.result ?? value.error ?? null) !== null
  if (isBoth || (method !== undefined && (isAnswer || typeof method !== 'string')))
    throw new Fault('bad_response', `${name} expected a method, a result or an error, got more than one`, about)
  const failed = 'error' in value && !(value.error === null && 'result' in value)
  if (echo === null) {
    if (failed && method === undefined) return { kind: 'error', id: null, error: readPeerError(value.error) }
    throw new Fault('bad_response', `${name} expected an id`)
  }
  const id = echo.replaceAll('"', '')
  if (typeof method === 'string') return { kind: 'request', id, echo, method, params: value.params ?? null }
  if (failed) return { kind: 'error', id, error: readPeerError(value.error) }
  if ('result' in value) return { kind: 'result', id, result: value.result }
  throw new Fault('bad_response', `${name} expected a method, a result or an error`, { id })
}

/** The literal of the single id: 1 to 40 digits, or a plain string of 1 to 64 characters; null when there is none. */
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
