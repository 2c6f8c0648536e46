import { type Keypair, seededKeypair } from '../keys.ts'
import { associatedAccount } from '../programs.ts'

/** The keys and addresses of the sale; the same seed gives the same ones. */
export type SaleAccounts = {
  authority: Keypair
  treasury: Keypair
  reserve: Keypair
  saleMint: Keypair
  usdcMint: Keypair
  usdcFaucet: Keypair
  treasuryUsdc: string
  reserveTokens: string
}

export function saleAccounts(seed: string): SaleAccounts {
  const key = (name: string) => seededKeypair(seed, name)
  const [treasury, reserve, saleMint, usdcMint] = [key('treasury'), key('reserve'), key('MAI mint'), key('USDC mint')]
  return {
    authority: key('authority'),
    treasury,
    reserve,
    saleMint,
    usdcMint,
    usdcFaucet: key('USDC faucet'),
    treasuryUsdc: associatedAccount(treasury.address, usdcMint.address),
    reserveTokens: associatedAccount(reserve.address, saleMint.address),
  }
}
