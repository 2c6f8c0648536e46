/**
 * Tells whether a value is built as terms are, so that readers meet no missing part and no unusable number. `termsShape.ts`
 * validates a published file in full; a recording may hold anything in its place.
 */
import { isRecord } from '../../runtime/json/isRecord.ts'
import type { Terms } from '../sale/terms/termsShape.ts'

type Test = (value: unknown) => boolean
type Parts = { readonly [name: string]: Part }
type Part = Test | readonly [Parts] | Parts

const text: Test = value => typeof value === 'string'
const whole: Test = value => Number.isSafeInteger(value) && (value as number) >= 0
const upTo =
  (most: number): Test =>
  value =>
    whole(value) && (value as number) <= most
const amount: Test = value => typeof value === 'string' && /^(?:0|[1-9][0-9]{0,38})$/.test(value)
/** A divisor is not zero. */
const divisor: Test = value => amount(value) && value !== '0'
const texts: Test = value => Array.isArray(value) && value.every(text)
const amounts: Test = value => isRecord(value) && Object.values(value).every(amount)
const maybe =
  (test: Test): Test =>
  value =>
    value === undefined || test(value)

const decimals = upTo(12)
const parts: { readonly [K in keyof Terms]: Part } = {
  format: text,
  id: text,
  version: whole,
  cluster: { name: text, genesisHash: text },
  authority: text,
  treasury: text,
  token: { symbol: text, mint: value => value === null || text(value), decimals, program: text },
  unit: { symbol: text, decimals },
  assets: [{ symbol: text, kind: text, mint: maybe(text), decimals, creditsPerUnit: divisor }],
  start: whole,
  end: whole,
  stages: [{ name: text, credits: amount, price: divisor, endsAt: maybe(whole) }],
  softCap: amount,
  minOrder: amount,
  maxBuyer: amount,
  access: { mode: text, sha256: maybe(text), url: maybe(text) },
  referral: { bps: whole, pool: amount },
  vesting: { tgeAt: whole, tgeBps: whole, cliffSeconds: whole, periodSeconds: whole, periods: upTo(120) },
  refund: { minUnits: amounts, withinDays: whole },
  unsold: text,
  legal: { url: text, sha256: text, blockedRegions: texts, acknowledge: texts },
}

/** @returns whether every part is present and of its kind; other parts are ignored */
export function isTermsLike(value: unknown): value is Terms {
  return isBuilt(value, parts)
}

function isBuilt(value: unknown, all: Parts): boolean {
  return isRecord(value) && Object.entries(all).every(([name, part]) => fits(value[name], part))
}

function fits(value: unknown, part: Part): boolean {
  if (typeof part === 'function') return part(value)
  if (!isList(part)) return isBuilt(value, part)
  const [each] = part
  return Array.isArray(value) && value.every(member => isBuilt(member, each))
}

function isList(part: readonly [Parts] | Parts): part is readonly [Parts] {
  return Array.isArray(part)
}
