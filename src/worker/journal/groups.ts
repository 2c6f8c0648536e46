/** What a log's lines say when they are read back at the start: the world at a checkpoint, and every fact since. */
import { liftRestated } from '../../events/checkpoint/restatedLifts.ts'
import type { CheckpointRecord, FactRecord, RestatedRecord, RunningRecord } from '../../events/log/record.ts'

/** Reads a line of this device's own that is known to be whole. */
export type Decode = (line: string) => RunningRecord

export type Groups = {
  /** the core that made the checkpoint, if they begin with one */
  build?: string
  restated: RestatedRecord[]
  /** where the facts go on from */
  from: { n: number; seq: number }
  facts: FactRecord[]
  lines: readonly string[]
  n: number
  seq: number
  /** false when some line did not fit: the rest ends with the last group before it */
  whole: boolean
}

/** Reads lines up to the first that does not fit; what is kept ends with a whole group. */
export function readGroups(lines: readonly string[], decode: Decode): Groups {
  const restated: RestatedRecord[] = []
  const facts: FactRecord[] = []
  let n = 0
  let seq = 0
  let from = { n, seq }
  let made: { build?: string } = {}
  let group = { line: 0, facts: 0, n, seq }
  try {
    for (const [index, line] of lines.entries()) {
      const kind = line[6]
      if (kind === 'i') {
        group = { line: index, facts: facts.length, n, seq }
        n += 1
        if (!line.startsWith(`{"k":"i","n":${n},`)) throw new Error('n')
      } else if (kind === 'f') {
        const fact = decode(line) as FactRecord
        if (fact.seq !== seq + 1 || fact.n !== n) throw new Error('seq')
        facts.push(fact)
        seq += 1
      } else if (kind === 'c' && index === 0) {
        const checkpoint = JSON.parse(line) as CheckpointRecord
        ;({ n, seq } = checkpoint)
        from = { n, seq }
        made = { build: checkpoint.build }
      } else if (kind === 'r' && facts.length === 0 && n === from.n) {
        restated.push(liftRestated(JSON.parse(line) as RestatedRecord))
      }
    }
  } catch {
    const { line, facts: kept, ...place } = group
    return { ...made, restated, from, facts: facts.slice(0, kept), lines: lines.slice(0, line), ...place, whole: false }
  }
  return { ...made, restated, from, facts, lines, n, seq, whole: true }
}
