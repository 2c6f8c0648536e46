/**
 * The failure of a recording, as a predicate for a shorter run: at the input that first differs, the core still gives
 * today's results, and the recording still has others.
 */
import { effectRecord } from '../core/coreMachine.ts'
import type { EffectRecord, FactRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'
import type { StillWrong } from './minimise.ts'
import type { Names } from './names.ts'
import type { Group, Start } from './rerun.ts'

export type Failing = {
  stillWrong: StillWrong
  /** @returns the recorded lines of the input, renamed for a shorter run; `seq` is that of the last fact before it */
  expected(group: Group, names: Names, seq: number): string[]
}

/**
 * @param recorded the records after the input, up to the next one
 * @param whole the input's results today, in the whole run
 */
export function failingAt({ encode }: Pick<Start, 'encode'>, recorded: readonly Recorded[], whole: Group): Failing {
  const records = recorded.map(({ record }) => record)
  const facts = records.flatMap(record => (record.k === 'f' ? [record] : []))
  const ordered = records.find((record): record is EffectRecord => record.k === 'e')
  const saysTheSame = (a: FactRecord | undefined, b: FactRecord | undefined) =>
    a !== undefined && b !== undefined && encode({ ...a, seq: 0 }) === encode({ ...b, seq: 0 })
  // The recorded facts up to here equal today's
  let same = 0
  while (same < facts.length && same < whole.facts.length && saysTheSame(facts[same], whole.facts[same])) same += 1
  const inFacts = same < Math.max(facts.length, whole.facts.length)

  /** The results that must recur: the facts, or the effects when those differ. */
  const results = ({ facts, effects }: Group, names?: Names): string => {
    const now = <T>(value: T) => (names ? names.now(value) : value)
    if (inFacts) return JSON.stringify(facts.map(({ type, data }) => [type, now(data)]))
    return JSON.stringify(effects.map(({ type, data, after, tab }) => [type, unjittered(type, now(data)), after, tab]))
  }

  return {
    stillWrong(groups, names) {
      const last = groups[groups.length - 1]
      return last !== undefined && last.input.type === whole.input.type && results(last) === results(whole, names)
    },
    expected(group, names, seq) {
      const lines = group.facts.slice(0, same).map(encode)
      facts.slice(same).forEach((fact, index) => {
        const place = { seq: seq + same + index + 1, n: group.input.n }
        lines.push(encode({ ...fact, ...place, data: names.now(fact.data) }))
      })
      // A hash cannot be renamed, so the recorded one stays only where the effects differ
      const effects = inFacts ? effectRecord(group.input, group.effects) : ordered && placed(ordered, group)
      if (effects) lines.push(encode(effects))
      return lines
    },
  }
}

function placed(ordered: EffectRecord, { input }: Group): EffectRecord {
  return ordered.n === undefined ? ordered : { ...ordered, n: input.n }
}

/** Timers have jitter, which depends on all inputs before. */
function unjittered(type: string, data: Record<string, unknown>): Record<string, unknown> {
  return type === 'timer.set' ? { ...data, at: 0 } : data
}
