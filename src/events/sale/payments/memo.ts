/**
 * The texts the sale writes on the chain: a buyer's order, an operator's notice and a batch of payouts.
 * @see reference "Presale", §6 and §11
 */
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../values/address.ts'
import type { BaseUnits } from '../../values/amount.ts'

/** An order as its memo writes it. */
export type OrderMemo = {
  /** first 16 hex characters of the hash of the terms the buyer accepted */
  terms: string
  /** 16 random lower-case hex characters for each order, the same across retries */
  id: string
  /** symbol of the asset paid */
  asset: string
  /** base units paid, equal to the transfer */
  units: BaseUnits
  /** token base units shown, and the fewest accepted */
  quoted: BaseUnits
  min: BaseUnits
  /** base58 public key */
  referrer?: string
}

const orderPattern =
  /^mai1:([0-9a-f]{16}):([0-9a-f]{16}):([A-Z0-9]{2,8}):(0|[1-9][0-9]{0,19}):(0|[1-9][0-9]{0,19}):(0|[1-9][0-9]{0,19})(?::([1-9A-HJ-NP-Za-km-z]{32,44}))?$/
/** Longest order memo, in characters. */
const maxOrderMemoLength = 155

/**
 * @returns the memo, ASCII, at most 155 characters
 * @throws Fault `bad_input` when a part is outside the grammar, `units` is 2^64 or more, or the referrer is no public key
 */
export function orderMemo(order: OrderMemo): string {
  const { terms, id, asset, units, quoted, min, referrer } = order
  const parts = ['mai1', terms, id, asset, units, quoted, min, ...(referrer === undefined ? [] : [referrer])]
  const memo = parts.join(':')
  // The grammar has room for 20 digits, a transfer only for 64 bits.
  if (!parseOrderMemo(memo) || BigInt(units) >= 2n ** 64n || (referrer !== undefined && !isSolanaAddress(referrer))) {
    throw new Fault('bad_input', `an order memo expected parts of its grammar, got ${memo.length} characters`)
  }
  return memo
}

/** @returns the order that `memo` writes, or undefined when it is not in the grammar */
export function parseOrderMemo(memo: string): OrderMemo | undefined {
  if (memo.length > maxOrderMemoLength) return undefined
  const match = orderPattern.exec(memo)
  if (!match) return undefined
  const [, terms = '', id = '', asset = '', units = '', quoted = '', min = '', referrer] = match
  return { terms, id, asset, units, quoted, min, ...(referrer === undefined ? {} : { referrer }) }
}

/** A notice without its number; hashes are 64 lower-case hex characters. */
export type NoticeBody =
  | { verb: 'terms' | 'checkpoint' | 'ledger' | 'plan'; hash: string }
  | { verb: 'pause' | 'resume' | 'close' }
  | { verb: 'result'; result: 'success' | 'failed' }

/** A notice: `seq` counts 1, 2, 3 … */
export type Notice = { seq: number } & NoticeBody

const noticePattern =
  /^mai1n:([1-9][0-9]{0,8}):(?:(terms|checkpoint|ledger|plan):([0-9a-f]{64})|(pause|resume|close):-|result:(success|failed))$/

/** @returns the notice that `memo` writes, or undefined when it is not in the grammar */
export function parseNotice(memo: string): Notice | undefined {
  if (memo.length > 100) return undefined
  const match = noticePattern.exec(memo)
  if (!match) return undefined
  const [, number, hashed, hash = '', plain, result] = match
  const seq = Number(number)
  if (hashed) return { seq, verb: hashed as 'terms' | 'checkpoint' | 'ledger' | 'plan', hash }
  if (plain) return { seq, verb: plain as 'pause' | 'resume' | 'close' }
  return { seq, verb: 'result', result: result as 'success' | 'failed' }
}

/** @returns the notice's part after number and verb: a hash, a result, or `-` */
export function noticeArgument(notice: NoticeBody): string {
  return 'hash' in notice ? notice.hash : 'result' in notice ? notice.result : '-'
}

/**
 * @returns the memo, ASCII, at most 100 characters
 * @throws Fault `bad_input` when a part is outside the grammar
 */
export function noticeMemo(notice: Notice): string {
  const memo = `mai1n:${notice.seq}:${notice.verb}:${noticeArgument(notice)}`
  if (!parseNotice(memo))
    throw new Fault('bad_input', `a notice expected parts of its grammar, got ${memo.length} characters`)
  return memo
}

/** A batch of a plan of payouts. `presale` and `plan`: the first 16 hex characters of the presale's reference and of the plan's hash. */
type PayMemo = { presale: string; plan: string; batch: number }

const payPattern = /^maid1:([0-9a-f]{16}):([0-9a-f]{16}):(0|[1-9][0-9]{0,8})$/

/** @returns the memo of a batch, ASCII */
export function payMemo({ presale, plan, batch }: PayMemo): string {
  return `maid1:${presale}:${plan}:${batch}`
}

/** @returns the batch that `memo` names, or undefined when it is not in the grammar */
export function parsePayMemo(memo: string): PayMemo | undefined {
  if (memo.length > 60) return undefined
  const [, presale, plan, batch] = payPattern.exec(memo) ?? []
  return presale === undefined || plan === undefined ? undefined : { presale, plan, batch: Number(batch) }
}
