/**
 * The four kinds of line in a log. Keys stand in the order written here; integers and strings only.
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

/** What the input set in motion: the effects' types and a 32-bit hash of them all. */
export type EffectRecord = { k: 'e'; n: number; types: string[]; h: string }

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

export type LogRecord = InputRecord | FactRecord | EffectRecord | PageRecord

/** An order to a driver. With `after: 'stored'` it is released only once its input's segment is on disk. */
export type Effect<T extends string = string, D = Record<string, unknown>> = {
  id: string
  type: T
  data: D
  after?: 'stored'
  tab?: string
}
