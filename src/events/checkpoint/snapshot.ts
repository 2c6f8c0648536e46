/** A snapshot: the model in rows. Rows put into an empty model restore an equal model. */
import { type CoreModel, emptyCoreModel, subjectOf } from '../app.ts'
import { lift } from '../log/codec.ts'
import { lineOf } from '../log/lineOf.ts'
import { type CheckpointRecord, checkpointFormat, type RowRecord } from '../log/record.ts'
import { shortHash } from '../log/shortHash.ts'
import type { Table } from './table.ts'
import { snapshotTables, tableOf } from './tables.ts'

/** @returns the rows of a model, by table; rows of one table stand in its order */
export function snapshot(model: CoreModel): RowRecord[] {
  return Object.entries<Table>(snapshotTables).flatMap(([type, { version, rows }]) =>
    Array.from(rows(model), data => ({ k: 'r' as const, type, v: version, data })),
  )
}

/** @returns the model of these rows, whose data become part of it; a type unknown to this build changes nothing */
export function modelOf(rows: Iterable<Pick<RowRecord, 'type' | 'data'>>): CoreModel {
  const model = emptyCoreModel()
  for (const { type, data } of rows) tableOf(type)?.put(model, data)
  return model
}

/** Lifts a row that this device wrote to today's shape, in place. @returns false for a type or version of a newer build */
export function liftRow(row: RowRecord): boolean {
  const table = tableOf(row.type)
  if (table) lift(table, row)
  return row.v === table?.version
}

/** @returns 8 hex digits over the rows' lines, whose fields have a fixed order: equal for equal models */
export function stateHash(model: CoreModel): string {
  return hashOfLines(snapshot(model).map(lineOf))
}

/** Hashes of a model's subjects, 8 hex digits each; a subject without rows has none. */
export type SubjectHashes = Readonly<Record<string, string>>

/** @returns for each subject the hash of its rows' lines: two models differ where these differ */
export function subjectHashes(model: CoreModel): SubjectHashes {
  const lines: Record<string, string[]> = {}
  for (const row of snapshot(model)) (lines[subjectOf(row.type)] ??= []).push(lineOf(row))
  return Object.fromEntries(Object.entries(lines).map(([subject, its]) => [subject, hashOfLines(its)]))
}

/** A position in the log. `transient` is the core's scratch memory with its boot, as plain JSON. */
type CheckpointPosition = Pick<CheckpointRecord, 'n' | 'seq' | 'life' | 'at' | 'build' | 'transient'>

/** @returns the lines of a checkpoint: its record, then its rows */
export function checkpointLines(standing: CheckpointPosition, model: CoreModel): string[] {
  const rows = snapshot(model).map(lineOf)
  const state = hashOfLines(rows)
  return [lineOf({ k: 'c', format: checkpointFormat, ...standing, state, rows: rows.length }), ...rows]
}

/** @returns 8 hex digits over the lines of rows: a checkpoint's `state` */
export function hashOfLines(lines: readonly string[]): string {
  return shortHash(lines.join('\n'))
}
