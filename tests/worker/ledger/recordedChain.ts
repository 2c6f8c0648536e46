/**
 * A chain without a virtual machine: transactions are compiled and signed, their balances are told. It answers as a node does,
 * from `TransactionRecord`s, so that both evaluations read the same history.
 */
import { exactIntegers } from '../../../src/runtime/json/bigIntegers.ts'
import { readJson } from '../../../src/runtime/json/readJson.ts'
import type { CallNode } from '../../../src/worker/ledger/saleHistory.ts'
import { base58, base64, concat, littleEndian, toJson } from '../../stack/solana/bytes.ts'
import { signedTransaction } from '../../stack/solana/compile.ts'
import { transactionJson } from '../../stack/solana/encode.ts'
import { addressBytes, type Keypair } from '../../stack/solana/keys.ts'
import type { TokenBalance, TransactionRecord } from '../../stack/solana/ledger.ts'
import { CLOCK_SYSVAR, type Instruction, SYSTEM, TOKEN } from '../../stack/solana/programs.ts'
import { readTransaction } from '../../stack/solana/wire.ts'

/** A token account at this chain. */
type TokenAccount = { address: string; mint: string; owner: string; amount: bigint }

export type RecordedChain = {
  records: TransactionRecord[]
  lamports: Map<string, bigint>
  tokens: Map<string, TokenAccount>
  /**
   * Records a transaction in the open slot.
   *
   * @param moves lamports, or base units of token accounts, by address; the balances change by these
   */
  land(
    instructions: Instruction[],
    signers: [Keypair, ...Keypair[]],
    moves?: Record<string, bigint>,
    failed?: boolean,
  ): TransactionRecord
  next(slots: number, seconds: number): void
  readonly slot: number
  readonly time: number
}

export function createRecordedChain(genesisHash: string, began: { slot: number; time: number }): RecordedChain {
  const now = { ...began }
  const records: TransactionRecord[] = []
  const lamports = new Map<string, bigint>()
  const tokens = new Map<string, TokenAccount>()
  const tokenBalances = (addresses: string[]): TokenBalance[] =>
    addresses.flatMap((address, accountIndex) => {
      const account = tokens.get(address)
      if (!account) return []
      const { mint, owner, amount } = account
      return [{ accountIndex, mint, owner, programId: TOKEN, amount: amount.toString(), decimals: 6 }]
    })
  const balances = (addresses: string[]) => addresses.map(address => (lamports.get(address) ?? 0n).toString())
  return {
    records,
    lamports,
    tokens,
    land(instructions, signers, moves = {}, failed = false) {
      // Each transaction has a blockhash of its own, so that none has the bytes of another
      const unique = concat(addressBytes(genesisHash).slice(0, 24), littleEndian(records.length + 1, 8))
      const { bytes, signature } = signedTransaction(instructions, signers, base58(unique))
      const { addresses } = readTransaction(bytes)
      const [before, tokensBefore] = [balances(addresses), tokenBalances(addresses)]
      for (const [address, change] of Object.entries(moves)) {
        const token = tokens.get(address)
        if (token) token.amount += change
        else lamports.set(address, (lamports.get(address) ?? 0n) + change)
      }
      const last = records.at(-1)
      const place = last?.slot === now.slot ? last.index : -1
      const record: TransactionRecord = {
        signature,
        slot: now.slot,
        index: place + 1 + (records.length % 3),
        time: now.time,
        bytes: base64(bytes),
        version: 'legacy',
        err: failed ? { InstructionError: [0, 'InvalidArgument'] } : null,
        fee: 5_000,
        units: 0,
        logs: [],
        inner: [],
        returnData: null,
        addresses,
        loaded: { writable: [], readonly: [] },
        before,
        after: balances(addresses),
        tokensBefore,
        tokensAfter: tokenBalances(addresses),
        memo: null,
      }
      records.push(record)
      return record
    },
    next(slots, seconds) {
      now.slot += slots
      now.time += seconds
    },
    get slot() {
      return now.slot
    },
    get time() {
      return now.time
    },
  }
}

/** The part of a chain that a node serves. */
export type ServedChain = Pick<RecordedChain, 'records' | 'lamports' | 'tokens' | 'slot' | 'time'>

/** `index`: whether transactions tell their place in the block. `within`: changes the order of a signature list. */
type NodeHabits = { index?: boolean; within?: (lines: TransactionRecord[]) => TransactionRecord[]; time?: boolean }

/** @returns a node that serves these records; those it leaves out are missing from its lists */
export function nodeOf(
  chain: ServedChain,
  genesisHash: string,
  { index = true, within = lines => lines, time = true }: NodeHabits = {},
  served: readonly TransactionRecord[] = chain.records,
): { call: CallNode; calls: Record<string, number> } {
  const calls: Record<string, number> = {}
  const bySignature = new Map(served.map(record => [record.signature, record]))
  const mentioning = new Map<string, TransactionRecord[]>()
  for (const record of served) {
    for (const address of record.addresses) {
      const known = mentioning.get(address) ?? []
      known.push(record)
      mentioning.set(address, known)
    }
  }
  const account = (address: string) => {
    const token = chain.tokens.get(address)
    if (token) {
      const data = new Uint8Array(165)
      data.set(concat(addressBytes(token.mint), addressBytes(token.owner), littleEndian(token.amount, 8)))
      data[108] = 1
      return { lamports: 2_039_280, owner: TOKEN, data: [base64(data), 'base64'] }
    }
    if (address === CLOCK_SYSVAR) {
      const data = concat(littleEndian(chain.slot, 8), new Uint8Array(24), littleEndian(chain.time, 8))
      return { lamports: 1, owner: 'Sysvar1111111111111111111111111111111111111', data: [base64(data), 'base64'] }
    }
    const lamports = chain.lamports.get(address)
    return lamports === undefined ? null : { lamports, owner: SYSTEM, data: ['', 'base64'] }
  }
  const methods: Record<string, (...params: any[]) => unknown> = {
    getGenesisHash: () => genesisHash,
    getMultipleAccounts: (addresses: string[]) => ({ context: { slot: chain.slot }, value: addresses.map(account) }),
    getSignaturesForAddress(address: string, { limit, before }: { limit: number; before?: string }) {
      const newest = within([...(mentioning.get(address) ?? [])].reverse())
      const from = before === undefined ? 0 : newest.findIndex(({ signature }) => signature === before) + 1
      return newest.slice(from, from + limit).map(({ signature, slot, err }) => ({ signature, slot, err }))
    },
    getTransaction(signature: string) {
      const record = bySignature.get(signature)
      if (!record) return null
      const place = index ? { transactionIndex: record.index } : {}
      const json = transactionJson(record, { encoding: 'base64', maxVersion: 0 })
      return { slot: record.slot, blockTime: time ? record.time : null, ...json, ...place }
    },
    getBlock(slot: number) {
      const inBlock = served.filter(record => record.slot === slot).sort((a, b) => a.index - b.index)
      return { signatures: inBlock.map(({ signature }) => signature) }
    },
    getBlockTime: () => null,
  }
  return {
    calls,
    async call(method, params) {
      calls[method] = (calls[method] ?? 0) + 1
      const answer = toJson(methods[method]?.(...params))
      return readJson(answer, { name: method, bigIntegers: exactIntegers, maxLength: 10_000_000, maxValues: Infinity })
    },
  }
}
