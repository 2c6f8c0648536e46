/** What the bench's pages offer to whoever drives them. */

/** How facts reach the page: as the product sends them, one callback a fact, or bare arrays. */
export type Manner = 'batches' | 'callbacks' | 'raw'

export type Flood = { manner: Manner; perSecond: number; count: number }

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

declare global {
  interface Window {
    transferBench?: TransferBench
    rowsBench?: RowsBench
  }
}
