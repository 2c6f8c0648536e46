/** Where a log stands. */
import { Fault } from '../failure.ts'

/** Position of the log: the next life, input and fact have these numbers plus one. */
export type LogPosition = { life: number; n: number; seq: number }

/** Notes of one life for the next about inputs that may end a core. */
export type Care = {
  /** build that wrote this; another build may handle an input that this one could not */
  build: string
  /** line of the input whose step is about to begin */
  pending?: string
  /** inputs that ended one life in their step and have not succeeded since, newest first: see `suspectOf` */
  suspects?: readonly string[]
  /** keys of quarantined inputs, newest first */
  aside: readonly string[]
}

/** The head on disk. */
export type Head = LogPosition & {
  /** number and link (sha256) of the newest segment */
  segment: number
  link: string
  /** number of the oldest segment that is left, and what all that are left hold */
  first: number
  records: number
  bytes: number
  /** how often the disk was too full for the budget */
  halved: number
  /** number of the format of the build that wrote last; absent in logs of builds that had no number */
  format?: number
  /** drawn by the journal that wrote last: two that open the same log at once are told apart */
  by?: string
  care?: Care
}
export const emptyHead: Head = {
  life: 0,
  n: 0,
  seq: 0,
  segment: 0,
  link: '',
  first: 1,
  records: 0,
  bytes: 0,
  halved: 0,
}

/** @returns the fault of a strict flush where nothing is durable */
export function notOnDisk(): Fault {
  return new Fault('storage_down', 'a strict flush expected a log on disk, this one is kept in memory')
}
