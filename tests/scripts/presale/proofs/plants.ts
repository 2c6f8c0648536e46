/**
 * Lies about one transaction of a history. Each changes what a ledger says: the chosen transactions have rows, and invented ones
 * move money. A stranger's transaction without effect can be listed or left out at will; it is no part of a ledger.
 */
import { type Random, randomHex } from '../../../fuzz/random.ts'
import { base58, base64, sha256 } from '../../../stack/solana/bytes.ts'
import { signedTransaction } from '../../../stack/solana/compile.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import type { TokenBalance, TransactionRecord } from '../../../stack/solana/ledger.ts'
import { orderMemo } from '../../../stack/solana/presale/marks.ts'
import { balancesIn, type Watched } from '../../../stack/solana/presale/payments.ts'
import { associatedAccount, memo, TOKEN, transfer, transferChecked } from '../../../stack/solana/programs.ts'
import { readTransaction } from '../../../stack/solana/wire.ts'

export const plantKinds = ['missing', 'extra', 'reordered', 'altered'] as const
export type PlantKind = (typeof plantKinds)[number]

/** A history in canonical order, and which places of it have rows. `lastSlot`: the newest final one. */
export type History = {
  records: readonly TransactionRecord[]
  rowed: readonly number[]
  watched: Watched
  termsHash: string
  usdcMint: string
  lastSlot: number
}

/** `removed`: signatures that are no longer where they were; `placed`: transactions that are told instead. */
export type Plant = {
  kind: PlantKind
  said: string
  removed: ReadonlySet<string>
  placed: readonly TransactionRecord[]
  firstSlot: number
  lastSlot: number
}

type Change = Pick<Plant, 'kind' | 'said'> & {
  removed: readonly TransactionRecord[]
  placed: readonly TransactionRecord[]
}

/** @returns one lie */
export function planted(random: Random, history: History, kind: PlantKind): Plant {
  const { removed, placed, said } = makers[kind](random, history)
  const slots = [...removed, ...placed].map(({ slot }) => slot)
  return {
    kind,
    said,
    removed: new Set(removed.map(({ signature }) => signature)),
    placed,
    firstSlot: Math.min(...slots),
    lastSlot: Math.max(...slots),
  }
}

const makers: Record<PlantKind, (random: Random, history: History) => Change> = {
  missing(random, history) {
    const { record } = victimOf(random, history)
    return { kind: 'missing', said: `${record.signature} left out`, removed: [record], placed: [] }
  },
  extra(random, history) {
    const place = random.below(history.records.length)
    const anchor = history.records[place] as TransactionRecord
    const made = invented(random, history, place)
    // The invented one has a place of its own in the block
    const after = history.records.filter(({ slot, index }) => slot === anchor.slot && index > anchor.index)
    return {
      kind: 'extra',
      said: `${made.signature} invented after ${anchor.signature}`,
      removed: after,
      placed: [made, ...after.map(record => ({ ...record, index: record.index + 1 }))],
    }
  },
  reordered(random, history) {
    const { record: one, at } = victimOf(random, history, 1)
    const other = history.records[history.rowed[Math.min(at + 1 + random.below(4), history.rowed.length - 1)] ?? 0]
    if (!other) throw new Error('a history expected two transactions with rows, got one')
    const placeOf = ({ slot, index, time }: TransactionRecord) => ({ slot, index, time })
    return {
      kind: 'reordered',
      said: `${one.signature} and ${other.signature} exchanged`,
      removed: [one, other],
      placed: [
        { ...one, ...placeOf(other) },
        { ...other, ...placeOf(one) },
      ],
    }
  },
  altered(random, history) {
    const { record } = victimOf(random, history)
    const { field, changed } = altered(random, history, record)
    return { kind: 'altered', said: `${field} of ${record.signature} changed`, removed: [record], placed: [changed] }
  },
}

/** @param spare how many transactions with rows must follow it @returns one with rows, and its place among these */
function victimOf(random: Random, { records, rowed }: History, spare = 0): { record: TransactionRecord; at: number } {
  const at = random.below(rowed.length - spare)
  return { record: records[rowed[at] ?? 0] as TransactionRecord, at }
}

type Altered = { field: string; changed: TransactionRecord }

function altered(random: Random, history: History, record: TransactionRecord): Altered {
  const named = history.watched.accounts.filter(({ address }) => record.addresses.includes(address))
  const fields = ['bytes', 'bytes', 'failure', 'time', 'slot', ...(named.length > 0 ? ['before', 'after'] : [])]
  const field = random.pick(fields)
  switch (field) {
    case 'bytes': {
      const bytes = Buffer.from(record.bytes, 'base64')
      const at = random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
      return { field, changed: { ...record, bytes: bytes.toString('base64') } }
    }
    case 'failure':
      return { field, changed: { ...record, err: { InstructionError: [0, 'InvalidArgument'] } } }
    case 'time':
      return { field, changed: { ...record, time: record.time + random.pick([-1, 1]) * (1 + random.below(100_000)) } }
    case 'slot':
      return { field, changed: moved(random, history, record) }
    default: {
      const { address } = random.pick(named)
      const by = BigInt(random.pick([-1, 1]) * (1 + random.below(1_000)))
      return { field, changed: withBalance(history, record, { address, side: field as Side, by }) }
    }
  }
}

/** In another slot nearby, behind what is there. */
function moved(random: Random, { records, lastSlot }: History, record: TransactionRecord): TransactionRecord {
  const by = 1 + random.below(4)
  const slot = record.slot + by <= lastSlot ? record.slot + by : record.slot - by
  const there = records.filter(one => one.slot === slot).map(({ index }) => index)
  return { ...record, slot, index: Math.max(-1, ...there) + 1 }
}

type Side = 'before' | 'after'

function withBalance(
  { watched }: History,
  record: TransactionRecord,
  { address, side, by }: { address: string; side: Side; by: bigint },
): TransactionRecord {
  const place = record.addresses.indexOf(address)
  const sum = (amount = '0') => {
    const changed = BigInt(amount) + by
    return (changed < 0n ? BigInt(amount) - by : changed).toString()
  }
  if (address === watched.treasury)
    return { ...record, [side]: record[side].map((amount, at) => (at === place ? sum(amount) : amount)) }
  const name = side === 'before' ? 'tokensBefore' : 'tokensAfter'
  const tokens = record[name].map(entry =>
    entry.accountIndex === place ? { ...entry, amount: sum(entry.amount) } : entry,
  )
  return { ...record, [name]: tokens }
}

/** A well-signed payment that never landed, in the slot after a place of the history; its balances follow from those before it. */
function invented(random: Random, history: History, place: number): TransactionRecord {
  const { records, watched, usdcMint, termsHash } = history
  const anchor = records[place] as TransactionRecord
  const payer = seededKeypair('planted', `payer ${random.below(1_000_000)}`)
  const asset = random.pick(['SOL', 'USDC'])
  const to = watched.accounts.find(account => account.asset === asset)?.address ?? ''
  const from = associatedAccount(payer.address, usdcMint)
  const units = BigInt(1 + random.below(2_000_000_000))
  const id = randomHex(random, 8)
  const order = { terms: termsHash.slice(0, 16), id, asset, units, quoted: 0n, min: 0n }
  const texts = random.oneIn(3) ? [] : [memo(orderMemo(order))]
  const pays =
    asset === 'SOL'
      ? transfer(payer.address, to, units)
      : transferChecked({
          from,
          mint: usdcMint,
          to,
          authority: payer.address,
          amount: units,
          decimals: 6,
          references: [],
        })
  const { bytes, signature } = signedTransaction([...texts, pays], [payer], base58(sha256(random.bytes(32))))
  const { addresses } = readTransaction(bytes)
  const held = lastBalance(history, place, to)
  const amounts = (change: bigint) =>
    addresses.map(address => {
      if (asset === 'SOL' && address === to) return (held + change).toString()
      return (10n ** 12n - (asset === 'SOL' && address === payer.address ? change : 0n)).toString()
    })
  const tokens = (change: bigint): TokenBalance[] => {
    if (asset === 'SOL') return []
    const entry = (address: string, owner: string, amount: bigint): TokenBalance => {
      const accountIndex = addresses.indexOf(address)
      return { accountIndex, mint: usdcMint, owner, programId: TOKEN, amount: amount.toString(), decimals: 6 }
    }
    return [entry(from, payer.address, 10n ** 12n - change), entry(to, watched.treasury, held + change)]
  }
  return {
    ...anchor,
    index: anchor.index + 1,
    signature,
    bytes: base64(bytes),
    version: 'legacy',
    err: null,
    addresses,
    loaded: { writable: [], readonly: [] },
    inner: [],
    before: amounts(0n),
    after: amounts(units),
    tokensBefore: tokens(0n),
    tokensAfter: tokens(units),
    memo: null,
  }
}

/** The balance of a watched account after a place of the history. */
function lastBalance({ records, watched }: History, place: number, address: string): bigint {
  for (let at = place; at >= 0; at -= 1) {
    const balances = balancesIn(records[at] as TransactionRecord, address, watched)
    if (balances) return balances[1]
  }
  return 0n
}
