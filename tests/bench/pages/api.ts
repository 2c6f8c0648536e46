/** Interface of the bench's pages and their worker. */
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import type { Attached, PagePort } from '../../../src/events/wire.ts'

/** Transport of facts to the page: the product's batches, one callback per fact, or bare arrays. */
export type Manner = 'batches' | 'callbacks' | 'raw'

export type Flood = { manner: Manner; perSecond: number; count: number }

/** Interface of the bench's worker for its page. */
export type FactWorker = {
  join(port: PagePort, one: (fact: FactRecord) => void): Promise<Attached>
  /** Resolves when the last fact is sent. */
  flood(flood: Flood): Promise<void>
  search(text: string, ref: string): Promise<void>
}

export type TransferBench = {
  /** Resolves when the last of the facts is folded. */
  flood(flood: Flood): Promise<void>
  /** Sends one command to the core. @returns ms until its result was painted */
  press(): Promise<number>
  /** The same path without a core: a bare message there and back, and a text node. @returns ms */
  echo(): Promise<number>
}

/** Cost of one unrelated fact: rendered rows, and the time until the tree was up to date. */
export type Unrelated = { renders: number; microseconds: number }

export type RowsBench = {
  readonly rows: number
  selectors(facts: number): Unrelated
  context(facts: number): Unrelated
}

/** Times in ms. */
export type JournalBench = {
  /** Writes this many records to a new log. */
  append(records: number, durability: 'strict' | 'relaxed'): Promise<number>
  /** Writes this many rows, each in its own transaction, and reads them all at once. */
  rows(records: number): Promise<{ write: number; read: number }>
  /** Opens a log of this many records: verifies every link, reads every fact. */
  readBack(records: number): Promise<number>
  /** The same, and folds them into a core. */
  coldStart(records: number): Promise<number>
  /** Pause of the worker for a checkpoint of a model with a directory of wallets, beside a copy of that model. */
  checkpointPause(of: { sessions: number; orders: number }): { checkpoint: number; clone: number }
}

/** A WalletConnect client. */
export type ClientBench = {
  /** @returns the code, and ms from the call to it */
  pair(): Promise<{ uri: string; ms: number }>
  /** @returns the session of the last code, and its time, ms since the Unix epoch */
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
