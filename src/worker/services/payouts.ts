/**
 * Payouts read from transactions: what the sale's operator sent to an account by an announced plan.
 *
 * 1. Anyone can write a plan's name into a memo. A refund comes from the treasury, which signed it. A delivery names an announced
 *    plan and moved the sale's own token, from any sender.
 * 2. Only transfers of the transaction's signers count, whose signatures the caller has verified: another may pay the fee.
 *
 * @see reference "Presale", §11
 */
import { parsePayMemo } from '../../events/sale/payments/operatorMemos.ts'
import type { Terms } from '../../events/sale/terms/terms.ts'
import type { DecodedTransaction } from '../../events/values/solana/transaction.ts'
import { associatedTokenAddress } from '../chains/solana/ata.ts'
import { programs } from '../chains/solana/programs.ts'

/** An account of an owner that payouts reach. `asset`: undefined for the token on sale. */
export type PaidAccount = { address: string; asset?: string }

/** @returns the wallet itself for SOL, and its default token accounts */
export function paidAccounts(owner: string, { assets, token }: Terms): PaidAccount[] {
  const ofAssets = assets.map(({ symbol, mint }) => ({
    asset: symbol,
    address: mint == null ? owner : associatedTokenAddress(owner, mint),
  }))
  if (token.mint == null) return ofAssets
  const program = token.program === 'token-2022' ? programs.token2022 : programs.token
  return [...ofAssets, { address: associatedTokenAddress(owner, token.mint, program) }]
}

/** Units of an asset given back, or token base units delivered. `batch`: of an announced plan. */
type FoundPayout = { paid: { asset: string; units: string } | { tokens: string }; batch?: PlanBatchName }

/** `plan`: hash of the plan, 64 hex digits. */
type PlanBatchName = { plan: string; batch: number }

/**
 * @param sale `mark`: the presale's, as in a memo; `plans`: hashes of the announced ones
 * @returns what the transaction paid to these accounts; undefined when it is no payout of this sale
 */
export function payoutIn(
  { instructions, feePayer, signers = [feePayer] }: DecodedTransaction,
  accounts: readonly PaidAccount[],
  sale: { mark: string; treasury: string; plans: readonly string[] },
): FoundPayout | undefined {
  const named = instructions.flatMap(one => (one.kind === 'memo' && parsePayMemo(one.text)) || [])
  const [memo] = named
  if (!memo || named.length > 1 || memo.presale !== sale.mark) return undefined
  const isTreasury = signers.includes(sale.treasury)
  const plan = sale.plans.find(hash => hash.startsWith(memo.plan))
  if (!isTreasury && plan === undefined) return undefined
  const sums = new Map<string | undefined, bigint>()
  for (const one of instructions) {
    const moved =
      one.kind === 'transfer'
        ? { from: one.from, to: one.to, units: one.lamports }
        : one.kind === 'tokenTransfer'
          ? { from: one.owner, to: one.destination, units: one.amount }
          : undefined
    const account = moved && signers.includes(moved.from) && accounts.find(({ address }) => address === moved.to)
    if (account && (account.asset === undefined || moved.from === sale.treasury))
      sums.set(account.asset, (sums.get(account.asset) ?? 0n) + BigInt(moved.units))
  }
  // A batch has one asset
  const [paid] = sums
  if (!paid || paid[1] === 0n) return undefined
  const [asset, units] = paid
  const amount = units.toString()
  return {
    paid: asset === undefined ? { tokens: amount } : { asset, units: amount },
    ...(plan !== undefined && { batch: { plan, batch: memo.batch } }),
  }
}
