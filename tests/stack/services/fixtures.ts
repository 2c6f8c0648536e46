import { seededKeypair } from '../solana/keys.ts'
import type { World } from './world.ts'

/** A Solana account with a long history, a token without decimals and a spam NFT. */
export const fixtureAccount = seededKeypair('local services', 'fixture account').address

/** Mint of the fixture accounts' token without decimals. */
export const ticketMint = seededKeypair('local services', 'ticket mint').address

/** An EVM account with balances, a name and a smart session. */
export const fixtureEvmAccount = '0x2aae531a81461f029cd55cb46703211c9227ba05'

export const isFixture = (world: World, address: string): boolean =>
  address === fixtureAccount || world.settings().fixtureAccounts.includes(address)
