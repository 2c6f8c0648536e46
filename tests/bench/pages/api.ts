/** What the bench's pages and their worker offer to whoever drives them. */
import type { FactRecord } from '../../../src/events/log/record.ts'
import type { Attached, PagePort } from '../../../src/events/wire.ts'

/** How facts reach the page: as the product sends them, one callback a fact, or bare arrays. */
export type Manner = 'batches' | 'callbacks' | 'raw'

export type Flood = { manner: Manner; perSecond: number; count: number }

/** What the bench's worker offers its page. */
export type FactWorker = {
  join(port: PagePort, one: (fact: FactRecord) => void): Promise<Attached>
  /** Resolves when the last fact is sent. */
  flood(flood: Flood): Promise<void>
  search(text: string, ref: string): Promise<void>
}

export type TransferBench = {
  /** Resolves when the last of the facts is folded. */
  flood(flood: Flood): Promise<void>
  /** Gives one command to the core. @returns ms until what came of it was painted */
  press(): Promise<number>
  /** The same way with nothing in it: a bare message there and back, and a text node. @returns ms */
  echo(): Promise<number>
}

/** Of one unrelated fact: how many of the rows rendered, and the time until the tree was up to date. */
export type Unrelated = { renders: number; microseconds: number }

export type RowsBench = {
  readonly rows: number
  selectors(facts: number): Unrelated
  context(facts: number): Unrelated
}

/** Times in ms. */
export type JournalBench = {
  /** Writes so many records to a new log. */
  append(records: number, durability: 'strict' | 'relaxed'): Promise<number>
  /** Writes as many rows, each in a transaction of its own, and reads them all at once. */
  rows(records: number): Promise<{ write: number; read: number }>
  /** Opens a log of so many records: every link checked, every fact read. */
  readBack(records: number): Promise<number>
  /** The same, and a core folds them. */
  coldStart(records: number): Promise<number>
  /** What a checkpoint of a big world holds the worker up, beside a copy of that world. */
  checkpointPause(): { restate: number; clone: number }
  /**
   * So many sessions, restated and written while something else wants its turn: the longest it waits, ms; and how long the
   * same takes at once.
   */
  sessionsPause(sessions: number): Promise<{ sliced: number; whole: number }>
}

/** A WalletConnect client. */
export type ClientBench = {
  /** @returns the code, and ms from the call to it */
  pair(): Promise<{ uri: string; ms: number }>
  /** @returns the session that came of the last code, and when, ms since the Unix epoch */
  settled(): Promise<{ sessionTopic: string; at: number }>
  /** @returns ms from the call to the wallet's answer */
  sign(sessionTopic: string, message: { message: string; pubkey: string }): Promise<number>
}

declare global {
  interface Window {
    transferBench?: TransferBench
    rowsBench?: RowsBench
    journalBench?: JournalBench
    clientBench?: ClientBench
  }
}
