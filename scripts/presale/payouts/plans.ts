/** Plans in the state directory, by their hashes, and the rules that announced plans of one sale keep. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import { hashText } from '../../../src/worker/services/notices.ts'
import { textOf } from '../saleFiles.ts'
import { otherState } from '../verb.ts'
import { makeFolder, writeWhole } from '../writeWhole.ts'
import type { AnnouncedPlan } from '../books/outflows.ts'
import type { HashedPlan } from './batch.ts'
import type { LeftOutClaims } from './leftOut.ts'
import { tokenProgram } from './payees.ts'
import {
  claimsOf,
  type Plan,
  planFileName,
  planHash,
  type PlanKind,
  planText,
  readPlan,
} from '../../../src/worker/services/planFile.ts'

/** @returns the path of a plan in a state directory: its name is its hash */
export function planPath(directory: string, hash: string): string {
  return join(directory, 'plans', `${hash}.json`)
}

/** Writes a plan durably. @returns its path. @throws Fault `bad_input` naming the file that cannot be written */
export function keepPlan(directory: string, { plan, hash }: HashedPlan): string {
  makeFolder('the folder of the plans', join(directory, 'plans'), 0o700)
  const path = planPath(directory, hash)
  writeWhole(path, planText(plan))
  return path
}

/** @throws Fault `bad_input` when it is no plan, or one of another sale */
export function planAt(path: string, sale: LedgerSale): HashedPlan {
  const plan = readPlan(textOf(path), path)
  checkSale(plan, sale, path)
  return { plan, hash: planHash(plan) }
}

/**
 * @param announced hashes of the plans on the chain, oldest first
 * @returns those plans
 * @throws Fault `bad_input` naming the plan whose file is missing or another: what it pays is unknown, so nothing else is planned or paid
 */
export function announcedPlans(directory: string, announced: readonly string[], sale: LedgerSale): HashedPlan[] {
  return announced.map(hash => {
    const path = planPath(directory, hash)
    if (!existsSync(path))
      throw refused(
        `expected every announced plan in the state directory, got none at ${path}: put ${sourceOf(hash)} there${ignoreText(hash)}`,
      )
    const found = planNamed(path, hash, sale)
    if (!found)
      throw refused(`${path} is damaged or was changed: put ${sourceOf(hash)} in its place${ignoreText(hash)}`)
    return found
  })
}

/** @returns the plan of a file; undefined when its text is not the one with this hash. @throws Fault as `planAt` */
function planNamed(path: string, hash: string, sale: LedgerSale): HashedPlan | undefined {
  return hashText(textOf(path)) === hash ? planAt(path, sale) : undefined
}

/** Places that have a plan's file: every verb that plans or pays writes a copy beside the terms. */
function sourceOf(hash: string): string {
  return `${planFileName(hash)} from beside the terms`
}

function ignoreText(hash: string): string {
  return `. If that file is lost and the plan was never paid, --ignore-plan ${hash.slice(0, 16)} goes on without it`
}

/** @returns a sentence about a plan without its file: what is there, and where the right one is to be put */
export function unknownPlanText({ hash, path, isDamaged = false }: AnnouncedPlan): string {
  const [source, more] = [sourceOf(hash), ', or the file from where the plan was made']
  if (path === undefined)
    return `plan ${hash} is announced, and there is no state directory with its file: name one by --state, and put ${source} there as plans/${hash}.json${more}`
  if (isDamaged)
    return `plan ${hash} is announced, and its file ${path} is damaged or was changed: put ${source} in its place${more}`
  return `plan ${hash} is announced, and its file is not here: put it at ${path}, ${source}${more}`
}

/**
 * @param given other plans, that of an announced hash stands in for its file
 * @returns announced plans, each with its file where the state directory or `given` has it
 * @throws Fault as `planAt`
 */
export function knownPlans(
  directory: string | undefined,
  announced: readonly string[],
  sale: LedgerSale,
  given: readonly HashedPlan[] = [],
): AnnouncedPlan[] {
  return announced.map(hash => {
    const path = directory === undefined ? undefined : planPath(directory, hash)
    const isThere = path !== undefined && existsSync(path)
    const found = (isThere ? planNamed(path, hash, sale) : undefined) ?? given.find(one => one.hash === hash)
    return { hash, plan: found?.plan, path, isDamaged: isThere && !found }
  })
}

/** @returns those whose file is missing or damaged, each once */
export function unknownPlans(plans: readonly AnnouncedPlan[]): AnnouncedPlan[] {
  return [...new Map(plans.flatMap(one => (one.plan ? [] : [[one.hash, one] as const]))).values()]
}

/**
 * A sale gives tokens, or gives back what it accepted, never both: later terms may have moved its end.
 *
 * @param before announced plans
 * @throws Fault `elsewhere` when one of them pays by the other outcome
 */
export function checkOutcome(plan: Plan, before: readonly HashedPlan[]): void {
  const givesBack = (one: Plan) => one.kind === 'refunds' && claimsOf(one).some(claim => claim.endsWith(':accepted'))
  const givesTokens = (one: Plan) => one.kind === 'tokens' && one.batches.length > 0
  const other = before.find(one => (givesTokens(plan) ? givesBack(one.plan) : givesBack(plan) && givesTokens(one.plan)))
  if (other)
    throw otherState(
      plan.kind === 'tokens'
        ? `a plan for tokens expected that accepted payments stay, got plan ${other.hash}, which gives them back`
        : `a plan that gives accepted payments back expected no tokens for them, got plan ${other.hash} for tokens`,
    )
}

/**
 * Checks that a plan may be paid.
 *
 * @param announced plans on the chain, oldest first
 * @param leftOut what payments of earlier plans left out
 * @throws Fault `elsewhere` unless it is announced, and pays nothing that a plan announced before it pays; as `checkOutcome`
 */
export function checkAnnounced(
  { plan, hash }: HashedPlan,
  announced: readonly HashedPlan[],
  leftOut: LeftOutClaims = { claims: new Set(), unseen: new Map() },
): void {
  const place = announced.findIndex(one => one.hash === hash)
  if (place < 0)
    throw otherState(
      `expected a plan whose notice is final, got ${hash}: announce it with "plan --keypair", or wait a minute`,
    )
  const earlier = announced.slice(0, place)
  checkOutcome(plan, earlier)
  const before = new Map(
    earlier
      .filter(one => one.plan.kind === plan.kind)
      .flatMap(one => claimsOf(one.plan).map(claim => [claim, one.hash] as const)),
  )
  const claim = claimsOf(plan).find(one => before.has(one) && !leftOut.claims.has(one))
  if (claim !== undefined) {
    const unseen = leftOut.unseen.get(claim)
    const more = unseen === undefined ? '' : `. ${unseen}: if there is one, name a node that keeps the whole history`
    throw otherState(
      `claim ${claim} expected to be in one plan, got it in ${before.get(claim)} and ${hash}: pay the first one${more}`,
    )
  }
}

/** @returns the newest announced plan of a kind. @throws Fault `elsewhere` without one */
export function newestPlan(announced: readonly HashedPlan[], kind: PlanKind): HashedPlan {
  const found = announced.filter(({ plan }) => plan.kind === kind).at(-1)
  if (!found) throw otherState(`expected an announced plan for ${kind}, got none: make one with "plan --kind ${kind}"`)
  return found
}

/** A plan of this sale pays from its accounts alone. */
function checkSale(plan: Plan, sale: LedgerSale, path: string): void {
  const { terms, hash } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  if (plan.presale !== presale || plan.termsHash !== hash)
    throw refused(
      `${path} expected a plan of sale ${presale} with terms ${hash}, got ${plan.presale} with ${plan.termsHash}`,
    )
  if (plan.kind === 'refunds' && plan.payer !== terms.treasury)
    throw refused(`${path} expected the treasury ${terms.treasury} as payer of refunds, got ${plan.payer}`)
  const own = plan.kind === 'tokens' ? saleToken(terms) : saleAssets(sale)
  for (const [symbol, { mint, program, source }] of Object.entries(plan.assets)) {
    const known = own.get(symbol)
    const isOwn = known?.mint === mint && known?.program === program && (known?.source ?? source) === source
    if (!known || !isOwn)
      throw refused(`${path}, asset ${symbol}: expected the sale's own mint and account, got another`)
  }
}

type OwnAsset = { mint?: string | undefined; program?: string; source?: string | undefined }

/** The account that pays tokens is the operator's choice. */
function saleToken(terms: Terms): Map<string, OwnAsset> {
  return new Map([[terms.token.symbol, { mint: terms.token.mint ?? '', program: tokenProgram(terms) }]])
}

function saleAssets({ first, watched }: LedgerSale): Map<string, OwnAsset> {
  const assets = first.terms.assets.map(({ symbol, mint }): [string, OwnAsset] => {
    const source = watched.find(({ asset }) => asset === symbol)?.address
    return [symbol, mint === undefined ? {} : { mint, program: programs.token, source }]
  })
  return new Map(assets)
}
