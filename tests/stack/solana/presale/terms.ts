import { canonicalJson, hex, sha256 } from '../bytes.ts'

/** One step of the price ladder; credits are 10^-12 USD, the price is credits for one whole token. */
export type Stage = { name: string; credits: string; price: string; endsAt?: number }

export type Asset = { symbol: string; kind: 'native' | 'spl'; mint?: string; decimals: number; creditsPerUnit: string }

/** The published terms, "mai-presale-terms/1". Amounts are decimal text, times Unix seconds. */
export type Terms = ReturnType<typeof termsDocument>

/** Parameters that differ between local chains. */
export type TermsPlace = {
  genesisHash: string
  authority: string
  treasury: string
  saleMint: string
  usdcMint: string
  baseUnix: number
  legalSha256: string
  /** hash of the allowlist; absent: everyone may buy */
  listSha256?: string
}

const DAY = 86_400

/** The sale of the local chain: it began a day before the base and ends thirty days after it. */
export function termsDocument(place: TermsPlace) {
  const stages: Stage[] = [
    { name: 'Stage 1', credits: '150000000000000000', price: '600000000' },
    { name: 'Stage 2', credits: '300000000000000000', price: '1200000000' },
    { name: 'Stage 3', credits: '375000000000000000', price: '1500000000' },
  ]
  const assets: Asset[] = [
    { symbol: 'SOL', kind: 'native', decimals: 9, creditsPerUnit: '160000' },
    { symbol: 'USDC', kind: 'spl', mint: place.usdcMint, decimals: 6, creditsPerUnit: '1000000' },
  ]
  return {
    format: 'mai-presale-terms/1',
    id: 'mai-presale-1',
    version: 1,
    cluster: { name: 'localnet', genesisHash: place.genesisHash },
    authority: place.authority,
    treasury: place.treasury,
    token: { symbol: 'MAI', mint: place.saleMint, decimals: 9, program: 'spl-token' },
    unit: { symbol: 'USD', decimals: 12 },
    assets,
    start: place.baseUnix - DAY,
    end: place.baseUnix + 30 * DAY,
    stages,
    softCap: '200000000000000000',
    minOrder: '10000000000000',
    maxBuyer: '25000000000000000',
    access: accessOf(place.listSha256),
    referral: { bps: 300, pool: '15000000000000000' },
    vesting: { tgeAt: place.baseUnix + 37 * DAY, tgeBps: 2500, cliffSeconds: 0, periodSeconds: 30 * DAY, periods: 3 },
    refund: { minUnits: { SOL: '1000000', USDC: '10000' }, withinDays: 14 },
    unsold: 'burn',
    legal: {
      url: 'https://sale.example/terms.html',
      sha256: place.legalSha256,
      blockedRegions: ['CU', 'IR', 'KP', 'SY', 'US'],
      acknowledge: ['terms', 'region', 'risk'],
    },
  }
}

type Access = { mode: 'open' | 'allowlist'; sha256?: string; url?: string }

const accessOf = (sha256: string | undefined): Access =>
  sha256 === undefined ? { mode: 'open' } : { mode: 'allowlist', sha256, url: 'https://sale.example/allowlist.txt' }

/** The text of an allowlist: one address a line. */
export const listText = (addresses: string[]): string => `${addresses.join('\n')}\n`

/** The published bytes of a terms document and their hash. */
export function published(terms: unknown): { text: string; hash: string } {
  const text = canonicalJson(terms)
  return { text, hash: hex(sha256(text)) }
}
