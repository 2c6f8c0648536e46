/**
 * A phone wallet that pays a Solana Pay transfer request, by the public specification: memo second to last, transfer last with the
 * references as read-only accounts, in their order.
 */
import { addressBytes, type Keypair } from './keys.ts'
import type { Chain } from './chain.ts'
import { associatedAccount, computeUnitLimit, memo, transfer, transferChecked } from './programs.ts'

/** @param skipsMemo as some wallets do. @returns the payment's signature. @throws Error when the link is no transfer request */
export function payRequest(chain: Chain, link: string, payer: Keypair, { skipsMemo = false } = {}): string {
  const url = new URL(link)
  if (url.protocol !== 'solana:') throw new Error(`a transfer request expected the scheme solana:, got ${url.protocol}`)
  const recipient = url.pathname
  addressBytes(recipient)
  const amount = url.searchParams.get('amount') ?? ''
  if (!/^(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(amount))
    throw new Error(`a transfer request expected an amount, got ${amount}`)
  const mint = url.searchParams.get('spl-token')
  const references = url.searchParams.getAll('reference')
  references.forEach(one => addressBytes(one))
  const text = url.searchParams.get('memo')
  const decimals = mint === null ? 9 : 6
  const [whole = '0', part = ''] = amount.split('.')
  if (part.length > decimals) throw new Error(`a transfer request expected ${decimals} decimals at most, got ${amount}`)
  const units = BigInt(whole + part.padEnd(decimals, '0'))
  const moves =
    mint === null
      ? transfer(payer.address, recipient, units, references)
      : transferChecked({
          from: associatedAccount(payer.address, mint),
          mint,
          to: associatedAccount(recipient, mint),
          authority: payer.address,
          amount: units,
          decimals,
          references,
        })
  const notes = text === null || skipsMemo ? [] : [memo(text)]
  return chain.run([computeUnitLimit(120_000), ...notes, moves], [payer])
}
