import type { TransactionError } from './errors.ts'

export type TokenBalance = {
  accountIndex: number
  mint: string
  owner: string
  programId: string
  amount: string
  decimals: number
}

/** An executed transaction and its effects. Plain JSON, also the persisted form. */
export type TransactionRecord = {
  signature: string
  slot: number
  /** place in its block, from 0 */
  index: number
  /** Unix seconds */
  time: number
  /** base64 of the wire bytes */
  bytes: string
  version: 'legacy' | 0
  err: TransactionError | null
  /** lamports */
  fee: number
  units: number
  logs: string[]
  inner: { index: number; instructions: { program: number; accounts: number[]; data: string; stackHeight: number }[] }[]
  returnData: { programId: string; data: [string, 'base64'] } | null
  /** every account key: static ones, then looked-up writable, then looked-up read-only */
  addresses: string[]
  loaded: { writable: string[]; readonly: string[] }
  /** lamports by key, before and after, decimal text */
  before: string[]
  after: string[]
  tokensBefore: TokenBalance[]
  tokensAfter: TokenBalance[]
  /** "[length] text", joined by "; " */
  memo: string | null
}

/** Everything that was executed, by order, signature and every key mentioned, read-only non-signers included. */
export type Ledger = {
  add(record: TransactionRecord): void
  /** removes what came after a slot; returns it, oldest first */
  dropAfter(slot: number): TransactionRecord[]
  get(signature: string): TransactionRecord | undefined
  /** oldest first */
  all(): readonly TransactionRecord[]
  /** transactions that mention an address, oldest first */
  mentioning(address: string): readonly TransactionRecord[]
}

export function createLedger(kept: TransactionRecord[] = []): Ledger {
  const all: TransactionRecord[] = []
  const bySignature = new Map<string, TransactionRecord>()
  const byAddress = new Map<string, TransactionRecord[]>()
  const add = (record: TransactionRecord) => {
    all.push(record)
    bySignature.set(record.signature, record)
    for (const address of new Set(record.addresses)) {
      const list = byAddress.get(address)
      if (list) list.push(record)
      else byAddress.set(address, [record])
    }
  }
  for (const record of kept) add(record)
  return {
    add,
    dropAfter(slot) {
      const first = all.findIndex(record => record.slot > slot)
      const gone = first < 0 ? [] : all.splice(first)
      for (const { signature } of gone) bySignature.delete(signature)
      for (const address of new Set(gone.flatMap(record => record.addresses)))
        byAddress.set(address, byAddress.get(address)?.filter(record => record.slot <= slot) ?? [])
      return gone
    },
    get: signature => bySignature.get(signature),
    all: () => all,
    mentioning: address => byAddress.get(address) ?? [],
  }
}
