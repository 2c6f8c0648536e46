/**
 * The text that a buyer's order writes on the chain.
 * @see reference "Presale", §6 and §11
 */
import { Fault } from '../../../runtime/failure.ts'
import { isSolanaAddress } from '../../values/solana/address.ts'
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
