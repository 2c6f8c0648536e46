import { expect, test } from 'vitest'
import { unprovedMint } from '../../../../src/events/sale/terms/knownMints.ts'
import type { TermsAsset } from '../../../../src/events/sale/terms/termsShape.ts'
import { exampleTerms } from '../../values/exampleTerms.ts'

const terms = exampleTerms()
const [sol, usdc] = terms.assets as [TermsAsset, TermsAsset]
const elsewhere = (genesisHash: string) => ({ cluster: { ...terms.cluster, genesisHash } })
const devnet = elsewhere('EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG')
const devnetUsdc = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

test.each([
  ['SOL', terms, sol, undefined],
  ['USDC of mainnet', terms, usdc, undefined],
  ['USDC of devnet', devnet, { ...usdc, mint: devnetUsdc }, undefined],
  ['the mint of mainnet on devnet', devnet, usdc, usdc.mint],
  ['USDC of a chain that calls itself mainnet', elsewhere(terms.authority), usdc, usdc.mint],
  ['any other token', terms, { ...usdc, symbol: 'USDT' }, usdc.mint],
])('the mint of %s is shown unless the symbol proves it', (_name, place, asset, shown) => {
  expect(unprovedMint(place, asset)).toBe(shown)
})
