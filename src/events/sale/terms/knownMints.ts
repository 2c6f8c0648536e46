/** Tells whether an asset is what its symbol says. The operator chooses symbols; only the mint identifies a token. */
import { networks } from '../../values/networks.ts'
import type { Terms, TermsAsset } from './termsShape.ts'

/** The issuer's own mints of USDC, by cluster. */
const usdcMints: { readonly [cluster: string]: string } = {
  'mainnet-beta': 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  devnet: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
}

/** @returns the mint of USDC on the chain with this genesis hash; undefined where none is known */
export function usdcMintOf(genesisHash: string): string | undefined {
  // A file may call any chain by any name; the genesis hash identifies it
  const cluster = networks.find(network => network.genesisHash === genesisHash)?.cluster
  return cluster && usdcMints[cluster]
}

/** @returns the mint to show beside the symbol; undefined for SOL, and for USDC on a chain where its mint is known */
export function unprovedMint({ cluster }: Pick<Terms, 'cluster'>, asset: TermsAsset): string | undefined {
  const isUsdc = asset.symbol === 'USDC' && asset.mint === usdcMintOf(cluster.genesisHash)
  return isUsdc ? undefined : asset.mint
}
