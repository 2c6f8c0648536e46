/**
 * Calls of a recording to the relay and to the network: the effect that ordered each, its first answer, and its duration; and calls
 * of services that an earlier answer served.
 */
import type { FactRecord, InputRecord } from '../../runtime/log/record.ts'
import { recordOf } from '../../runtime/json/isRecord.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'

/** `pending`: the recording has no answer. */
export type CallStatus = 'answered' | 'failed' | 'pending'

/** `index` is the place of the ordering input in the records, `answer` that of the first answer. `ms` is absent while pending. */
export type RecordedCall = {
  lane: 'relay' | 'rpc'
  id: string
  type: string
  status: CallStatus
  index: number
  at: number
  answer?: number
  ms?: number
  /** Methods of a node, the name of a service, or the call of the Blockchain API, where the log says so. */
  asked?: string
  /** Type of the answer or its HTTP status, the service's call that it answers, and the code of its failure. */
  told?: string
}

const families = {
  relay: /^relay\./,
  rpc: /^(?:(?:chain|directory|sale|attest|service|project|pulse)\.|http\.(?:post|send)$)/,
} as const

type Lane = RecordedCall['lane']

/** Lanes by type of effect: a recording has many effects of few types. */
const lanes = new Map<string, Lane | undefined>()

function laneOf(type: string): Lane | undefined {
  if (lanes.has(type)) return lanes.get(type)
  const lane = families.relay.test(type) ? 'relay' : families.rpc.test(type) ? 'rpc' : undefined
  if (lanes.size < 1000) lanes.set(type, lane)
  return lane
}

/**
 * Collects calls from records, taken in their order; `calls` are those so far, in the order in which they were ordered. A log has
 * types of effects, not their data: of the asks that have no call yet, an ask's input orders the newest, as it may wait for the list
 * of networks, and that list's end the others, oldest first.
 */
export function collectCalls(): { calls: RecordedCall[]; take(recorded: Recorded, index: number): void } {
  /** Asks of the Blockchain API without a call, by id. */
  const waiting = new Map<string, string>()
  const calls: RecordedCall[] = []
  const pending = new Map<string, RecordedCall>()
  let life = 0
  let input: Ordering | undefined
  function take({ record }: Recorded, index: number): void {
    if (record.k === 'c') life = record.life
    if (record.k === 'i') {
      if (record.type === 'core.boot' && typeof record.data.life === 'number') life = record.data.life
      input = { index, record }
      const call = record.to === undefined ? undefined : pending.get(record.to)
      if (!call || record.to === undefined) return
      pending.delete(record.to)
      call.answer = index
      call.ms = Math.max(0, record.at - call.at)
      call.status = hasFailed(record) ? 'failed' : 'answered'
      call.told = toldBy(record)
    }
    if (record.k === 'f') noteAsk(waiting, record)
    if (record.k === 'f' && record.type === 'service.reused' && input)
      calls.push(reused(input, `r${record.seq}`, Number(record.data.ageMs)))
    if (record.k !== 'e' || !input) return
    for (const [k, type] of record.types.entries()) {
      const lane = laneOf(type)
      if (!lane) continue
      const id = `e${life}.${input.record.n}.${k}`
      const asked = type === 'service.call' ? takeAsk(waiting, input.record) : askedBy(input.record, type)
      const { at } = input.record
      const call: RecordedCall = { lane, id, type, status: 'pending', index: input.index, at, ...(asked && { asked }) }
      calls.push(call)
      pending.set(id, call)
    }
  }
  return { calls, take }
}

/** The input that ordered a call, and its place in the records. */
type Ordering = { index: number; record: InputRecord }

/** @returns the call of a service that the answer of an earlier one served */
function reused({ index, record: { at, data } }: Ordering, id: string, ageMs: number): RecordedCall {
  const told = ageMs === 0 ? 'joined one under way' : `reused an answer ${ageMs} ms old`
  const asked = serviceAsked(data)
  const call = {
    lane: 'rpc',
    id,
    type: 'service.ask',
    status: 'answered',
    index,
    at,
    answer: index,
    ms: 0,
    told,
  } as const
  return { ...call, ...(asked !== undefined && { asked }) }
}

/** An ask waits until it is ordered, or ends without a call. */
function noteAsk(waiting: Map<string, string>, { type, data }: FactRecord): void {
  const callId = String(data.callId)
  if (type === 'service.asked') waiting.set(callId, serviceAsked(data) ?? '')
  else if (type === 'service.answered' || type === 'service.failed') waiting.delete(callId)
}

/** @returns which ask this input orders the next call for */
function takeAsk(waiting: Map<string, string>, { type }: InputRecord): string | undefined {
  const ids = [...waiting.keys()]
  const callId = type === 'service.ask' ? ids.at(-1) : ids[0]
  if (callId === undefined) return undefined
  const name = waiting.get(callId)
  waiting.delete(callId)
  return name
}

/** @returns which of the Blockchain API's calls an ask is for */
function serviceAsked(data: Record<string, unknown>): string | undefined {
  const { call } = recordOf(data.ask)
  return typeof call === 'string' ? call : undefined
}

/** @returns the methods of calls to a node, or the name of a service; undefined for a retry */
function askedBy({ type, data }: InputRecord, effect: string): string | undefined {
  if (!effect.startsWith('http.')) return undefined
  if (type === 'http.asked') return String(data.what)
  if (type !== 'rpc.asked' || !Array.isArray(data.asks)) return undefined
  const methods = data.asks.flatMap(ask => recordOf(ask).calls ?? []).map(call => String(recordOf(call).method))
  return [...new Set(methods)].join(', ')
}

function hasFailed({ type, data }: InputRecord): boolean {
  if (type === 'http.answered') return Number(data.status) >= 400 || Number(data.failed ?? 0) > 0
  return codeOf(data.failure) !== undefined || /(?:failed|refused|closed)$/i.test(type)
}

function toldBy({ type, data }: InputRecord): string {
  const { call: name } = recordOf(data.answer)
  const errors = Array.isArray(data.errors) ? data.errors.map(error => String(recordOf(error).code)) : []
  const code = codeOf(data.failure)
  return [
    type === 'http.answered' ? `HTTP ${String(data.status)}` : type,
    ...(typeof name === 'string' ? [name] : []),
    ...new Set(errors),
    ...(code === undefined ? [] : [code]),
  ].join(', ')
}

function codeOf(failure: unknown): string | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined
  const { code } = failure as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}
