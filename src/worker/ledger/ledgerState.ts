/**
 * The state of a ledger after some of its transactions. It changes in place; it is a record of plain values, maps and sets, so that it
 * can be cloned and stored.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import { emptyBoard, type NoticeBoard } from '../../events/sale/notices/notices.ts'
import type { LedgerSale, TermsVersion } from './ledgerSale.ts'

/** A notice without effect, and why; a malformed one has no number and no verb. */
export type IgnoredNotice = {
  seq?: number
  verb?: string
  signature: string
  why: 'out_of_turn' | 'frozen_terms' | 'malformed'
  /** hash of frozen terms */
  hash?: string
}

export type LedgerState = {
  hash: Uint8Array
  rows: number
  slot: number
  /** transactions with rows in `slot` so far */
  ranked: number
  /** newest balance of each watched account, by asset */
  balances: Map<string, bigint>
  board: NoticeBoard
  /** versions that were announced, and the one in force */
  announced: Set<string>
  inForce: string | undefined
  pos: bigint
  raised: bigint
  tokens: bigint
  orders: number
  /** accepted credits by buyer */
  credits: Map<string, bigint>
  /** buyer and id of each order that was judged */
  seen: Set<string>
  /** token base units by referrer, and what is left of the pool */
  bonuses: Map<string, bigint>
  bonusLeft: bigint
  /** units by asset */
  accepted: Map<string, bigint>
  owed: Map<string, bigint>
  statuses: Map<string, number>
  ignored: IgnoredNotice[]
  strays: { signature: string; account: string; mint: string; units: bigint }[]
}

/** @returns a ledger before the first transaction of its accounts: their balances are 0 */
export function emptyLedger(sale: LedgerSale): LedgerState {
  return {
    hash: hexToBytes(sale.first.hash),
    rows: 0,
    slot: 0,
    ranked: 0,
    balances: new Map(sale.watched.map(({ asset }) => [asset, 0n])),
    board: emptyBoard(),
    announced: new Set(),
    inForce: undefined,
    pos: 0n,
    raised: 0n,
    tokens: 0n,
    orders: 0,
    credits: new Map(),
    seen: new Set(),
    bonuses: new Map(),
    bonusLeft: BigInt(sale.first.terms.referral.pool),
    accepted: new Map(),
    owed: new Map(),
    statuses: new Map(),
    ignored: [],
    strays: [],
  }
}

/** @returns the version of the terms in force; undefined before the first one is announced */
export function inForceOf({ versions }: LedgerSale, { inForce }: LedgerState): TermsVersion | undefined {
  return inForce === undefined ? undefined : versions.find(({ hash }) => hash === inForce)
}

/** Adds to one sum of a state. */
export function addTo(sums: Map<string, bigint>, key: string, value: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + value)
}
