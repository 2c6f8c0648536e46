/**
 * A plan of payments: the file that says which account gets how much in which transaction. Its hash is announced before the first
 * payment, and each payment names it.
 *
 * 1. The same ledger, approvals and accounts make the same bytes.
 * 2. A plan's hash is the sha256 of its file.
 * 3. Every row is in one batch; a batch belongs to one lane for ever, so that two machines cannot pay it on two nonces.
 *
 * @see reference "Presale", §11
 */
import { Fault } from '../../runtime/failure.ts'
import { canonicalJson } from '../../runtime/json/canonicalJson.ts'
import { publishedJson } from '../../runtime/json/publishedJson.ts'
import { type Json, readJson } from '../../runtime/json/readJson.ts'
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
} from '../../runtime/schema/schema.ts'
import { isSolanaAddress } from '../../events/values/solana/address.ts'
import { hashText } from './notices.ts'

export type PlanKind = 'tokens' | 'refunds'

/** One payment. `to`: the account that receives, a wallet for SOL. `units`: base units. `of`: the claims that it pays. */
export type PlanRow = {
  owner: string
  to: string
  units: string
  of: string[]
  /** the token account did not exist when the plan was made, and is created */
  create?: true
}

/** Consecutive rows of one asset, in one transaction. */
export type PlanBatch = { asset: string; rows: PlanRow[] }

/** Reasons for which a claim is not paid by a plan. */
export const apartReasons = ['zero', 'below_minimum', 'unpayable', 'needs_approval', 'paying_account'] as const

/** A claim that the plan leaves out, and why; a later plan pays it when the reason is gone. */
export type ApartRow = {
  owner: string | null
  asset: string
  units: string
  of: string[]
  why: (typeof apartReasons)[number]
}

/** `mint`, `program` and `source`, the account that pays, of tokens alone. */
export type PlanAsset = { decimals: number; mint?: string; program?: string; source?: string }

export type Plan = {
  format: 'mai-presale-plan/1'
  /** base58 reference of the presale, and hash of version 1 of its terms */
  presale: string
  termsHash: string
  kind: PlanKind
  /** counts from 0, the token's start; null for refunds */
  tranche: number | null
  /** the ledger that it pays: its hash and number of rows */
  ledgerHash: string
  rows: number
  /** the owner of the money; signs every transaction */
  payer: string
  /** pays fees, rents and nonce accounts, and signs beside; absent: the owner of the money does */
  feePayer?: string
  /** durable nonces; batch b is on lane b modulo this */
  lanes: number
  assets: Record<string, PlanAsset>
  batches: PlanBatch[]
  apart: ApartRow[]
}

export const mostLanes = 32

const address = where(string({ most: 44 }), isSolanaAddress)
const hash = string({ grammar: /^[0-9a-f]{64}$/ })
const symbol = /^[A-Z0-9]{2,8}$/
const units = where(string({ grammar: /^[1-9][0-9]{0,19}$/ }), text => BigInt(text) < 2n ** 64n)
const claims = array(string({ grammar: /^[0-9A-Za-z:]{1,60}$/ }), 1)

const shape: Schema<Plan> = object({
  format: literal('mai-presale-plan/1'),
  presale: address,
  termsHash: hash,
  kind: wordOf(['tokens', 'refunds']),
  tranche: nullable(wholeNumber(0, 120)),
  ledgerHash: hash,
  rows: wholeNumber(0),
  payer: address,
  feePayer: absentable(address),
  lanes: wholeNumber(1, mostLanes),
  assets: record(
    object({
      decimals: wholeNumber(0, 12),
      mint: absentable(address),
      program: absentable(address),
      source: absentable(address),
    }),
    symbol,
  ),
  batches: array(
    object({
      asset: string({ grammar: symbol }),
      rows: array(object({ owner: address, to: address, units, of: claims, create: absentable(literal(true)) }), 1),
    }),
  ),
  apart: array(
    object({
      owner: nullable(address),
      asset: string({ grammar: symbol }),
      units: string({ grammar: /^(0|[1-9][0-9]{0,38})$/ }),
      of: claims,
      why: wordOf(apartReasons),
    }),
  ),
}) as Schema<Plan>

/**
 * Reads a plan's file.
 *
 * @param name of the file, for the error
 * @throws Fault `bad_input` when it is no plan, not in its canonical form, or pays a claim twice
 */
export function readPlan(text: string, name: string): Plan {
  const limits = { maxLength: 256_000_000, maxValues: Number.POSITIVE_INFINITY }
  const json = readJson(text, { name, code: 'bad_input', strict: publishedJson.strict, ...limits })
  const misfit = shape.check(json)
  if (misfit)
    throw new Fault(
      'bad_input',
      `${name}, ${misfit.path || 'the whole'}: expected ${misfit.expected}, got ${misfit.got}`,
    )
  const plan = json as Plan
  if (planText(plan) !== text)
    throw new Fault('bad_input', `${name} expected a plan as "plan" writes it, byte for byte, got another text`)
  const unknown = plan.batches.find(({ asset }) => !Object.hasOwn(plan.assets, asset))
  if (unknown) throw new Fault('bad_input', `${name} expected batches of its assets, got one of ${unknown.asset}`)
  const seen = new Set<string>()
  for (const claim of claimsOf(plan)) {
    if (seen.has(claim)) throw new Fault('bad_input', `${name} expected each claim once, got ${claim} twice`)
    seen.add(claim)
  }
  return plan
}

/** @returns base58 of the account that pays a plan's fees, rents and nonce accounts */
export function feePayerOf({ payer, feePayer }: Pick<Plan, 'payer' | 'feePayer'>): string {
  return feePayer ?? payer
}

/** @returns how many accounts sign each payment of a plan */
export function signersOf(plan: Pick<Plan, 'payer' | 'feePayer'>): number {
  return feePayerOf(plan) === plan.payer ? 1 : 2
}

/** @returns the claims that a plan pays: `owner` and tranche of tokens, rows of the ledger for refunds */
export function claimsOf({ batches }: Plan): string[] {
  return batches.flatMap(({ rows }) => rows.flatMap(row => row.of))
}

/** @returns the content of a plan's file */
export function planText(plan: Plan): string {
  return canonicalJson(plan as unknown as Json)
}

/** @returns the name of a plan's file beside the terms */
export function planFileName(hash: string): string {
  return `plan-${hash.slice(0, 16)}.json`
}

/** @returns sha256 of the plan's file, 64 hex characters */
export function planHash(plan: Plan): string {
  return hashText(planText(plan))
}
