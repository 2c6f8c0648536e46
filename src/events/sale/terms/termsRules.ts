import { isSolanaAddress } from '../../values/solana/address.ts'
import { cleanText } from '../../values/text/cleanText.ts'
import { usdcMintOf } from './knownMints.ts'
import { curveOf } from '../price.ts'
import type { Terms } from './termsShape.ts'
import { rentMinimum } from '../../values/solana/rent.ts'

const u64 = 2n ** 64n
/** The longest text that terms may hold. */
const longestText = 300
/** Last second of the year 9999: later dates cannot be shown. */
const lastSecond = 253_402_300_799

/** Every rule of terms beyond their schema. */
type TermsRule =
  | 'TERMS_TEXT'
  | 'TERMS_KEY'
  | 'TERMS_START_END'
  | 'TERMS_STAGE_TIME'
  | 'TERMS_STAGE_TIME_ORDER'
  | 'TERMS_STAGE_EMPTY'
  | 'TERMS_STAGE_FREE'
  | 'TERMS_STAGE_DIVISIBLE'
  | 'TERMS_SOFT_CAP'
  | 'TERMS_MIN_ORDER'
  | 'TERMS_MAX_BUYER'
  | 'TERMS_RATE_ZERO'
  | 'TERMS_RATE_ABOVE_MIN_ORDER'
  | 'TERMS_MIN_ORDER_REFUND'
  | 'TERMS_MIN_ORDER_RENT'
  | 'TERMS_NATIVE_TWICE'
  | 'TERMS_NATIVE_SOL'
  | 'TERMS_USDC_MINT'
  | 'TERMS_ASSET_MINT'
  | 'TERMS_ASSET_TWICE'
  | 'TERMS_ASSET_IS_TOKEN'
  | 'TERMS_TOKEN_SYMBOL'
  | 'TERMS_UNIT'
  | 'TERMS_TREASURY_AUTHORITY'
  | 'TERMS_TGE_SHARE'
  | 'TERMS_TGE_TIME'
  | 'TERMS_VESTING_TIME'
  | 'TERMS_ALLOWLIST'
  | 'TERMS_TOKENS_RANGE'
  | 'TERMS_UNITS_RANGE'

/**
 * Checks the rules that a schema cannot express. Two rules need the chain and are not here: the treasury is a plain or multisig
 * account, and the reserve holds enough tokens.
 *
 * @returns the first broken rule with a sentence, or undefined
 */
export function brokenRule(terms: Terms): { rule: TermsRule; sentence: string } | undefined {
  return (
    texts(terms) ??
    keys(terms) ??
    times(terms) ??
    stages(terms) ??
    assets(terms) ??
    caps(terms) ??
    vesting(terms) ??
    access(terms)
  )
}

type Broken = { rule: TermsRule; sentence: string } | undefined

function broken(rule: TermsRule, sentence: string): Broken {
  return { rule, sentence }
}

/** Texts shown to people may not reverse a line's direction, or hide in it. */
function texts({ stages, access, legal }: Terms): Broken {
  const all = [...stages.map(({ name }) => name), access.url ?? '', legal.url]
  const isPlain = all.every(text => cleanText(text, longestText) === text)
  return isPlain ? undefined : broken('TERMS_TEXT', 'names and addresses expected plain text in one line')
}

function keys(terms: Terms): Broken {
  const all: [string, string | null | undefined][] = [
    ['cluster.genesisHash', terms.cluster.genesisHash],
    ['authority', terms.authority],
    ['treasury', terms.treasury],
    ['token.mint', terms.token.mint],
    ...terms.assets.map((asset): [string, string | undefined] => [`mint of ${asset.symbol}`, asset.mint]),
  ]
  for (const [name, key] of all) {
    if (key != null && !isSolanaAddress(key))
      return broken('TERMS_KEY', `${name} expected base58 of 32 bytes, got ${key}`)
  }
  if (terms.treasury === terms.authority) {
    return broken('TERMS_TREASURY_AUTHORITY', 'treasury and authority expected two different keys')
  }
  return undefined
}

function times({ start, end, stages }: Terms): Broken {
  if (start >= end) return broken('TERMS_START_END', `start expected to be before end ${end}, got ${start}`)
  let last = start
  for (const { name, endsAt } of stages) {
    if (endsAt === undefined) continue
    if (endsAt <= start || endsAt > end) {
      return broken('TERMS_STAGE_TIME', `endsAt of ${name} expected after ${start} and up to ${end}, got ${endsAt}`)
    }
    if (endsAt <= last) {
      return broken(
        'TERMS_STAGE_TIME_ORDER',
        `endsAt of ${name} expected after that of an earlier stage, got ${endsAt}`,
      )
    }
    last = endsAt
  }
  return undefined
}

function stages(terms: Terms): Broken {
  const whole = 10n ** BigInt(terms.token.decimals)
  for (const { name, credits, price } of terms.stages) {
    if (credits === '0') return broken('TERMS_STAGE_EMPTY', `capacity of ${name} expected more than 0 credits`)
    if (price === '0') return broken('TERMS_STAGE_FREE', `price of ${name} expected more than 0 credits a token`)
    if ((BigInt(credits) * whole) % BigInt(price) !== 0n) {
      const sentence = `capacity ${credits} of ${name} expected a whole number of token base units at price ${price}`
      return broken('TERMS_STAGE_DIVISIBLE', sentence)
    }
  }
  return undefined
}

/** Symbols with one meaning for everybody, whatever a sale calls by them. */
const reservedSymbols: readonly string[] = ['SOL', 'USDC']

function assets(terms: Terms): Broken {
  const { assets, token } = terms
  const minOrder = BigInt(terms.minOrder)
  const mints = assets.flatMap(asset => asset.mint ?? [])
  if (terms.unit.symbol !== 'USD')
    return broken('TERMS_UNIT', `the unit expected the symbol USD, in which prices are shown, got ${terms.unit.symbol}`)
  if (reservedSymbols.includes(token.symbol) || assets.some(asset => asset.symbol === token.symbol)) {
    const sentence = `the token on sale expected a symbol of its own, got ${token.symbol}`
    return broken('TERMS_TOKEN_SYMBOL', sentence)
  }
  if (assets.filter(asset => asset.kind === 'native').length > 1) {
    return broken('TERMS_NATIVE_TWICE', 'assets expected one native asset at most')
  }
  if (new Set(assets.map(asset => asset.symbol)).size < assets.length || new Set(mints).size < mints.length) {
    return broken('TERMS_ASSET_TWICE', 'assets expected different symbols and different mints')
  }
  for (const { symbol, kind, mint, decimals, creditsPerUnit } of assets) {
    const rate = BigInt(creditsPerUnit)
    if ((kind === 'spl') !== (mint !== undefined)) {
      return broken('TERMS_ASSET_MINT', `${symbol} expected a mint exactly when its kind is spl`)
    }
    if (mint !== undefined && mint === token.mint) {
      return broken('TERMS_ASSET_IS_TOKEN', `${symbol} expected another mint than the token on sale`)
    }
    if ((kind === 'native') !== (symbol === 'SOL') || (kind === 'native' && decimals !== 9)) {
      const sentence = `the native asset expected the symbol SOL, which no other has, and 9 decimals, got ${symbol}, ${kind}, with ${decimals}`
      return broken('TERMS_NATIVE_SOL', sentence)
    }
    const usdc = usdcMintOf(terms.cluster.genesisHash)
    if (symbol === 'USDC' && usdc !== undefined && mint !== usdc) {
      return broken('TERMS_USDC_MINT', `USDC expected the mint ${usdc} of this cluster, got ${mint}`)
    }
    if (rate < 1n) return broken('TERMS_RATE_ZERO', `creditsPerUnit of ${symbol} expected at least 1`)
    if (rate > minOrder) {
      return broken(
        'TERMS_RATE_ABOVE_MIN_ORDER',
        `creditsPerUnit of ${symbol} expected up to minOrder ${minOrder}, got ${rate}`,
      )
    }
    const refundMinimum = Object.hasOwn(terms.refund.minUnits, symbol)
      ? BigInt(terms.refund.minUnits[symbol] ?? '0')
      : 0n
    if (minOrder < 10n * refundMinimum * rate) {
      return broken(
        'TERMS_MIN_ORDER_REFUND',
        `minOrder expected 10 refund minimums of ${symbol} at least, got ${minOrder} credits`,
      )
    }
    if (kind === 'native' && minOrder < 10n * rentMinimum * rate) {
      return broken(
        'TERMS_MIN_ORDER_RENT',
        `minOrder expected ${10n * rentMinimum} lamports at least, got ${minOrder} credits`,
      )
    }
  }
  return undefined
}

function caps(terms: Terms): Broken {
  const curve = curveOf(terms)
  const minOrder = BigInt(terms.minOrder)
  const maxBuyer = BigInt(terms.maxBuyer)
  if (BigInt(terms.softCap) > curve.hardCap) {
    return broken('TERMS_SOFT_CAP', `softCap expected up to the hard cap ${curve.hardCap}, got ${terms.softCap}`)
  }
  if (minOrder > maxBuyer)
    return broken('TERMS_MIN_ORDER', `minOrder expected up to maxBuyer ${maxBuyer}, got ${minOrder}`)
  if (maxBuyer > curve.hardCap) {
    return broken('TERMS_MAX_BUYER', `maxBuyer expected up to the hard cap ${curve.hardCap}, got ${maxBuyer}`)
  }
  const tokens = curve.tokens + BigInt(terms.referral.pool)
  if (tokens >= u64)
    return broken('TERMS_TOKENS_RANGE', `tokens for sale and referral expected below 2^64, got ${tokens}`)
  for (const { symbol, creditsPerUnit } of terms.assets) {
    if (curve.hardCap / BigInt(creditsPerUnit) >= u64) {
      return broken('TERMS_UNITS_RANGE', `the hard cap in base units of ${symbol} expected below 2^64`)
    }
  }
  return undefined
}

function vesting({ vesting, end }: Terms): Broken {
  if ((vesting.tgeBps === 10_000) !== (vesting.periods === 0)) {
    return broken('TERMS_TGE_SHARE', `tgeBps expected 10000 exactly when periods is 0, got ${vesting.tgeBps}`)
  }
  if (vesting.tgeAt < end)
    return broken('TERMS_TGE_TIME', `tgeAt expected at or after end ${end}, got ${vesting.tgeAt}`)
  if (vesting.tgeAt + vesting.cliffSeconds + vesting.periods * vesting.periodSeconds > lastSecond) {
    return broken('TERMS_VESTING_TIME', 'the last tranche expected before the year 10000')
  }
  return undefined
}

function access({ access }: Terms): Broken {
  if (access.mode === 'allowlist' && (access.sha256 === undefined || access.url === undefined)) {
    return broken('TERMS_ALLOWLIST', 'an allowlist expected its sha256 and its url')
  }
  return undefined
}
