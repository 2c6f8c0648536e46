/**
 * The ledger of a sale, a second time: written from the specification alone, over the chain's own records. It shares no code
 * with the product, so that each checks the other byte for byte.
 */
import { canonicalJson, hex, sha256 } from '../bytes.ts'
import type { TransactionRecord } from '../ledger.ts'
import { curveOf, rateOf } from './curve.ts'
import type { Marks, Notice, OrderMemo } from './marks.ts'
import { balancesIn, type Meaning, meaningsOf, type Watched } from './payments.ts'
import type { Terms } from './terms.ts'

/** Totals of a sale after judging every transaction up to a slot, in credits, base units and units owed. */
export type Evaluation = {
  raised: bigint
  pos: bigint
  tokens: bigint
  orders: number
  buyers: number
  refundsOwed: Record<string, bigint>
  /** hex of the last row's chained hash */
  ledgerHash: string
  /** how payments ended, by status */
  statuses: Record<string, number>
  /** the rows as JSON, one text each */
  lines: string[]
  /** referral bonuses in base units, by referrer */
  bonuses: Record<string, bigint>
  /** accepted units by asset, owed back when the sale fails */
  acceptedUnits: Record<string, bigint>
  closed: boolean
  /** in force at the end */
  terms: Terms
}

/** `later`: further versions of the terms by hash. `allowed`: the allowlist. */
export type Evaluated = {
  terms: Terms
  termsHash: string
  watched: Watched
  marks: Marks
  later?: Record<string, Terms>
  allowed?: string[]
}

const COLUMNS = [
  'status',
  'buyer',
  'asset',
  'units',
  'accepted',
  'refund',
  'tokens',
  'pos',
  'order',
  'terms',
  'min',
  'ref',
]

type Verdict = { status: string; accepted: bigint; tokens: bigint }

/**
 * Judges a sale's transactions in canonical order (slot, then place in the block).
 *
 * @param sale `termsHash` is the hex hash of version 1, where the chain of row hashes begins
 */
export function evaluate(records: readonly TransactionRecord[], sale: Evaluated): Evaluation {
  let current = sale.terms
  let [paused, closed, lastSeq] = [false, false, 0]
  let [pos, raised, sold, orders] = [0n, 0n, 0n, 0]
  let pool = BigInt(sale.terms.referral.pool)
  const announced: string[] = []
  const paid = new Map<string, bigint>()
  const judged = new Set<string>()
  const bonuses: Record<string, bigint> = {}
  const refundsOwed: Record<string, bigint> = {}
  const acceptedUnits: Record<string, bigint> = {}
  const statuses: Record<string, number> = {}
  const lines: string[] = []
  let hash: Uint8Array = Uint8Array.from(Buffer.from(sale.termsHash, 'hex'))

  const write = (record: TransactionRecord, index: number, fields: Record<string, string | null>) => {
    const { slot, time, signature } = record
    const place = { i: lines.length + 1, slot, index, time, sig: signature }
    const row = { ...place, ...Object.fromEntries(COLUMNS.map(name => [name, fields[name] ?? null])) }
    hash = sha256(hash, canonicalJson(row))
    lines.push(JSON.stringify({ ...row, h: hex(hash) }))
    const status = fields.status ?? ''
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const counts = ({ seq, verb, arg }: Notice): boolean => {
    if (seq !== lastSeq + 1) return false
    lastSeq = seq
    if (verb === 'pause') paused = true
    if (verb === 'resume') paused = false
    if (verb === 'close') closed = true
    if (verb !== 'terms') return true
    const next = arg === sale.termsHash ? sale.terms : sale.later?.[arg]
    if (next && next !== current && !mayFollow(current, next)) return false
    announced.push(arg)
    if (next) current = next
    return true
  }
  const judge = (time: number, buyer: string, units: bigint, order: OrderMemo): Verdict => {
    const refused = (status: string) => ({ status, accepted: 0n, tokens: 0n })
    if (!announced.some(known => known.slice(0, 16) === order.terms)) return refused('unknown_terms')
    if (time < current.start) return refused('early')
    if (time >= current.end || closed) return refused('late')
    if (paused) return refused('paused')
    if (sale.allowed && !sale.allowed.includes(buyer)) return refused('not_allowed')
    if (judged.has(buyer + order.id)) return refused('duplicate')
    judged.add(buyer + order.id)

    const curve = curveOf(current)
    const rate = rateOf(current, order.asset)
    let end = 0n
    for (const stage of current.stages) {
      end += BigInt(stage.credits)
      if (stage.endsAt !== undefined && stage.endsAt <= time && pos < end) pos = end
    }
    const hard = curve.hardCap - pos
    const room = BigInt(current.maxBuyer) - (paid.get(buyer) ?? 0n)
    if (hard / rate === 0n) return refused('sold_out')
    if (room / rate === 0n) return refused('buyer_cap')
    if (units * rate < least(BigInt(current.minOrder), (hard / rate) * rate)) return refused('under_min')
    const accepted = least(units, least(hard, room) / rate)
    const credits = accepted * rate
    const tokens = curve.tokens(pos, credits)
    if (tokens === 0n || tokens * units < order.min * accepted) return refused('price_protect')
    const { referrer } = order
    if (referrer !== undefined && referrer !== buyer && paid.has(referrer)) {
      const bonus = least(pool, (tokens * BigInt(current.referral.bps)) / 10_000n)
      pool -= bonus
      if (bonus > 0n) bonuses[referrer] = (bonuses[referrer] ?? 0n) + bonus
    }
    pos += credits
    raised += credits
    sold += tokens
    orders++
    paid.set(buyer, (paid.get(buyer) ?? 0n) + credits)
    return { status: accepted === units ? 'accepted' : 'partial', accepted, tokens }
  }
  const fieldsOf = (meaning: Meaning, time: number): Record<string, string | null> | undefined => {
    if (meaning.kind === 'notice') {
      const { seq, verb, arg } = meaning.notice
      return counts(meaning.notice) ? { status: 'notice', order: `${seq}:${verb}:${arg}` } : undefined
    }
    const { asset, units } = meaning
    if (meaning.kind === 'moved') return { status: meaning.status, asset, units: String(units) }
    const { buyer } = meaning
    const verdict =
      meaning.kind === 'order'
        ? judge(time, meaning.buyer, units, meaning.order)
        : { status: meaning.status, accepted: 0n, tokens: 0n }
    const { status, accepted, tokens } = verdict
    const refund = units - accepted
    if (refund > 0n) refundsOwed[asset] = (refundsOwed[asset] ?? 0n) + refund
    if (accepted > 0n) acceptedUnits[asset] = (acceptedUnits[asset] ?? 0n) + accepted
    const amounts = { accepted: String(accepted), refund: String(refund), tokens: String(tokens), pos: String(pos) }
    const fields = { status, buyer, asset, units: String(units), ...amounts }
    if (meaning.kind !== 'order') return fields
    const { id, terms, min, referrer } = meaning.order
    return { ...fields, order: id, terms, min: String(min), ref: referrer ?? null }
  }

  let [slot, index] = [-1, 0]
  for (const record of records) {
    if (record.slot !== slot) [slot, index] = [record.slot, 0]
    const before = lines.length
    for (const meaning of meaningsOf(record, sale.watched, sale.marks)) {
      const fields = fieldsOf(meaning, record.time)
      if (fields) write(record, index, fields)
    }
    if (lines.length > before) index++
  }
  const totals = { raised, pos, tokens: sold, orders, buyers: paid.size, refundsOwed, statuses, bonuses, acceptedUnits }
  return { ...totals, ledgerHash: hex(hash), lines, closed, terms: current }
}

/** How a sale stands at a time of the chain, Unix seconds: with its last part forfeited there is nothing left to sell. */
export function outcomeOf({ terms, raised, pos, closed }: Evaluation, time: number): 'open' | 'success' | 'failed' {
  let [end, reached] = [0n, pos]
  for (const { credits, endsAt = Infinity } of terms.stages) {
    end += BigInt(credits)
    if (time >= endsAt && reached < end) reached = end
  }
  if (!closed && time < terms.end && reached < end) return 'open'
  return raised < BigInt(terms.softCap) ? 'failed' : 'success'
}

/** Whether the balances of each watched account go on from each transaction to the next, from 0 to `ends`. */
export function isComplete(
  records: readonly TransactionRecord[],
  watched: Watched,
  ends: Record<string, bigint>,
): boolean {
  return watched.accounts.every(({ asset, address }) => {
    let balance = 0n
    for (const record of records) {
      const [from, to] = balancesIn(record, address, watched) ?? [balance, balance]
      if (from !== balance) return false
      balance = to
    }
    return balance === (ends[asset] ?? 0n)
  })
}

/** Base units free at the start and after each period, all together, of an allocation. */
export function vestedOf({ vesting }: Pick<Terms, 'vesting'>, allocation: bigint): bigint[] {
  const first = (allocation * BigInt(vesting.tgeBps)) / 10_000n
  const vested = [first]
  for (let period = 1; period <= vesting.periods; period++)
    vested.push(first + ((allocation - first) * BigInt(period)) / BigInt(vesting.periods))
  return vested
}

/** Later terms differ from earlier ones in version, a later end, rates and legal documents only. */
function mayFollow(earlier: Terms, later: Terms): boolean {
  const frozen = (terms: Terms) =>
    canonicalJson({
      ...terms,
      version: 0,
      end: 0,
      legal: 0,
      assets: terms.assets.map(asset => ({ ...asset, creditsPerUnit: 0 })),
    })
  return frozen(earlier) === frozen(later) && later.version > earlier.version && later.end >= earlier.end
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
