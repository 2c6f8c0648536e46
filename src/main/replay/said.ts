/** Compares what one input caused in the recording and now. Ids are compared by the role that they have, not by name. */
import { encode } from '../../events/log/codec.ts'
import type { EffectRecord, FactRecord } from '../../runtime/log/record.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import { effectRecordLike } from '../../runtime/replay/effectRecordLike.ts'
import type { Names } from '../../runtime/replay/names.ts'
import { type Group, inputsOf, type Item } from '../../runtime/replay/rerun.ts'

/** A fact, or an effect: its type has an arrow before it. Data of a recorded effect may be unknown. */
export type GroupPart = { type: string; data?: unknown }

/** The recorded facts and effects of one input. */
export type Was = { facts: FactRecord[]; effects?: EffectRecord }

/** @returns the recorded facts and effects by the input's number */
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
 * @param names ids of the other run by their recorded ids
 * @param plain the group of the same input, run without edits: it has the data of the recorded effects
 * @returns the recorded facts and effects, with the other run's ids
 */
export function saidThen(was: Was, names: Names, plain?: Group): GroupPart[] {
  const types = was.effects?.types ?? []
  const known = plain && plain.effects.length === types.length ? plain.effects : undefined
  return [
    ...was.facts.map(({ type, data }) => ({ type, data: names.now(data) })),
    ...types.map((type, k) => ({ type: `→ ${type}`, ...(known?.[k] ? { data: names.now(known[k].data) } : {}) })),
  ]
}

/** @returns the facts and effects of one side only; undefined when both sides have the same */
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

/** @returns a fact's data with its fields in the order of its line */
function asWritten(fact: FactRecord): unknown {
  return (JSON.parse(encode(fact)) as FactRecord).data
}

/** @returns whether only data of the effects differs: the types are the same, the hash is not */
export function otherInside(was: Was, now: Group): boolean {
  const ordered = effectRecordLike(was.effects, now.input, now.effects)
  return was.effects?.types.join() === ordered?.types.join() && was.effects?.h !== ordered?.h
}

/**
 * @returns the inputs with their recorded facts and effects, by which a re-execution maps recorded ids to its own. Recorded
 *   effects have types and order, which give their ids, but no data.
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
