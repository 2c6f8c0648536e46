import type { BaseUnits } from '../../values/amount.ts'
import {
  absentable,
  array,
  literal,
  nullable,
  object,
  record,
  type Schema,
  string,
  where,
  wholeNumber,
  wordOf,
} from '../../schema/schema.ts'
import { saleIdPattern } from './saleId.ts'

/** An asset the sale takes. `creditsPerUnit` is whole, so money coming in is never divided. */
export type TermsAsset = {
  symbol: string
  kind: 'native' | 'spl'
  mint?: string
  decimals: number
  creditsPerUnit: BaseUnits
}

/** One step of the price: capacity in credits, price in credits per whole token, optional end in Unix seconds. */
type TermsStage = { name: string; credits: BaseUnits; price: BaseUnits; endsAt?: number }

type TermsVesting = {
  tgeAt: number
  tgeBps: number
  cliffSeconds: number
  periodSeconds: number
  periods: number
}

/** The published terms of a sale. Amounts are decimal text in credits unless said otherwise, times are Unix seconds. */
export type Terms = {
  format: 'mai-presale-terms/1'
  id: string
  version: number
  cluster: { name: 'mainnet-beta' | 'devnet' | 'testnet' | 'localnet'; genesisHash: string }
  authority: string
  treasury: string
  token: { symbol: string; mint: string | null; decimals: number; program: 'spl-token' | 'token-2022' }
  unit: { symbol: string; decimals: 12 }
  assets: TermsAsset[]
  start: number
  end: number
  stages: TermsStage[]
  softCap: BaseUnits
  minOrder: BaseUnits
  maxBuyer: BaseUnits
  access: { mode: 'open' | 'allowlist'; sha256?: string; url?: string }
  /** `pool` in base units of the token */
  referral: { bps: number; pool: BaseUnits }
  vesting: TermsVesting
  /** `minUnits` by asset symbol, in that asset's base units */
  refund: { minUnits: Record<string, BaseUnits>; withinDays: number }
  unsold: 'burn' | 'return'
  legal: {
    url: string
    sha256: string
    blockedRegions: string[]
    acknowledge: ('terms' | 'region' | 'risk' | 'age')[]
  }
}

const uint = string({ grammar: /^(0|[1-9][0-9]{0,38})$/ })
const key = string({ grammar: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ })
const symbol = string({ grammar: /^[A-Z0-9]{2,8}$/ })
const hash = string({ grammar: /^[0-9a-f]{64}$/ })
const time = wholeNumber(1_500_000_000, 4_102_444_800)
const bps = wholeNumber(0, 10_000)
// JSON Schema counts characters, not UTF-16 units.
const text = (most: number) => where(string(), value => [...value].length <= most)

/** The schema of `mai-presale-terms/1`; rules it cannot express are in `termsRules.ts`. */
export const termsShape: Schema<Terms> = object({
  format: literal('mai-presale-terms/1'),
  id: string({ grammar: saleIdPattern }),
  version: wholeNumber(1, 1000),
  cluster: object({ name: wordOf(['mainnet-beta', 'devnet', 'testnet', 'localnet']), genesisHash: key }),
  authority: key,
  treasury: key,
  token: object({
    symbol,
    mint: nullable(key),
    decimals: wholeNumber(0, 12),
    program: wordOf(['spl-token', 'token-2022']),
  }),
  unit: object({ symbol, decimals: literal(12) }),
  assets: array(
    object({
      symbol,
      kind: wordOf(['native', 'spl']),
      mint: absentable(key),
      decimals: wholeNumber(0, 12),
      creditsPerUnit: uint,
    }),
    1,
    4,
  ),
  start: time,
  end: time,
  stages: array(object({ name: text(40), credits: uint, price: uint, endsAt: absentable(time) }), 1, 32),
  softCap: uint,
  minOrder: uint,
  maxBuyer: uint,
  access: object({
    mode: wordOf(['open', 'allowlist']),
    sha256: absentable(hash),
    url: absentable(text(300)),
  }),
  referral: object({ bps, pool: uint }),
  vesting: object({
    tgeAt: time,
    tgeBps: bps,
    cliffSeconds: wholeNumber(0),
    periodSeconds: wholeNumber(0),
    periods: wholeNumber(0, 120),
  }),
  refund: object({ minUnits: record(uint), withinDays: wholeNumber(1, 90) }),
  unsold: wordOf(['burn', 'return']),
  legal: object({
    url: where(text(300), value => value.startsWith('https://')),
    sha256: hash,
    blockedRegions: array(string({ grammar: /^[A-Z]{2}$/ })),
    acknowledge: array(wordOf(['terms', 'region', 'risk', 'age'])),
  }),
})
