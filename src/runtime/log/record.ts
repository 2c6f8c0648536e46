/**
 * The kinds of line in a log. Keys stand in the order written here; integers and strings only.
 * Times are milliseconds since the Unix epoch.
 */

/** Something from outside reached the core. `to` names the effect it answers, `tab` the page it came from. */
export type InputRecord = {
  k: 'i'
  n: number
  at: number
  type: string
  v: number
  data: Record<string, unknown>
  to?: string
  tab?: string
  ref?: string
}

/** The core decided that something happened. `n` is the input that caused it. */
export type FactRecord = {
  k: 'f'
  seq: number
  n: number
  at: number
  type: string
  v: number
  data: Record<string, unknown>
  ref?: string
}

/**
 * Effects of the preceding input: their types and a 32-bit hash of them all, with ids and times relative to that input. Only
 * version 1 of the file has `n`; its hash covers absolute ids and times.
 */
export type EffectRecord = { k: 'e'; n?: number; types: string[]; h: string }

/** A page fact, written by its page. `after` is the last core `seq` the page had folded. */
export type PageRecord = {
  k: 'p'
  p: number
  life: number
  after: number
  tab: string
  at: number
  type: string
  v: number
  data: Record<string, unknown>
}

/** A page fact on its way to the log, which gives it the version of its type: pages load no definitions. */
export type SentPageFact = Omit<PageRecord, 'v'>

/** Format of checkpoints. Format 1 had no number, and called its `rows` `restated`: see `liftCheckpoint`. */
export const checkpointFormat = 2

/**
 * Position of the log after input `n` with all of its facts and effects. `state` is the hash of the model, `transient` the
 * core's scratch memory with its boot, `rows` the number of a snapshot's rows that follow.
 */
export type CheckpointRecord = {
  k: 'c'
  format: number
  n: number
  seq: number
  life: number
  at: number
  build: string
  state: string
  transient: Record<string, unknown>
  rows: number
}

/** One row of a snapshot: a thing in the model. Its times stand in its data. */
export type RowRecord = { k: 'r'; type: string; v: number; data: Record<string, unknown> }

/** @returns a parsed checkpoint in today's format; one of a later format, or what is none, as it came */
export function liftCheckpoint(record: Record<string, unknown>): Record<string, unknown> {
  if (record.format !== undefined || record.restated === undefined) return record
  const { restated: rows, ...rest } = record
  return { ...rest, format: checkpointFormat, rows }
}

/** Records written as they happen. */
export type RunningRecord = InputRecord | FactRecord | EffectRecord | PageRecord
export type LogRecord = RunningRecord | CheckpointRecord | RowRecord

/**
 * An order to a driver. With `after: 'written'` it waits for the commit of its input's segment, which survives a crash of page
 * or browser; with `stored` for the flush to disk, which survives a power cut.
 */
export type Effect<T extends string = string, D = Record<string, unknown>> = {
  id: string
  type: T
  data: D
  after?: 'stored' | 'written'
  tab?: string
}

/** @returns the kind of record on a line, which stands first in it: `{"k":"i"`; of another text any character */
export function lineKind(line: string | undefined): string | undefined {
  return line?.[6]
}
