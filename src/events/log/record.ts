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
 * What the input before it set in motion: the effects' types and a 32-bit hash of them all, as they stand to that input.
 * `n` is only there as builds before the second version of the file wrote it: their hash holds whole ids and times.
 */
export type EffectRecord = { k: 'e'; n?: number; types: string[]; h: string }

/** What one page showed, written by that page. `after` is the last core `seq` it had folded. */
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

/**
 * Where the log stands after input `n`, which is whole: `state` is the hash of all that the core knows, `transient` its
 * scratch memory with the boot that it began with, `restated` how many restated facts follow.
 */
export type CheckpointRecord = {
  k: 'c'
  n: number
  seq: number
  life: number
  at: number
  build: string
  state: string
  transient: Record<string, unknown>
  restated: number
}

/** One thing that was known at a checkpoint. Its times stand in its data. */
export type RestatedRecord = { k: 'r'; type: string; v: number; data: Record<string, unknown> }

/** What is written as it happens. */
export type RunningRecord = InputRecord | FactRecord | EffectRecord | PageRecord
export type LogRecord = RunningRecord | CheckpointRecord | RestatedRecord

/**
 * An order to a driver. With `after: 'written'` it is released only once its input's segment is committed, so that no death
 * of this page or browser takes it back; with `stored` once it is on the disk itself, so that a power cut does not either.
 */
export type Effect<T extends string = string, D = Record<string, unknown>> = {
  id: string
  type: T
  data: D
  after?: 'stored' | 'written'
  tab?: string
}
