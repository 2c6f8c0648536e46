import { hex, sha256 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import { type Keypair, seededKeypair } from '../keys.ts'
import {
  associatedAccount,
  computeUnitLimit,
  computeUnitPrice,
  createAssociatedAccount,
  memo,
  mintTo,
  transfer,
  transferChecked,
} from '../programs.ts'
import { readTokenAccount } from '../tokens.ts'
import { curveOf, rateOf } from './curve.ts'
import { orderMemo } from './marks.ts'
import type { Sale } from './operator.ts'
import type { SaleAccounts } from './saleAccounts.ts'

/** One seeded purchase; `buyer` numbers the seeded buyers, `dollars` is whole or half dollars. */
export type Purchase = { buyer: number; asset: 'SOL' | 'USDC'; dollars: number }

/** Payments judged by the second checkpoint: 262 840.00 USD, past the end of stage 1. */
export const AUDITED: Purchase[] = [
  { buyer: 1, asset: 'SOL', dollars: 24_000 },
  { buyer: 2, asset: 'USDC', dollars: 25_000 },
  { buyer: 3, asset: 'SOL', dollars: 20_000 },
  { buyer: 4, asset: 'USDC', dollars: 22_500 },
  { buyer: 5, asset: 'SOL', dollars: 16_000 },
  { buyer: 6, asset: 'USDC', dollars: 24_000 },
  { buyer: 7, asset: 'SOL', dollars: 20_000 },
  { buyer: 8, asset: 'USDC', dollars: 23_500 },
  { buyer: 9, asset: 'SOL', dollars: 22_400 },
  { buyer: 10, asset: 'USDC', dollars: 20_440 },
  { buyer: 11, asset: 'SOL', dollars: 24_000 },
  { buyer: 12, asset: 'USDC', dollars: 21_000 },
]

/** Payments after it: 23 572.50 USD. */
export const LIVE: Purchase[] = [
  { buyer: 13, asset: 'SOL', dollars: 12_000 },
  { buyer: 14, asset: 'USDC', dollars: 7_972.5 },
  { buyer: 3, asset: 'SOL', dollars: 3_600 },
]

const CREDITS_PER_HALF_DOLLAR = 500_000_000_000n

/** Buys as the page does: compute budget, memo, one transfer to the treasury with the three marks on it. */
export function openPurchases(chain: Chain, accounts: SaleAccounts, sale: Sale) {
  const curve = curveOf(sale.terms)
  const { marks, watched } = sale
  let pos = 0n
  let orders = 0
  return {
    buy(purchase: Purchase): string {
      const buyer = seededKeypair(chain.genesisHash, `buyer ${purchase.buyer}`)
      const credits = BigInt(Math.round(purchase.dollars * 2)) * CREDITS_PER_HALF_DOLLAR
      const units = credits / rateOf(sale.terms, purchase.asset)
      const quoted = curve.tokens(pos, credits)
      orders++
      const id = hex(sha256('local solana order\0', chain.genesisHash, '\0', String(orders))).slice(0, 16)
      const text = orderMemo({
        terms: sale.termsHash.slice(0, 16),
        id,
        asset: purchase.asset,
        units,
        quoted,
        min: quoted - quoted / 20n,
      })
      const references = [marks.presale, marks.buyer(buyer.address), marks.order(buyer.address, id)]
      fund(buyer, purchase.asset, units)
      const signature = chain.run(
        [
          computeUnitLimit(60_000),
          computeUnitPrice(10_000n),
          memo(text),
          payment(buyer, purchase.asset, units, references),
        ],
        [buyer],
      )
      pos += credits
      chain.advance(2)
      return signature
    },
    /** a payment without an order, as from an exchange */
    payWithoutMemo(lamports: bigint): string {
      const payer = seededKeypair(chain.genesisHash, 'payer without memo')
      chain.airdrop(payer.address, lamports + 10_000_000n)
      return chain.run([transfer(payer.address, watched.treasury, lamports)], [payer])
    },
  }

  function fund(buyer: Keypair, asset: string, units: bigint): void {
    chain.airdrop(buyer.address, (asset === 'SOL' ? units : 0n) + 100_000_000n)
    if (asset === 'USDC') giveUsdc(chain, accounts, buyer.address, units)
  }

  function payment(buyer: Keypair, asset: string, units: bigint, references: string[]) {
    if (asset === 'SOL') return transfer(buyer.address, watched.treasury, units, references)
    const mint = accounts.usdcMint.address
    return transferChecked({
      from: associatedAccount(buyer.address, mint),
      mint,
      to: accounts.treasuryUsdc,
      authority: buyer.address,
      amount: units,
      decimals: 6,
      references,
    })
  }
}

/** Gives USDC base units to an owner, whose token account is made if it is missing. */
export function giveUsdc(chain: Chain, accounts: SaleAccounts, owner: string, units: bigint): string {
  const { usdcFaucet, usdcMint } = accounts
  return chain.run(
    [
      createAssociatedAccount(usdcFaucet.address, owner, usdcMint.address),
      mintTo(usdcMint.address, associatedAccount(owner, usdcMint.address), usdcFaucet.address, units),
    ],
    [usdcFaucet],
  )
}

/** Gives tokens of the local sale out of its reserve, to an owner whose token account is made if it is missing. */
export function giveReserved(chain: Chain, accounts: SaleAccounts, owner: string, units: bigint): string {
  const { reserve, reserveTokens, saleMint } = accounts
  const mint = saleMint.address
  const [from, to] = [reserveTokens, associatedAccount(owner, mint)]
  const held = readTokenAccount(chain.accounts.now(from))?.amount ?? 0n
  if (held < units)
    throw new Error(
      `mai expected at most the ${held / 10n ** 9n} that this chain’s reserve has left: begin a new chain with --fresh`,
    )
  return chain.run(
    [
      createAssociatedAccount(reserve.address, owner, mint),
      transferChecked({ from, mint, to, authority: reserve.address, amount: units, decimals: 9 }),
    ],
    [reserve],
  )
}
