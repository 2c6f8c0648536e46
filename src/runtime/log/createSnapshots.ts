/** Snapshots: the model in rows. Rows put into an empty model restore an equal model. */
import type { Codec } from './createCodec.ts'
import { lift } from './createCodec.ts'
import { createLineOf } from './createLineOf.ts'
import { type CheckpointRecord, checkpointFormat, type LogRecord, type RowRecord } from './record.ts'
import { shortHash } from './shortHash.ts'
import { subjectOf } from './subjectOf.ts'
import { own } from '../schema/own.ts'
import type { DataOf, Definition, Fields } from '../schema/registry.ts'

/** The part of a model that a table holds. `put` makes a row's data part of the model, with no decision and no eviction. */
export type ModelPart<M, F extends Fields> = {
  rows(model: M): Iterable<DataOf<F>>
  put(model: M, data: DataOf<F>): void
}
/** A table of a snapshot: what its rows hold, how rows of older builds are lifted, and where a row stands in the model. */
export type SnapshotTable<M, F extends Fields = any> = Definition<F> & ModelPart<M, F>
/** The tables of a snapshot by the type of their rows. Rows stand in the order of the tables. */
export type SnapshotTables<M> = { readonly [type: string]: SnapshotTable<M> }

/** A position in the log. `transient` is the core's scratch memory with its boot, as plain JSON. */
export type CheckpointPosition = Pick<CheckpointRecord, 'n' | 'seq' | 'life' | 'at' | 'build' | 'transient'>

/** Hashes of a model's subjects, 8 hex digits each; a subject without rows has none. */
export type SubjectHashes = Readonly<Record<string, string>>

export type Snapshots<M> = {
  /** @returns the rows of a model, by table; rows of one table stand in its order */
  snapshot(this: void, model: M): RowRecord[]
  /** @returns the model of these rows, whose data become part of it; a type unknown to this build changes nothing */
  modelOf(this: void, rows: Iterable<Pick<RowRecord, 'type' | 'data'>>): M
  /** Lifts a row that this device wrote to today's shape, in place. @returns false for a type or version of a newer build */
  liftRow(this: void, row: RowRecord): boolean
  /** @returns 8 hex digits over the rows' lines, whose fields have a fixed order: equal for equal models */
  stateHash(this: void, model: M): string
  /** @returns for each subject the hash of its rows' lines: two models differ where these differ */
  subjectHashes(this: void, model: M): SubjectHashes
  /** @returns the lines of a checkpoint: its record, then its rows */
  checkpointLines(this: void, standing: CheckpointPosition, model: M): string[]
  /** @returns any record's line */
  lineOf(this: void, record: LogRecord): string
}

/** @returns the snapshots of a model that these tables hold */
export function createSnapshots<M>(
  codec: Pick<Codec, 'encode'>,
  { tables, emptyModel }: { tables: SnapshotTables<M>; emptyModel(): M },
): Snapshots<M> {
  const lineOf = createLineOf(codec, tables)
  const snapshot = (model: M): RowRecord[] =>
    Object.entries(tables).flatMap(([type, { version, rows }]) =>
      Array.from(rows(model), data => ({ k: 'r' as const, type, v: version, data })),
    )
  return {
    snapshot,
    modelOf(rows) {
      const model = emptyModel()
      for (const { type, data } of rows) own(tables, type)?.put(model, data)
      return model
    },
    liftRow(row) {
      const table = own(tables, row.type)
      if (table) lift(table, row)
      return row.v === table?.version
    },
    stateHash: model => hashOfLines(snapshot(model).map(lineOf)),
    subjectHashes(model) {
      const lines: Record<string, string[]> = {}
      for (const row of snapshot(model)) (lines[subjectOf(row.type)] ??= []).push(lineOf(row))
      return Object.fromEntries(Object.entries(lines).map(([subject, its]) => [subject, hashOfLines(its)]))
    },
    checkpointLines(standing, model) {
      const rows = snapshot(model).map(lineOf)
      const state = hashOfLines(rows)
      return [lineOf({ k: 'c', format: checkpointFormat, ...standing, state, rows: rows.length }), ...rows]
    },
    lineOf,
  }
}

/** @returns 8 hex digits over the lines of rows: a checkpoint's `state` */
export function hashOfLines(lines: readonly string[]): string {
  return shortHash(lines.join('\n'))
}
