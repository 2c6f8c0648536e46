import type { Context } from 'hono'
import { readMint, readTokenAccount, tokenAmount } from '../../solana/tokens.ts'
import { fixtureEvmAccount, isFixture, ticketMint } from '../fixtures.ts'
import { isCurrency, onWire, priceOf, valueOf } from '../prices.ts'
import { evmCoin, evmTokens, iconUrl, nativeSolana, sol, type Token, tokenOf } from '../tokens.ts'
import type { World } from '../world.ts'
import { namespaceOfAddress, readCaip10 } from './addresses.ts'
import { refused } from './errors.ts'
import { servedIds } from './networks.ts'

type Holding = { token: Token; amount: bigint; chainId: string; address?: string }

/** `GET /v1/account/{address}/balance`: the account's tokens with their prices. */
export function accountBalance(c: Context, world: World): Response {
  const address = c.req.param('address') ?? ''
  const { chainId, currency = 'usd', forceUpdate } = c.req.query()
  const namespace = namespaceOfAddress(address)
  if (!isCurrency(currency)) return refused(c, 400, 'currency', `Unsupported currency: ${currency}`)
  if (chainId !== undefined && !servedIds(world).includes(chainId))
    return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
  if (!namespace || (chainId ?? 'eip155:1').split(':')[0] !== namespace)
    return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  if (forceUpdate !== undefined && namespace !== 'eip155')
    return refused(c, 400, '', 'forceUpdate is supported for eip155 only')
  if (isHeldBack(c, world)) return c.json({ balances: [] })
  const holdings =
    namespace === 'solana'
      ? solanaHoldings(world, address, chainId ?? '')
      : evmHoldings(address.toLowerCase(), chainId, forceUpdate?.split(',') ?? [])
  return c.json({ balances: holdings.map(one => onTheWire(c, one, priceOf(one.token.symbol, world.now(), currency))) })
}

/** Requests that the real service answers with an empty list: denied projects, no origin, no version or an old one. */
function isHeldBack(c: Context, { settings }: World): boolean {
  const { projectId = '', sv = c.req.header('x-sdk-version') } = c.req.query()
  return (
    settings().deniedProjects.includes(projectId) ||
    c.req.header('origin') === undefined ||
    sv === undefined ||
    /1\.6\.[45]$/.test(sv)
  )
}

function solanaHoldings(world: World, address: string, chainId: string): Holding[] {
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
function evmHoldings(address: string, chainId: string | undefined, updated: string[]): Holding[] {
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

function onTheWire(c: Context, { token, amount, chainId, address }: Holding, price: bigint): Record<string, unknown> {
  const { name, symbol, decimals } = token
  return {
    name,
    symbol,
    chainId,
    ...(address === undefined ? {} : { address }),
    value: onWire(valueOf(amount, decimals, price)),
    price: onWire(price),
    quantity: { decimals: String(decimals), numeric: tokenAmount(amount, decimals).uiAmountString },
    iconUrl: iconUrl(c.req.url, symbol),
  }
}
