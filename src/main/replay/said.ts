/** What one input caused, then and now, whatever the ids are called. */
import { encode } from '../../events/log/codec.ts'
import type { EffectRecord, FactRecord } from '../../runtime/log/record.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import { effectRecordLike } from '../../runtime/replay/effectRecordLike.ts'
import type { Names } from '../../worker/replay/names.ts'
import { type Group, inputsOf, type Item } from '../../worker/replay/rerun.ts'

/** A fact with its data, or an effect, whose type has an arrow before it; of a recorded effect only the type may be known. */
export type GroupPart = { type: string; data?: unknown }

/** What is recorded for one input. */
export type Was = { facts: FactRecord[]; effects?: EffectRecord }

/** @returns what is recorded, by the number of the input */
export function recordedByInput(records: readonly Recorded[]): Map<number, Was> {
  const found = new Map<number, Was>()
  let group: Was | undefined
  for (const { record } of records) {
    if (record.k === 'i') {
      group = { facts: [] }
      found.set(record.n, group)
    } else if (record.k === 'f') group?.facts.push(record)
    else if (record.k === 'e' && group) group.effects = record
  }
  return found
}

/**
 * @param names as things are called in the other run
 * @param plain what the core of today makes of the same input; it tells what is in the recorded effects
 */
export function saidThen(was: Was, names: Names, plain?: Group): GroupPart[] {
  const types = was.effects?.types ?? []
  const known = plain && plain.effects.length === types.length ? plain.effects : undefined
  return [
    ...was.facts.map(({ type, data }) => ({ type, data: names.now(data) })),
    ...types.map((type, k) => ({ type: `→ ${type}`, ...(known?.[k] ? { data: names.now(known[k].data) } : {}) })),
  ]
}

/** @returns what was said only then and what is said only now; undefined when both say the same */
export function differing(
  was: Was,
  now: Group,
  names: Names,
  plain?: Group,
): { recorded: GroupPart[]; now: GroupPart[] } | undefined {
  const recorded = saidThen(was, names, plain)
  const bare = recorded.some(({ type, data }) => type.startsWith('→') && data === undefined)
  const came: GroupPart[] = [
    ...now.facts.map(fact => ({ type: fact.type, data: asWritten(fact) })),
    ...now.effects.map(({ type, data }) => ({ type: `→ ${type}`, ...(bare ? {} : { data }) })),
  ]
  const left = new Map<string, number>()
  for (const said of recorded) left.set(JSON.stringify(said), (left.get(JSON.stringify(said)) ?? 0) + 1)
  const taken = (said: GroupPart) => {
    const key = JSON.stringify(said)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count > 0
  }
  const added = came.filter(said => !taken(said))
  const gone = recorded.filter(taken)
  return added.length === 0 && gone.length === 0 ? undefined : { recorded: gone, now: added }
}

/** A fact's data with its fields in the order in which a line has them. */
function asWritten(fact: FactRecord): unknown {
  return (JSON.parse(encode(fact)) as FactRecord).data
}

/** @returns whether only what is inside the effects differs: the same types, under the same ids, and another hash */
export function otherInside(was: Was, now: Group): boolean {
  const ordered = effectRecordLike(was.effects, now.input, now.effects)
  return was.effects?.types.join() === ordered?.types.join() && was.effects?.h !== ordered?.h
}

/**
 * @returns the inputs with what is recorded for them, so that ids of today's run are known beside the recorded ones. Of
 *   effects a recording keeps types and order, and with these their ids
 */
export function asRecorded(records: readonly Recorded[]): Item[] {
  const was = recordedByInput(records)
  const [first] = records
  let life = first?.record.k === 'c' ? first.record.life : 0
  return inputsOf(records).map(input => {
    if (input.type === 'core.boot') life = Number(input.data.life)
    const { facts, effects } = was.get(input.n) ?? { facts: [] }
    const ordered = (effects?.types ?? []).map((type, k) => ({ id: `e${life}.${input.n}.${k}`, type, data: {} }))
    return { input, before: { input, facts, effects: ordered } }
  })
}
