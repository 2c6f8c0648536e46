/**
 * The least work that leads to the same ledger: each answer is parsed, its signatures verified, and the second implementation
 * judges all records at once. It holds everything, and trusts the node with all but the signatures.
 */
import { createPublicKey, verify } from 'node:crypto'
import { base58, fromBase64 } from '../../../../stack/solana/bytes.ts'
import type { TokenBalance, TransactionRecord } from '../../../../stack/solana/ledger.ts'
import { evaluate, type Evaluated } from '../../../../stack/solana/presale/evaluate.ts'
import { readTransaction } from '../../../../stack/solana/wire.ts'

type ToldBalance = { accountIndex: number; mint: string; owner: string; uiTokenAmount: { amount: string } }
type Told = {
  slot: number
  blockTime: number
  transactionIndex: number
  transaction: [string]
  meta: {
    err: TransactionRecord['err']
    preBalances: number[]
    postBalances: number[]
    preTokenBalances: ToldBalance[]
    postTokenBalances: ToldBalance[]
    loadedAddresses: { writable: string[]; readonly: string[] }
  }
}

/** @param results of `getTransaction`, as JSON. @returns the ledger's lines */
export function plainLoop(results: Iterable<string>, sale: Evaluated): string[] {
  const records = Array.from(results, text => recordOf(JSON.parse(text) as Told))
  records.sort((a, b) => a.slot - b.slot || a.index - b.index)
  return evaluate(records, sale).lines
}

function recordOf({ slot, blockTime: time, transactionIndex: index, transaction, meta }: Told): TransactionRecord {
  const [bytes] = transaction
  const { signatures, message, keys, addresses: own } = readTransaction(fromBase64(bytes) ?? new Uint8Array())
  for (const [at, signature] of signatures.entries()) {
    const x = Buffer.from(keys[at] ?? []).toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    if (!verify(null, message, key, signature)) throw new Error(`a transaction of slot ${slot} expected its signatures`)
  }
  const { writable, readonly } = meta.loadedAddresses
  return {
    signature: base58(signatures[0] ?? new Uint8Array()),
    slot,
    index,
    time,
    bytes,
    err: meta.err,
    addresses: [...own, ...writable, ...readonly],
    before: meta.preBalances.map(String),
    after: meta.postBalances.map(String),
    tokensBefore: meta.preTokenBalances.map(balanceOf),
    tokensAfter: meta.postTokenBalances.map(balanceOf),
  } as TransactionRecord
}

function balanceOf({ accountIndex, mint, owner, uiTokenAmount: { amount } }: ToldBalance): TokenBalance {
  return { accountIndex, mint, owner, amount } as TokenBalance
}
