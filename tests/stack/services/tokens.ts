import type { World } from './world.ts'

/** A token: `address` is the mint or contract, absent for a chain's own coin. */
export type Token = { name: string; symbol: string; decimals: number; address?: string }

export const nativeSolana = 'So11111111111111111111111111111111111111111'
export const wrappedSol = 'So11111111111111111111111111111111111111112'
export const nativeEvm = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export const sol: Token = { name: 'Solana', symbol: 'SOL', decimals: 9 }

/** SPL tokens with a name, by mint: those of the local chain and the public ones. */
export function namedTokens({ solana }: Pick<World, 'solana'>): Token[] {
  const own = solana
    ? [
        { name: 'USD Coin', symbol: 'USDC', decimals: 6, address: solana.info.usdcMint },
        { name: 'MAI', symbol: 'MAI', decimals: 9, address: solana.info.saleMint },
      ]
    : []
  return [
    ...own,
    { name: 'Wrapped SOL', symbol: 'WSOL', decimals: 9, address: wrappedSol },
    { name: 'USD Coin', symbol: 'USDC', decimals: 6, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
    { name: 'USDT', symbol: 'USDT', decimals: 6, address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' },
  ]
}

/** The token of a mint; one without a name is called by the mint's first letters. */
export function tokenOf(world: Pick<World, 'solana'>, mint: string, decimals: number): Token {
  const known = namedTokens(world).find(one => one.address === mint)
  return known ?? { name: 'Unknown token', symbol: mint.slice(0, 4), decimals, address: mint }
}

/** Tokens of every EVM network of the fixtures. */
export const evmTokens: (Token & { address: string })[] = [
  { name: 'USD Coin', symbol: 'USDC', decimals: 6, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' },
  { name: 'Tether USD', symbol: 'USDT', decimals: 6, address: '0xdac17f958d2ee523a2206206994597c13d831ec7' },
  { name: 'Dai Stablecoin', symbol: 'DAI', decimals: 18, address: '0x6b175474e89094c44da98b954eedeac495271d0f' },
]

/** The coin of an EVM network, with the marker address of a native token. */
export const evmCoin = (chainId: string): Token & { address: string } =>
  chainId === 'eip155:137'
    ? { name: 'POL', symbol: 'POL', decimals: 18, address: nativeEvm }
    : { name: 'Ether', symbol: 'ETH', decimals: 18, address: nativeEvm }

/** Where the services show a token's image. */
export const iconUrl = (requestUrl: string, symbol: string): string =>
  new URL(`/public/getTokenImage/${symbol}`, requestUrl).href
