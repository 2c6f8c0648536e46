/** Calls of a recording to the relay and to the network: the effect that ordered each, its first answer, and its duration. */
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
  /** Type of the answer, the service's call that it answers, and the code of its failure. */
  told?: string
}

const families = { relay: /^relay\./, rpc: /^(?:chain|directory|sale|attest|service|project)\./ } as const

/** @returns the calls in the order in which they were ordered */
export function callsOf(records: readonly Recorded[]): RecordedCall[] {
  const calls: RecordedCall[] = []
  const pending = new Map<string, RecordedCall>()
  let life = 0
  let input: { index: number; at: number; n: number } | undefined
  records.forEach(({ record }, index) => {
    if (record.k === 'c') life = record.life
    if (record.k === 'i') {
      if (record.type === 'core.boot' && typeof record.data.life === 'number') life = record.data.life
      input = { index, at: record.at, n: record.n }
      const call = record.to === undefined ? undefined : pending.get(record.to)
      if (!call || record.to === undefined) return
      pending.delete(record.to)
      const code = codeOf(record.data.failure)
      call.answer = index
      call.ms = Math.max(0, record.at - call.at)
      call.status = code !== undefined || /(?:failed|refused|closed)$/i.test(record.type) ? 'failed' : 'answered'
      const { call: name } = recordOf(record.data.answer)
      call.told = [
        record.type,
        ...(typeof name === 'string' ? [name] : []),
        ...(code === undefined ? [] : [code]),
      ].join(', ')
    }
    if (record.k !== 'e' || !input) return
    for (const [k, type] of record.types.entries()) {
      const lane = families.relay.test(type) ? 'relay' : families.rpc.test(type) ? 'rpc' : undefined
      if (!lane) continue
      const id = `e${life}.${input.n}.${k}`
      const call: RecordedCall = { lane, id, type, status: 'pending', index: input.index, at: input.at }
      calls.push(call)
      pending.set(id, call)
    }
  })
  return calls
}

function codeOf(failure: unknown): string | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined
  const { code } = failure as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}
