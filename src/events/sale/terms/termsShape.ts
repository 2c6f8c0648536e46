import * as v from 'valibot'
import type { BaseUnits } from '../../values/amount.ts'
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

/** Guards a record's schema, which would accept an empty list as an empty record. */
export const noList: v.GenericSchema<unknown, object> = /* @__PURE__ */ v.custom<object>(value => !Array.isArray(value))
const uint = v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,38})$/))
const key = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
const symbol = v.pipe(v.string(), v.regex(/^[A-Z0-9]{2,8}$/))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most))
const time = whole(1_500_000_000, 4_102_444_800)
const bps = whole(0, 10_000)
// JSON Schema counts characters, not UTF-16 units.
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.check(value => [...value].length <= most),
  )

/** The schema of `mai-presale-terms/1`; rules it cannot express are in `termsRules.ts`. */
export const termsShape: v.GenericSchema<unknown, Terms> = v.strictObject({
  format: v.literal('mai-presale-terms/1'),
  id: v.pipe(v.string(), v.regex(saleIdPattern)),
  version: whole(1, 1000),
  cluster: v.strictObject({ name: v.picklist(['mainnet-beta', 'devnet', 'testnet', 'localnet']), genesisHash: key }),
  authority: key,
  treasury: key,
  token: v.strictObject({
    symbol,
    mint: v.nullable(key),
    decimals: whole(0, 12),
    program: v.picklist(['spl-token', 'token-2022']),
  }),
  unit: v.strictObject({ symbol, decimals: v.literal(12) }),
  assets: v.pipe(
    v.array(
      v.strictObject({
        symbol,
        kind: v.picklist(['native', 'spl']),
        mint: v.exactOptional(key),
        decimals: whole(0, 12),
        creditsPerUnit: uint,
      }),
    ),
    v.minLength(1),
    v.maxLength(4),
  ),
  start: time,
  end: time,
  stages: v.pipe(
    v.array(v.strictObject({ name: text(40), credits: uint, price: uint, endsAt: v.exactOptional(time) })),
    v.minLength(1),
    v.maxLength(32),
  ),
  softCap: uint,
  minOrder: uint,
  maxBuyer: uint,
  access: v.strictObject({
    mode: v.picklist(['open', 'allowlist']),
    sha256: v.exactOptional(hash),
    url: v.exactOptional(text(300)),
  }),
  referral: v.strictObject({ bps, pool: uint }),
  vesting: v.strictObject({
    tgeAt: time,
    tgeBps: bps,
    cliffSeconds: whole(0),
    periodSeconds: whole(0),
    periods: whole(0, 120),
  }),
  refund: v.strictObject({ minUnits: v.pipe(noList, v.record(v.string(), uint)), withinDays: whole(1, 90) }),
  unsold: v.picklist(['burn', 'return']),
  legal: v.strictObject({
    url: v.pipe(text(300), v.regex(/^https:\/\//)),
    sha256: hash,
    blockedRegions: v.array(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
    acknowledge: v.array(v.picklist(['terms', 'region', 'risk', 'age'])),
  }),
})
