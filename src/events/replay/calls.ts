/**
 * Calls of a recording to the relay and to the network: the effect that ordered each, its first answer, and its duration; and calls
 * of services that an earlier answer served.
 */
import type { InputRecord } from '../../runtime/log/record.ts'
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
  /** Methods of a node, or the name of a service, where the ordering input says so. */
  asked?: string
  /** Type of the answer or its HTTP status, the service's call that it answers, and the code of its failure. */
  told?: string
}

const families = {
  relay: /^relay\./,
  rpc: /^(?:(?:chain|directory|sale|attest|service|project|pulse)\.|http\.(?:post|send)$)/,
} as const

/** @returns the calls in the order in which they were ordered */
export function callsOf(records: readonly Recorded[]): RecordedCall[] {
  const calls: RecordedCall[] = []
  const pending = new Map<string, RecordedCall>()
  let life = 0
  let input: Ordering | undefined
  records.forEach(({ record }, index) => {
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
    if (record.k === 'f' && record.type === 'service.reused' && input)
      calls.push(reused(input, `r${record.seq}`, Number(record.data.ageMs)))
    if (record.k !== 'e' || !input) return
    for (const [k, type] of record.types.entries()) {
      const lane = families.relay.test(type) ? 'relay' : families.rpc.test(type) ? 'rpc' : undefined
      if (!lane) continue
      const id = `e${life}.${input.record.n}.${k}`
      const asked = type.startsWith('http.') ? askedBy(input.record) : undefined
      const { at } = input.record
      const call: RecordedCall = { lane, id, type, status: 'pending', index: input.index, at, ...(asked && { asked }) }
      calls.push(call)
      pending.set(id, call)
    }
  })
  return calls
}

/** The input that ordered a call, and its place in the records. */
type Ordering = { index: number; record: InputRecord }

/** @returns the call of a service that the answer of an earlier one served */
function reused({ index, record: { at } }: Ordering, id: string, ageMs: number): RecordedCall {
  const told = ageMs === 0 ? 'joined one under way' : `reused an answer ${ageMs} ms old`
  return { lane: 'rpc', id, type: 'service.ask', status: 'answered', index, at, answer: index, ms: 0, told }
}

/** @returns the methods of calls to a node, or the name of a service; undefined for a retry */
function askedBy({ type, data }: InputRecord): string | undefined {
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
