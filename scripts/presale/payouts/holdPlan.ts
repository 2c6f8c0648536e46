/**
 * Holds an announced plan against the ledger before a run pays it: the authority's word alone moves no money of the treasury.
 *
 * 1. The plan's ledger hash is that of the computed ledger after as many rows.
 * 2. Each payment has the owner, account and units that its claims give, by the rules of "plan"; whether an account exists, and so is
 *    created, may be otherwise now.
 * 3. Each claim that no earlier plan pays is paid, or left apart.
 *
 * The payee of a payment without a known payer is the authority's choice, of which the ledger has nothing.
 */
import { Fault } from '../../../src/runtime/failure.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { type ApartRow, claimsOf, type Plan, type PlanRow } from '../../../src/worker/services/planFile.ts'
import type { Node } from '../node.ts'
import type { PresaleIo } from '../verb.ts'
import type { HashedPlan } from './batch.ts'
import { type PartBooks, readBooksAt } from './claims.ts'
import { sharesOf } from './makePlan.ts'
import { payeesOf, refundAccount, tokenProgram } from './payees.ts'

/** A claim by the ledger. `owner`: undefined where a person names the payee. `accounts`: that may receive it, of an owner. */
type Expected = { asset: string; units: bigint; owner: string | undefined; accounts(owner: string): readonly string[] }

/**
 * @param options `earlier`: announced before it. `second`: its ledger must be the same
 * @throws Fault `elsewhere` naming the row, what the ledger gives and what the plan has; those of the node
 */
export async function holdPlan(
  node: Node,
  sale: LedgerSale,
  { plan, hash }: HashedPlan,
  {
    earlier,
    ...reading
  }: {
    earlier: readonly HashedPlan[]
    second?: Node | undefined
    io: PresaleIo
    directory: string | undefined
  },
): Promise<void> {
  const differ = (place: string, expected: string, got: string) =>
    new Fault(
      'elsewhere',
      `plan ${hash}, ${place}: the ledger expected ${expected}, got ${got}. Nothing is paid; --trust-plan pays a plan as it is`,
    )
  const books = await readBooksAt(node, sale, plan.rows, reading)
  if (!books) throw differ('rows', `at most all it has at ${node.host}`, `${plan.rows}`)
  if (books.ledgerHash !== plan.ledgerHash)
    throw differ(`ledger after ${plan.rows} rows`, `hash ${books.ledgerHash}`, plan.ledgerHash)
  if (plan.kind === 'tokens' && books.outcome !== 'success')
    throw differ('outcome', 'tokens of a sale that succeeded alone', `one that is ${books.outcome}`)
  const claims = claimsBy(sale.first.terms, plan, books)
  for (const [batch, { asset, rows }] of plan.batches.entries())
    for (const [at, row] of rows.entries()) holdRow(claims, asset, row, difference(`batch ${batch}, row ${at}`, differ))
  for (const [at, row] of plan.apart.entries())
    holdApart(claims, row, difference(`row ${at} of those left apart`, differ))
  holdWhole(claims, plan, earlier, differ)
}

type Differ = (place: string, expected: string, got: string) => Fault

function difference(place: string, differ: Differ): (expected: string, got: string) => Fault {
  return (expected, got) => differ(place, expected, got)
}

function claimsBy(terms: Terms, { kind, tranche }: Plan, { allocations, refunds }: PartBooks): Map<string, Expected> {
  if (kind === 'refunds')
    return new Map(
      refunds.map(claim => {
        const { of, asset, units } = claim
        const payees = payeesOf(terms, claim)
        const accounts = (owner: string) => payees?.map(({ to }) => to) ?? [refundAccount(terms, asset, owner)]
        return [of, { asset, units, owner: payees?.[0].owner, accounts }]
      }),
    )
  const { symbol, mint } = terms.token
  const accounts = (owner: string) => (mint === null ? [] : [associatedTokenAddress(owner, mint, tokenProgram(terms))])
  return new Map(
    sharesOf(terms, allocations, tranche ?? 0).map(({ of, owner, units }) => [
      of,
      { asset: symbol, units, owner, accounts },
    ]),
  )
}

/** @returns the sum of a row's claims */
function sumOf(
  claims: ReadonlyMap<string, Expected>,
  { asset, owner, of }: Pick<ApartRow, 'asset' | 'owner' | 'of'>,
  differ: (expected: string, got: string) => Fault,
): bigint {
  let sum = 0n
  for (const name of of) {
    const claim = claims.get(name)
    if (!claim) throw differ('claims that it has', `claim ${name}`)
    if (claim.asset !== asset) throw differ(`claim ${name} in ${claim.asset}`, `it in ${asset}`)
    if (claim.owner !== undefined && claim.owner !== owner)
      throw differ(`claim ${name} of ${claim.owner}`, `it of ${owner}`)
    sum += claim.units
  }
  return sum
}

function holdRow(
  claims: ReadonlyMap<string, Expected>,
  asset: string,
  { owner, to, units, of }: PlanRow,
  differ: (expected: string, got: string) => Fault,
): void {
  const sum = sumOf(claims, { asset, owner, of }, differ)
  if (sum.toString() !== units) throw differ(`${sum} units of ${asset} for ${owner}`, units)
  for (const name of of) {
    const accounts = claims.get(name)?.accounts(owner) ?? []
    if (!accounts.includes(to)) throw differ(`claim ${name} at ${[...new Set(accounts)].join(' or ')}`, `it at ${to}`)
  }
}

function holdApart(
  claims: ReadonlyMap<string, Expected>,
  row: ApartRow,
  differ: (expected: string, got: string) => Fault,
): void {
  const sum = sumOf(claims, row, differ)
  if (sum.toString() !== row.units) throw differ(`${sum} units of ${row.asset}`, row.units)
}

/** Of refunds planned before the sale failed, accepted amounts are left to a later plan. */
function holdWhole(
  claims: ReadonlyMap<string, Expected>,
  plan: Plan,
  earlier: readonly HashedPlan[],
  differ: Differ,
): void {
  const paid = earlier.filter(one => one.plan.kind === plan.kind).flatMap(one => claimsOf(one.plan))
  const own = [...claimsOf(plan), ...plan.apart.flatMap(({ of }) => of)]
  const known = new Set([...paid, ...own])
  const isFailed = own.some(isAccepted)
  for (const [name, { units, asset, owner = 'a payee to be named' }] of claims)
    if (!known.has(name) && (isFailed || !isAccepted(name)))
      throw differ(`claim ${name}`, `${units} units of ${asset} for ${owner}, paid or left apart`, 'no row')
}

function isAccepted(claim: string): boolean {
  return claim.endsWith(':accepted')
}
