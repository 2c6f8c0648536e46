import { hex, sha256 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import type { Keypair } from '../keys.ts'
import {
  createAccount,
  createAssociatedAccount,
  initializeMint,
  mintTo,
  revokeAuthority,
  TOKEN,
  transfer,
} from '../programs.ts'
import { LEGAL_HTML } from './content.ts'
import { marksOf } from './marks.ts'
import { createOperator, type Operator, type Sale } from './operator.ts'
import { AUDITED, LIVE, openPurchases } from './purchases.ts'
import type { SaleAccounts } from './saleAccounts.ts'
import { listText, published, termsDocument } from './terms.ts'

const SOL = 1_000_000_000n
const HOUR = 3_600

/** Rent of an empty system account: what the treasury holds before the first payment. */
export const TREASURY_FLOOR = 890_880n

/** 1 500 000 000 MAI with 9 decimals. */
export const TOKEN_SUPPLY = 1_500_000_000n * SOL

/** Describes a chain's sale without sending transactions. `allowed`: the only addresses that may buy. */
export function describeSale(
  chain: Chain,
  accounts: SaleAccounts,
  baseUnix: number,
  allowed?: string[],
): Sale & { termsText: string } {
  const { authority, treasury, saleMint, usdcMint } = accounts
  const terms = termsDocument({
    genesisHash: chain.genesisHash,
    authority: authority.address,
    treasury: treasury.address,
    saleMint: saleMint.address,
    usdcMint: usdcMint.address,
    baseUnix,
    legalSha256: hex(sha256(LEGAL_HTML)),
    ...(allowed && { listSha256: hex(sha256(listText(allowed))) }),
  })
  const { text, hash } = published(terms)
  return {
    terms,
    termsText: text,
    termsHash: hash,
    marks: marksOf(authority.address, terms.id),
    authority,
    ...(allowed && { allowed }),
    watched: {
      treasury: treasury.address,
      authority: authority.address,
      accounts: [
        { asset: 'SOL', address: treasury.address },
        { asset: 'USDC', address: accounts.treasuryUsdc },
      ],
    },
  }
}

/** Mints, treasury, terms, checkpoint 0. */
export function setUpSale(chain: Chain, accounts: SaleAccounts, sale: Sale): Operator {
  makeAccounts(chain, accounts)
  chain.advance(40)
  const operator = createOperator(chain, sale)
  operator.notice('terms', sale.termsHash)
  operator.checkpoint()
  chain.advance(40)
  return operator
}

type SetUp = { chain: Chain; accounts: SaleAccounts; sale: Sale; operator: Operator; baseUnix: number }

/** A day of purchases with a checkpoint in between; ends at `baseUnix`, all final. */
export function playDay({ chain, accounts, sale, operator, baseUnix }: SetUp): void {
  const buyers = openPurchases(chain, accounts, sale)
  for (const [place, purchase] of AUDITED.entries()) {
    chain.setTime(baseUnix - 20 * HOUR + place * HOUR)
    buyers.buy(purchase)
  }
  buyers.payWithoutMemo(50_000_000n)
  chain.advance(40)
  operator.checkpoint()
  for (const [place, purchase] of LIVE.entries()) {
    chain.setTime(baseUnix - 50 * 60 + place * 15 * 60)
    buyers.buy(purchase)
  }
  chain.advance(40)
  chain.setTime(baseUnix)
}

function makeAccounts(chain: Chain, accounts: SaleAccounts): void {
  const { authority, treasury, reserve, saleMint, usdcMint, usdcFaucet } = accounts
  for (const key of [authority, usdcFaucet, reserve]) chain.airdrop(key.address, 1_000n * SOL)
  makeMint(chain, authority, saleMint, 9)
  makeMint(chain, usdcFaucet, usdcMint, 6)
  const mint = saleMint.address
  chain.run(
    [
      createAssociatedAccount(authority.address, reserve.address, mint),
      mintTo(mint, accounts.reserveTokens, authority.address, TOKEN_SUPPLY),
      revokeAuthority(mint, authority.address, 'minting'),
      revokeAuthority(mint, authority.address, 'freezing'),
    ],
    [authority],
  )
  // Signed by the authority, so that it counts as funding and not as a payment to refund.
  chain.run(
    [
      transfer(authority.address, treasury.address, TREASURY_FLOOR),
      createAssociatedAccount(authority.address, treasury.address, usdcMint.address),
    ],
    [authority],
  )
}

/** Makes a mint whose authority is the payer. */
export function makeMint(chain: Chain, authority: Keypair, mint: Keypair, decimals: number): void {
  chain.run(
    [
      createAccount(authority.address, mint.address, { lamports: chain.vm.minimumRent(82), space: 82, owner: TOKEN }),
      initializeMint(mint.address, decimals, authority.address),
    ],
    [authority, mint],
  )
}
