/**
 * The log of a whole visit: the recorded inputs of a real purchase, and a generated hour of the open page after it, in which
 * timers fire when due and effects get their earlier answers, on an advanced chain.
 */
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../src/events/log/codec.ts'
import type { Effect, FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'

/** An input with its facts and effects. */
export type Stepped = { input: InputRecord; facts: FactRecord[]; effects: Effect[] }

const hourMs = 3_600_000
const answerMs = 60
const slotMs = 400

type Coming = { at: number; type: string; data: Record<string, unknown>; to?: string }

/**
 * @param recording text of a recording whose first life is a purchase
 * @param hours hours of the open page after it
 * @returns the recorded steps, then those of the hours
 * @throws Error when the recording is too short, or the core faults
 */
export function visitOf(recording: string, hours = 1): { purchase: Stepped[]; hour: Stepped[] } {
  const recorded = inputsOf(recording)
  const core = createCore(deciders, emptyCoreModel())
  const timers = new Map<string, Coming>()
  const answers: Coming[] = []
  const asked = new Map<string, string>()
  const known = new Map<string, { type: string; data: Record<string, unknown>; at: number }>()

  function step(input: InputRecord, isLive: boolean): Stepped {
    const cause = input.to === undefined ? undefined : asked.get(input.to)
    if (input.type === 'timer.fired') timers.delete(String(input.data.timerId))
    else if (cause !== undefined) known.set(cause, { type: input.type, data: input.data, at: input.at })
    const { facts, effects } = core.step(input)
    const fault = facts.find(fact => fact.type === 'core.faulted')
    if (fault) throw new Error(`the core faulted at input ${input.n}: ${JSON.stringify(fault.data)}`)
    for (const { id, type, data } of effects) {
      const timerId = String(data.timerId)
      if (type === 'timer.set') {
        timers.set(timerId, { at: Number(data.at), type: 'timer.fired', data: { timerId }, to: id })
      } else if (type === 'timer.clear') timers.delete(timerId)
      else {
        asked.set(id, type)
        const answer = isLive ? answerTo(type, data, input.at + answerMs) : undefined
        if (answer) answers.push({ ...answer, ...(type.startsWith('relay.') ? {} : { to: id }) })
      }
    }
    return { input, facts, effects }
  }

  function answerTo(asks: string, data: Record<string, unknown>, at: number): Coming | undefined {
    if (typeof data.callId === 'string') return { at, type: 'relay.taken', data: { callId: data.callId } }
    const before = known.get(asks)
    if (!before) return undefined
    const passed = at - before.at
    const moved = { ...before.data }
    if (typeof moved.slot === 'number') moved.slot += Math.floor(passed / slotMs)
    if (typeof moved.chainTime === 'number') moved.chainTime += passed
    return { at, type: before.type, data: moved }
  }

  const purchase = recorded.map(input => step(input, false))
  const last = recorded.at(-1)
  const hour: Stepped[] = []
  const end = (last?.at ?? 0) + hours * hourMs
  let n = last?.n ?? 0
  let now = last?.at ?? 0
  for (;;) {
    const next = [...timers.values(), ...answers].sort((a, b) => a.at - b.at)[0]
    if (!next || next.at > end) return { purchase, hour }
    const place = answers.indexOf(next)
    if (place >= 0) answers.splice(place, 1)
    n += 1
    now = Math.max(now, next.at)
    const { type, data, to } = next
    const input: InputRecord = { k: 'i', n, at: now, type, v: versionOf('i', type), data }
    hour.push(step(to === undefined ? input : { ...input, to }, true))
  }
}

/** The steps as lines of a log. */
export function linesOf(log: readonly Stepped[]): string[] {
  return log.flatMap(({ input, facts, effects }) => {
    const ordered = effectRecord(input, effects)
    return [encode(input), ...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
  })
}

/** The inputs of the recording's first life. */
function inputsOf(recording: string): InputRecord[] {
  const lines = recording.split('\n').filter(line => line.startsWith('{"k":"i"'))
  const inputs = lines.map(line => JSON.parse(line) as InputRecord)
  const next = inputs.findIndex((input, index) => index > 0 && input.type === 'core.boot')
  const life = next < 0 ? inputs : inputs.slice(0, next)
  if (life.length < 20) throw new Error(`a purchase expected at least 20 inputs in its recording, got ${life.length}`)
  return life
}
