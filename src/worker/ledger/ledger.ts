/**
 * The ledger of a sale: every payment judged, every notice counted, one row each, chained by hashes.
 *
 * 1. The same terms and transactions make the same bytes, on every device and whichever node answered.
 * 2. Each balance of a watched account is the balance before its next transaction: a missing or invented one stops the ledger.
 * 3. Accepted plus refunded units of a row are its units.
 * 4. A notice applies to what comes after its transaction.
 *
 * @see reference "Presale", §7
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Fault } from '../../runtime/failure.ts'
import { lesser } from '../../events/values/amount.ts'
import { pinNotice } from '../../events/sale/notices/notices.ts'
import type { OrderMemo } from '../../events/sale/payments/memo.ts'
import { type Notice, noticeArgument } from '../../events/sale/payments/operatorMemos.ts'
import { judgeOrder, orderRules } from '../../events/sale/payments/order.ts'
import { frozenChanges } from '../../events/sale/saleChanges.ts'
import { type SaleOutcome, saleOutcomeOf } from '../../events/sale/saleOutcome.ts'
import { type Finding, findingsIn } from './findings.ts'
import type { LedgerSale, TermsVersion } from './ledgerSale.ts'
import { addTo, type IgnoredNotice, inForceOf, type LedgerState } from './ledgerState.ts'
import type { LedgerTransaction } from './ledgerTransaction.ts'

/** One row. Amounts are decimal text: units of the asset, tokens in base units, `pos` in credits after the row. */
export type LedgerRow = {
  /** from 1 */
  i: number
  slot: number
  /** how many transactions with rows precede it in its slot: nodes that tell no place in the block lead to the same */
  index: number
  /** Unix seconds */
  time: number
  sig: string
  status: string
  buyer: string | null
  asset: string | null
  units: string | null
  accepted: string | null
  refund: string | null
  tokens: string | null
  pos: string | null
  /** the order's id; of a notice `seq:verb:argument` */
  order: string | null
  /** first 16 characters of the hash of the accepted terms */
  terms: string | null
  min: string | null
  ref: string | null
  /** sha256 over the hash before it and the canonical row without it, hex */
  h: string
}

/**
 * Adds the next transaction in canonical order.
 *
 * @returns its rows, in order
 * @throws Fault `rpc_lying` with facts `{ rule: 'BALANCE_CHAIN' }` when a transaction before it is missing or invented;
 *   `bad_response` when its block time is unknown; `terms_invalid` when announced terms are not here, or of two with version 1 come first
 */
export function addTransaction(sale: LedgerSale, state: LedgerState, transaction: LedgerTransaction): LedgerRow[] {
  const { signature, slot, strays, isMalformed } = transaction
  if (slot < state.slot)
    throw new Fault('bad_input', `a ledger expected slot ${state.slot} or later, got ${slot}: ${signature}`)
  linkBalances(state, transaction)
  if (!transaction.failed) state.strays.push(...strays.map(stray => ({ signature, ...stray })))
  if (isMalformed) state.ignored.push({ signature, why: 'malformed' })
  if (slot > state.slot) Object.assign(state, { slot, ranked: 0 })
  const rows = findingsIn(transaction, sale).flatMap(finding => {
    const part = partOf(sale, state, finding, transaction)
    return part ? [rowOf(state, transaction, part)] : []
  })
  if (rows.length > 0) state.ranked += 1
  return rows
}

/** Checks that a transaction begins with the balances that the one before it left. @throws Fault as `addTransaction` */
export function linkBalances(state: LedgerState, { signature, slot, balances }: LedgerTransaction): void {
  for (const { asset, before, after } of balances) {
    const last = state.balances.get(asset) ?? 0n
    if (before !== last)
      throw new Fault(
        'rpc_lying',
        `the balance of ${asset} expected ${last} before ${signature} in slot ${slot}, got ${before}: a transaction is missing, invented, or of an unknown version`,
        { rule: 'BALANCE_CHAIN', slot, asset },
      )
    state.balances.set(asset, after)
  }
}

/**
 * Ends the proof of completeness.
 *
 * @param balances of the watched accounts at the slot up to which transactions were added, by asset
 * @throws Fault `rpc_lying` with facts `{ rule: 'BALANCE_END' }`
 */
export function proveBalances(state: LedgerState, balances: ReadonlyMap<string, bigint>): void {
  for (const [asset, last] of state.balances) {
    const now = balances.get(asset) ?? 0n
    if (now !== last)
      throw new Fault(
        'rpc_lying',
        `the balance of ${asset} expected ${last} after its last transaction, got ${now}: a transaction is missing, invented, or of an unknown version`,
        { rule: 'BALANCE_END', asset },
      )
  }
}

/** @returns the row as its line, without the line's end */
export function ledgerLine(row: LedgerRow): string {
  return JSON.stringify(row)
}

/** Totals of a ledger, amounts as in its rows. `refundsOwed`: all that is to be given back, also what was paid since. */
export type LedgerTotals = {
  raised: bigint
  pos: bigint
  tokens: bigint
  orders: number
  buyers: number
  /** referral bonuses, token base units */
  bonuses: bigint
  refundsOwed: Record<string, bigint>
  statuses: Record<string, number>
  outcome: SaleOutcome
  ledgerHash: string
}

/** @param seconds chain time at the end of the ledger, Unix seconds; after a failure refunds include what was accepted */
export function totalsOf(sale: LedgerSale, state: LedgerState, seconds: number): LedgerTotals {
  const { raised, pos, tokens, orders, credits, owed, accepted, bonuses, statuses, board, hash } = state
  const { terms } = inForceOf(sale, state) ?? sale.first
  const outcome = saleOutcomeOf(terms, { pos, raised, closed: board.closed, seconds })
  const all = new Map(owed)
  if (outcome === 'failed') for (const [asset, units] of accepted) addTo(all, asset, units)
  return {
    raised,
    pos,
    tokens,
    orders,
    buyers: credits.size,
    bonuses: [...bonuses.values()].reduce((sum, one) => sum + one, 0n),
    refundsOwed: Object.fromEntries(all),
    statuses: Object.fromEntries(statuses),
    outcome,
    ledgerHash: bytesToHex(hash),
  }
}

/** A row's own fields; absent ones are null. */
type Part = { status: string } & Partial<Omit<LedgerRow, 'i' | 'slot' | 'index' | 'time' | 'sig' | 'status' | 'h'>>

function partOf(
  sale: LedgerSale,
  state: LedgerState,
  finding: Finding,
  transaction: LedgerTransaction,
): Part | undefined {
  switch (finding.kind) {
    case 'notice':
      return countNotice(sale, state, finding.notice, transaction.signature)
    case 'funding':
    case 'outflow':
      return { status: finding.kind, asset: finding.asset, units: finding.units.toString() }
    case 'refused': {
      const { status, buyer, asset, units } = finding
      return settle(state, { status, accepted: 0n, tokens: 0n }, { buyer, asset, units })
    }
    case 'order': {
      const { buyer, asset, units, memo } = finding
      const judged = judge(sale, state, { buyer, asset, units, memo, seconds: timeOf(transaction) })
      const { id: order, terms, min, referrer: ref = null } = memo
      return { ...settle(state, judged, { buyer, asset, units }), order, terms, min, ref }
    }
  }
}

function settle(
  state: LedgerState,
  { status, accepted, tokens }: { status: string; accepted: bigint; tokens: bigint },
  { buyer, asset, units }: { buyer: string | null; asset: string; units: bigint },
): Part {
  const refund = units - accepted
  if (accepted > 0n) addTo(state.accepted, asset, accepted)
  if (refund > 0n) addTo(state.owed, asset, refund)
  return {
    status,
    buyer,
    asset,
    units: units.toString(),
    accepted: accepted.toString(),
    refund: refund.toString(),
    tokens: tokens.toString(),
    pos: state.pos.toString(),
  }
}

type Order = { buyer: string; asset: string; units: bigint; memo: OrderMemo; seconds: number }

function judge(
  sale: LedgerSale,
  state: LedgerState,
  { buyer, asset, units, memo, seconds }: Order,
): { status: string; accepted: bigint; tokens: bigint } {
  const version = inForceOf(sale, state)
  if (!version || ![...state.announced].some(hash => hash.startsWith(memo.terms)))
    return { status: 'unknown_terms', accepted: 0n, tokens: 0n }
  const key = `${buyer} ${memo.id}`
  const buyerCredits = state.credits.get(buyer) ?? 0n
  const judged = judgeOrder(rulesOf(version, asset), {
    position: state.pos,
    raised: state.raised,
    buyerCredits,
    paused: state.board.paused,
    closed: state.board.closed,
    allowed: sale.admitted?.has(buyer) ?? true,
    seen: state.seen.has(key),
    units,
    min: BigInt(memo.min),
    seconds,
  })
  if (!beforeSeen.has(judged.status)) state.seen.add(key)
  state.pos = judged.position
  state.raised = judged.raised
  if (judged.accepted > 0n) {
    state.tokens += judged.tokens
    state.orders += 1
    addBonus(sale, state, { buyer, referrer: memo.referrer, tokens: judged.tokens })
    state.credits.set(buyer, judged.buyerCredits)
  }
  return judged
}

/** Refusals after which the same order may still be made: it was not judged by its price. */
const beforeSeen: ReadonlySet<string> = new Set(['early', 'late', 'paused', 'not_allowed'])

function addBonus(
  sale: LedgerSale,
  state: LedgerState,
  { buyer, referrer, tokens }: { buyer: string; referrer: string | undefined; tokens: bigint },
): void {
  if (referrer === undefined || referrer === buyer || !state.credits.has(referrer)) return
  const whole = (tokens * BigInt(sale.first.terms.referral.bps)) / 10_000n
  const bonus = lesser(whole, state.bonusLeft)
  if (bonus === 0n) return
  state.bonusLeft -= bonus
  addTo(state.bonuses, referrer, bonus)
}

function countNotice(sale: LedgerSale, state: LedgerState, notice: Notice, signature: string): Part | undefined {
  const { seq, verb } = notice
  const ignore = (why: Pick<IgnoredNotice, 'why' | 'hash'>): undefined =>
    void state.ignored.push({ seq, verb, signature, ...why })
  const board = pinNotice(state.board, notice)
  if (board.seq === state.board.seq) {
    state.board = board
    return ignore({ why: 'out_of_turn' })
  }
  const before = state.board
  state.board = board
  if (notice.verb === 'terms') {
    const version = sale.versions.find(({ hash }) => hash === notice.hash)
    if (!version)
      throw new Fault(
        'terms_invalid',
        `notice ${seq} announces terms ${notice.hash}: a ledger expected their file, got ${sale.versions.map(({ hash }) => hash).join(', ')}`,
        { rule: 'TERMS_MISSING' },
      )
    if (state.inForce === undefined && version !== sale.first && sale.versions[1]?.terms.version === 1)
      throw new Fault(
        'terms_invalid',
        `notice ${seq} announces terms ${notice.hash} first: of two with version 1 a ledger expected them before the others, got ${sale.first.hash}`,
        { rule: 'TERMS_FIRST' },
      )
    const standing = inForceOf(sale, state) ?? sale.first
    if (standing.hash !== version.hash && frozenChanges(standing.terms, version.terms).length > 0) {
      // Its number is used up, as on every visitor's page
      state.board = { ...before, seq }
      return ignore({ why: 'frozen_terms', hash: version.hash })
    }
    state.announced.add(version.hash)
    state.inForce = version.hash
  }
  return { status: 'notice', order: `${seq}:${verb}:${noticeArgument(notice)}` }
}

const rulesByVersion = new WeakMap<TermsVersion, Map<string, ReturnType<typeof orderRules>>>()

/** The curve is computed once for each version and asset. */
function rulesOf(version: TermsVersion, asset: string): ReturnType<typeof orderRules> {
  const known = rulesByVersion.get(version) ?? new Map<string, ReturnType<typeof orderRules>>()
  rulesByVersion.set(version, known)
  const rules = known.get(asset) ?? orderRules(version.terms, asset)
  known.set(asset, rules)
  return rules
}

function rowOf(state: LedgerState, transaction: LedgerTransaction, part: Part): LedgerRow {
  const { slot, signature } = transaction
  state.rows += 1
  state.statuses.set(part.status, (state.statuses.get(part.status) ?? 0) + 1)
  const { buyer = null, asset = null, units = null, accepted = null, refund = null } = part
  const { tokens = null, pos = null, order = null, terms = null, min = null, ref = null } = part
  const place = { i: state.rows, slot, index: state.ranked, time: timeOf(transaction), sig: signature }
  const amounts = { asset, units, accepted, refund, tokens, pos }
  const row = { ...place, status: part.status, buyer, ...amounts, order, terms, min, ref }
  state.hash = chainedHash(state.hash, row)
  return { ...row, h: bytesToHex(state.hash) }
}

/** @returns the hash of a row that follows another: `h` in bytes */
export function chainedHash(before: Uint8Array, row: Omit<LedgerRow, 'h'>): Uint8Array {
  // Canonical, as a row is flat
  return sha256(concatBytes(before, utf8ToBytes(JSON.stringify(row, Object.keys(row).sort()))))
}

function timeOf({ time, signature, slot }: LedgerTransaction): number {
  if (time !== undefined) return time
  throw new Fault('bad_response', `slot ${slot} expected a block time, got none: ${signature} cannot be judged`, {
    rule: 'BLOCK_TIME',
    slot,
  })
}
