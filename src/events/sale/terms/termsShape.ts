import type { BaseUnits } from '../../values/amount.ts'
import {
  absentable,
  array,
  literal,
  looseObject,
  nullable,
  object,
  record,
  type Schema,
  string,
  where,
  wholeNumber,
  wordOf,
} from '../../../runtime/schema/schema.ts'
import { backendPattern, saleIdPattern } from './saleId.ts'

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
  /** how the sale is held on the chain; absent: `direct` */
  backend?: string
}

/** The kinds of value that terms consist of. */
type Kinds = {
  object: typeof object
  list<T>(member: Schema<T>, least?: number, most?: number): Schema<T[]>
  word<const T extends string>(...words: readonly T[]): Schema<T>
  text(most: number): Schema<string>
  /** a whole number; a reader works with any up to `most`, terms are published within their bounds */
  whole(least?: number, most?: number): Schema<number>
  /** what divides something */
  divisor: Schema<string>
} & { readonly [name in 'id' | 'key' | 'symbol' | 'hash' | 'url' | 'region' | 'backend']: Schema<string> }

const uint = /* @__PURE__ */ string({ grammar: /^(0|[1-9][0-9]{0,38})$/ })
const decimals = /* @__PURE__ */ wholeNumber(0, 12)
const periods = /* @__PURE__ */ wholeNumber(0, 120)

/*#__NO_SIDE_EFFECTS__*/
function termsOf({
  object,
  list,
  word,
  text,
  whole,
  divisor,
  id,
  key,
  symbol,
  hash,
  url,
  region,
  backend,
}: Kinds): Schema<Terms> {
  const time = whole(1_500_000_000, 4_102_444_800)
  const bps = whole(0, 10_000)
  return object({
    format: word('mai-presale-terms/1'),
    id,
    version: whole(1, 1000),
    cluster: object({ name: word('mainnet-beta', 'devnet', 'testnet', 'localnet'), genesisHash: key }),
    authority: key,
    treasury: key,
    token: object({ symbol, mint: nullable(key), decimals, program: word('spl-token', 'token-2022') }),
    unit: object({ symbol, decimals: literal(12) }),
    assets: list(
      object({ symbol, kind: word('native', 'spl'), mint: absentable(key), decimals, creditsPerUnit: divisor }),
      1,
      4,
    ),
    start: time,
    end: time,
    stages: list(object({ name: text(40), credits: uint, price: divisor, endsAt: absentable(time) }), 1, 32),
    softCap: uint,
    minOrder: uint,
    maxBuyer: uint,
    access: object({ mode: word('open', 'allowlist'), sha256: absentable(hash), url: absentable(text(300)) }),
    referral: object({ bps, pool: uint }),
    vesting: object({ tgeAt: time, tgeBps: bps, cliffSeconds: whole(), periodSeconds: whole(), periods }),
    refund: object({ minUnits: record(uint), withinDays: whole(1, 90) }),
    unsold: word('burn', 'return'),
    legal: object({
      url,
      sha256: hash,
      blockedRegions: list(region),
      acknowledge: list(word('terms', 'region', 'risk', 'age')),
    }),
    backend: absentable(backend),
  })
}

// JSON Schema counts characters, not UTF-16 units
const text = (most: number) => where(string(), value => [...value].length <= most)

/** The schema of `mai-presale-terms/1`; rules it cannot express are in `termsRules.ts`. */
export const termsShape: Schema<Terms> = /* @__PURE__ */ termsOf({
  object,
  list: array,
  word: (...words) => wordOf(words),
  text,
  whole: (least = 0, most) => wholeNumber(least, most),
  divisor: uint,
  id: string({ grammar: saleIdPattern }),
  key: string({ grammar: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ }),
  symbol: string({ grammar: /^[A-Z0-9]{2,8}$/ }),
  hash: string({ grammar: /^[0-9a-f]{64}$/ }),
  url: where(/* @__PURE__ */ text(300), value => value.startsWith('https://')),
  region: string({ grammar: /^[A-Z]{2}$/ }),
  backend: string({ grammar: backendPattern }),
})

const anyText = /* @__PURE__ */ string()

/**
 * Terms in a log, from which a reader misses no part and meets no unusable number. `termsShape` validates the published file; a
 * recording may hold anything in its place, and tokens for what it leaves out.
 */
export const loggedTerms: Schema<Terms> = /* @__PURE__ */ termsOf({
  object: looseObject,
  list: member => array(member),
  word: <T extends string>() => anyText as Schema<T>,
  text: () => anyText,
  whole: () => wholeNumber(0),
  divisor: string({ grammar: /^[1-9][0-9]{0,38}$/ }),
  id: anyText,
  key: anyText,
  symbol: anyText,
  hash: anyText,
  url: anyText,
  region: anyText,
  backend: anyText,
})
