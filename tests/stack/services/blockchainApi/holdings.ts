import { readMint, readTokenAccount } from '../../solana/tokens.ts'
import { fixtureEvmAccount, isFixture, ticketMint } from '../fixtures.ts'
import { evmCoin, evmTokens, nativeSolana, sol, type Token, tokenOf } from '../tokens.ts'
import type { World } from '../world.ts'
import { readCaip10 } from './addresses.ts'

/** Base units of a token that an account has; without an address it is an EVM chain's own coin. */
export type Holding = { token: Token; amount: bigint; chainId: string; address?: string }

/** SOL and tokens of an account on the local chain; a fixture account has tickets without decimals, too. */
export function solanaHoldings(world: World, address: string, chainId: string): Holding[] {
  const found: Holding[] = []
  const lamports = world.solana?.chain.accounts.now(address)?.lamports ?? 0n
  if (lamports > 0n) found.push({ token: sol, amount: lamports, chainId, address: nativeSolana })
  for (const { mint, amount, decimals } of tokensOf(world, address)) {
    const token = tokenOf(world, mint, decimals)
    // The real service's upstream providers differ in the form; the stack shows both.
    found.push({ token, amount, chainId, address: token.symbol === 'USDC' ? `${chainId}:${mint}` : mint })
  }
  if (isFixture(world, address)) {
    const ticket = { name: 'Sale ticket', symbol: 'TICKET', decimals: 0 }
    found.push({ token: ticket, amount: 3n, chainId, address: ticketMint })
  }
  return found
}

function tokensOf({ solana }: World, owner: string): { mint: string; amount: bigint; decimals: number }[] {
  if (!solana) return []
  const { accounts, blocks } = solana.chain
  const amounts = new Map<string, bigint>()
  for (const { account } of accounts.tokenAccounts('owner', owner, blocks.tip())) {
    const token = readTokenAccount(account)
    if (token && token.amount > 0n) amounts.set(token.mint, (amounts.get(token.mint) ?? 0n) + token.amount)
  }
  return [...amounts].map(([mint, amount]) => ({
    mint,
    amount,
    decimals: readMint(accounts.now(mint))?.decimals ?? 0,
  }))
}

/** The fixture account's coin and USDC on Ethereum and Polygon; an update adds the tokens it names. */
export function evmHoldings(address: string, chainId: string | undefined, updated: string[]): Holding[] {
  if (address !== fixtureEvmAccount) return []
  const [usdc] = evmTokens
  const found: Holding[] = ['eip155:1', 'eip155:137'].flatMap(id => [
    { token: evmCoin(id), amount: 1_500_000_000_000_000_000n, chainId: id },
    ...(usdc ? [{ token: usdc, amount: 150_000_000n, chainId: id, address: `${id}:${usdc.address}` }] : []),
  ])
  for (const one of updated) {
    const asked = readCaip10(one)
    const token = evmTokens.find(known => known.address === asked?.address.toLowerCase())
    if (asked && token && !found.some(held => held.address === one))
      found.push({ token, amount: 1_000_000n, chainId: asked.chainId, address: one })
  }
  return found.filter(one => chainId === undefined || one.chainId === chainId)
}
