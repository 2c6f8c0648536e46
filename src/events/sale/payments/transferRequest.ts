/**
 * The link of a payment that any Solana wallet can make.
 * @see Solana Pay specification, transfer request; reference "Presale", §6
 */
import type { Invoice } from '../../subjects/sale/invoice.ts'
import { formatAmount } from '../../values/amount.ts'
import type { Terms } from '../terms/termsShape.ts'
import { orderMemo } from './memo.ts'

/**
 * @param invoice one whose reference key is known
 * @returns `solana:<treasury>?amount=…`; undefined when the terms do not list the asset
 * @throws Fault `bad_input` when a part is outside the memo's grammar
 */
export function transferRequest(
  {
    presaleRef,
    reference,
    orderKey: id,
    asset,
    units,
    quoted,
    min,
    termsHash,
    referrer,
  }: Invoice & { reference: string },
  { treasury, assets, token }: Terms,
): string | undefined {
  const listed = assets.find(({ symbol }) => symbol === asset)
  if (!listed) return undefined
  const memo = orderMemo({
    terms: termsHash.slice(0, 16),
    id,
    asset,
    units,
    quoted,
    min,
    ...(referrer !== undefined && { referrer }),
  })
  const fields: (readonly [string, string])[] = [
    // Decimals of the asset itself, without an exponent or separators
    ['amount', formatAmount(units, listed.decimals, { group: false })],
    ...(listed.mint == null ? [] : ([['spl-token', listed.mint]] as const)),
    ['reference', presaleRef],
    ['reference', reference],
    ['label', token.symbol],
    ['memo', memo],
  ]
  return `solana:${treasury}?${fields.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}
