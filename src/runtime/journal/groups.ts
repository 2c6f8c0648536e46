/**
 * Reads a log's lines back into the world at a checkpoint and the facts since.
 *
 * 1. A group is an input and its facts. The result ends with a whole group.
 * 2. A line that does not fit ends the reading before its group; the rest counts as damaged.
 * 3. A fact or row of an unknown type or version is no damage: a newer build wrote it, and the log is left to that build.
 */
import { Fault } from '../failure.ts'
import {
  type CheckpointRecord,
  checkpointFormat,
  type FactRecord,
  liftCheckpoint,
  lineKind,
  type RowRecord,
} from '../log/record.ts'
import type { LogMeans } from './known.ts'

/** Means to read lines that this device wrote and whose checks are right. */
type GroupMeans = Pick<LogMeans<unknown>, 'codec'> & { snapshots: Pick<LogMeans<unknown>['snapshots'], 'liftRow'> }

export type Groups = {
  /** when the lines begin with one */
  checkpoint?: CheckpointRecord
  rows: RowRecord[]
  /** numbers of the checkpoint: the facts follow it */
  from: { n: number; seq: number }
  facts: FactRecord[]
  lines: readonly string[]
  n: number
  seq: number
  /** false when a line did not fit: then the result ends with the last group before it */
  whole: boolean
}

/** @returns the fault of a log that a newer build wrote; `why` tells it from a disk that fails */
export function newerLog(got: string): Fault {
  return new Fault('storage_down', `the log expected to be of this build or an older one, got ${got}`, { why: 'newer' })
}

function isNewerLog(cause: unknown): boolean {
  return cause instanceof Fault && cause.facts?.why === 'newer'
}

/**
 * Reads lines up to the first that does not fit.
 *
 * @param newer `refuse` throws at a fact of a newer build; `cut` reads the groups before it
 * @throws Fault `storage_down` with `why: 'newer'`
 */
export function readGroups(
  lines: readonly string[],
  { codec, snapshots }: GroupMeans,
  newer: 'refuse' | 'cut' = 'refuse',
): Groups {
  const isKnownFact = ({ type, v }: FactRecord): boolean => {
    const definition = codec.definitionOf('f', type)
    return definition !== undefined && v <= definition.version
  }
  const rows: RowRecord[] = []
  const facts: FactRecord[] = []
  let n = 0
  let seq = 0
  let from = { n, seq }
  let made: { checkpoint?: CheckpointRecord } = {}
  let group = { line: 0, facts: 0, n, seq }
  try {
    for (const [index, line] of lines.entries()) {
      const kind = lineKind(line)
      if (kind === 'i') {
        group = { line: index, facts: facts.length, n, seq }
        n += 1
        if (!line.startsWith(`{"k":"i","n":${n},`)) throw new Error('n')
      } else if (kind === 'f') {
        const fact = codec.decodeOwn(line) as FactRecord
        if (fact.seq !== seq + 1 || fact.n !== n) throw new Error('seq')
        if (!isKnownFact(fact)) throw newerLog(`${fact.type} v${fact.v}`)
        facts.push(fact)
        seq += 1
      } else if (kind === 'c' && index === 0) {
        const checkpoint = liftCheckpoint(JSON.parse(line)) as CheckpointRecord
        if (checkpoint.format > checkpointFormat) throw newerLog(`checkpoint format ${checkpoint.format}`)
        ;({ n, seq } = checkpoint)
        from = { n, seq }
        made = { checkpoint }
      } else if (kind === 'r' && facts.length === 0 && n === from.n) {
        const row = JSON.parse(line) as RowRecord
        const isKnown = snapshots.liftRow(row)
        if (!isKnown && newer === 'refuse') throw newerLog(`${row.type} v${row.v}`)
        if (isKnown) rows.push(row)
      }
    }
  } catch (cause) {
    if (newer === 'refuse' && isNewerLog(cause)) throw cause
    const { line, facts: kept, ...place } = group
    return { ...made, rows, from, facts: facts.slice(0, kept), lines: lines.slice(0, line), ...place, whole: false }
  }
  return { ...made, rows, from, facts, lines, n, seq, whole: true }
}
