import { canonicalJson, hex, sha256 } from '../bytes.ts'
import type { TransactionRecord } from '../ledger.ts'
import { curveOf, rateOf } from './curve.ts'
import type { OrderMemo } from './marks.ts'
import { meaningOf, type Watched } from './payments.ts'
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
}

/**
 * Judges a sale's transactions in canonical order (slot, then place in the block).
 *
 * @param termsHash hex hash of version 1, where the chain of row hashes begins
 */
export function evaluate(
  records: readonly TransactionRecord[],
  sale: { terms: Terms; termsHash: string; watched: Watched },
): Evaluation {
  const { terms, termsHash, watched } = sale
  const state = {
    raised: 0n,
    pos: 0n,
    tokens: 0n,
    orders: 0,
    paused: false,
    closed: false,
    nextSeq: 1,
    perBuyer: new Map<string, bigint>(),
    seen: new Set<string>(),
    terms: new Set<string>(),
  }
  const refundsOwed: Record<string, bigint> = {}
  const statuses: Record<string, number> = {}
  let hash = Uint8Array.from(Buffer.from(termsHash, 'hex'))
  let rows = 0
  const row = (record: TransactionRecord, fields: Record<string, string | null>) => {
    rows++
    const { slot, index, time, signature } = record
    const judged = { i: rows, slot, index, time, sig: signature, ...emptyRow, ...fields }
    hash = sha256(hash, canonicalJson(judged)) as Uint8Array<ArrayBuffer>
    const status = fields.status ?? ''
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  for (const record of records) {
    const meaning = meaningOf(record, watched)
    if (meaning.kind === 'nothing') continue
    if (meaning.kind === 'notice') {
      const { seq, verb, arg } = meaning.notice
      if (seq !== state.nextSeq) continue
      state.nextSeq++
      if (verb === 'terms') state.terms.add(arg.slice(0, 16))
      if (verb === 'pause' || verb === 'resume') state.paused = verb === 'pause'
      if (verb === 'close') state.closed = true
      row(record, { status: 'notice', order: `${seq}:${verb}:${arg}` })
      continue
    }
    if (meaning.kind === 'funding' || meaning.kind === 'outflow') {
      row(record, { status: meaning.kind, asset: meaning.asset, units: String(meaning.units) })
      continue
    }
    const asset = meaning.kind === 'order' ? meaning.order.asset : meaning.asset
    const { buyer, units } = meaning
    const verdict =
      meaning.kind === 'order'
        ? judge(terms, state, { time: record.time, buyer, units, order: meaning.order })
        : { status: meaning.status, accepted: 0n, tokens: 0n }
    const refund = units - verdict.accepted
    if (refund > 0n) refundsOwed[asset] = (refundsOwed[asset] ?? 0n) + refund
    row(record, {
      status: verdict.status,
      buyer,
      asset,
      units: String(units),
      accepted: String(verdict.accepted),
      refund: String(refund),
      tokens: String(verdict.tokens),
      pos: String(state.pos),
      ...(meaning.kind === 'order' ? orderFields(meaning.order) : {}),
    })
  }
  const { raised, pos, tokens, orders, perBuyer } = state
  const buyers = [...perBuyer.values()].filter(paid => paid > 0n).length
  return { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash: hex(hash), statuses }
}

const emptyRow = {
  status: null,
  buyer: null,
  asset: null,
  units: null,
  accepted: null,
  refund: null,
  tokens: null,
  pos: null,
  order: null,
  terms: null,
  min: null,
  ref: null,
}

const orderFields = (order: OrderMemo) => ({
  order: order.id,
  terms: order.terms,
  min: String(order.min),
  ref: order.referrer ?? null,
})

type State = {
  raised: bigint
  pos: bigint
  tokens: bigint
  orders: number
  paused: boolean
  closed: boolean
  perBuyer: Map<string, bigint>
  seen: Set<string>
  terms: Set<string>
}

type Payment = { time: number; buyer: string; units: bigint; order: OrderMemo }

function judge(terms: Terms, state: State, payment: Payment): { status: string; accepted: bigint; tokens: bigint } {
  const { time, buyer, units, order } = payment
  const refused = (status: string) => ({ status, accepted: 0n, tokens: 0n })
  if (!state.terms.has(order.terms)) return refused('unknown_terms')
  if (time < terms.start) return refused('early')
  if (time >= terms.end || state.closed) return refused('late')
  if (state.paused) return refused('paused')
  const name = `${buyer}:${order.id}`
  if (state.seen.has(name)) return refused('duplicate')
  state.seen.add(name)

  const curve = curveOf(terms)
  const rate = rateOf(terms, order.asset)
  const hard = curve.hardCap - state.pos
  const room = BigInt(terms.maxBuyer) - (state.perBuyer.get(buyer) ?? 0n)
  if (hard / rate === 0n) return refused('sold_out')
  if (room / rate === 0n) return refused('buyer_cap')
  const least = smaller(BigInt(terms.minOrder), (hard / rate) * rate)
  if (units * rate < least) return refused('under_min')
  const accepted = smaller(units, smaller(hard, room) / rate)
  const credits = accepted * rate
  const tokens = curve.tokens(state.pos, credits)
  if (tokens === 0n || tokens * units < order.min * accepted) return refused('price_protect')
  state.pos += credits
  state.raised += credits
  state.tokens += tokens
  state.orders++
  state.perBuyer.set(buyer, (state.perBuyer.get(buyer) ?? 0n) + credits)
  return { status: accepted === units ? 'accepted' : 'partial', accepted, tokens }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
