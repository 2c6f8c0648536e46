import { tranchesOf } from '../../../src/events/sale/vesting.ts'
import { isSolanaAddress } from '../../../src/events/values/solana/address.ts'
import { formatAmount } from '../../../src/events/values/amount.ts'
import { solDecimals } from '../../../src/events/values/solana/fees.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { refused, type VerbArguments } from '../../../src/main/replay/verb.ts'
import { readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import { apartSums } from '../books/payoutText.ts'
import type { Node } from '../node.ts'
import { announce, noticesNow, writtenText } from '../operator/announce.ts'
import { publishFiles } from '../operator/published.ts'
import type { SaleNotices } from '../operator/saleNotices.ts'
import { tell, type Work, withWork, workOptions } from '../operator/work.ts'
import { slotIn } from '../saleFiles.ts'
import { type PresaleExit, type PresaleVerb, slotOption } from '../verb.ts'
import type { HashedPlan } from './batch.ts'
import { readBooks } from './claims.ts'
import { checkNeverPaid, ignoredIn, ignoreOption, ownerOfReserve } from './ignoredPlans.ts'
import { aloneText, claimsLeftOut } from './leftOut.ts'
import { makePlan, type PlanAsked, type PlanCost, planCost } from './makePlan.ts'
import { maySign } from './notWallet.ts'
import { accountsAt, approvalsIn, rentOf, saleMint } from './payees.ts'
import { feePayerOf, mostLanes, type Plan, planHash } from '../../../src/worker/services/planFile.ts'
import { announcedPlans, checkOutcome, keepPlan, planPath } from './plans.ts'

const usualLanes = 8

/** `npm run presale -- plan` */
export const plan: PresaleVerb = {
  takes: '--kind tokens|refunds --terms FILE --rpc URL --keypair FILE|-',
  summary: 'makes the batches of a payout, and announces their hash before the first payment',
  about: `Computes the ledger, decides who gets what, and writes the plan into the state directory: payments ordered by owner, in batches that
each fit one transaction. The same ledger, approvals and accounts make the same bytes. The plan's hash goes on the chain as a
notice of the authority; "distribute" and "refund" pay announced plans alone.

A plan for tokens pays one tranche of the calendar, counted from 0. A plan for refunds pays all that no announced plan pays yet, so
that it may be made again when payments were approved, or accounts that could not receive can. What the paying account itself is
owed is left apart, as paying_account. The state directory has to hold
every plan that was announced, but for those that --ignore-plan names: you say that these were never paid, and their claims are free.`,
  examples: [
    '--kind refunds --terms published/terms.json --rpc https://api.mainnet-beta.solana.com --keypair authority.json',
    '--kind refunds --approve SIGNATURE=PAYEE --terms published/terms.json --rpc URL --keypair authority.json',
    '--kind refunds --ignore-plan 0f1e2d3c4b5a6978 --terms published/terms.json --rpc URL --rpc2 URL --keypair authority.json',
    '--kind tokens --tranche 0 --reserve RESERVE_TOKEN_ACCOUNT --terms published/terms.json --rpc URL --keypair - < authority.json',
  ],
  options: {
    ...workOptions,
    kind: { value: 'tokens|refunds', about: 'pays buyers their tokens, or payers their money' },
    tranche: { value: 'K', about: 'of tokens: 0 at the token’s start, then one for each period' },
    reserve: { value: 'ADDRESS', about: 'of tokens: the token account that pays; its owner signs with a key' },
    approve: {
      value: 'SIGNATURE=PAYEE',
      many: true,
      about: 'of refunds: the wallet that gets back a payment without a known payer',
    },
    'left-out': {
      about:
        'plans again what payments of earlier plans left out, which it reads; makes no plan where none left anything out',
    },
    'ignore-plan': ignoreOption,
    lanes: { value: 'N', about: `transactions that may be on their way at once; default ${usualLanes}` },
    payer: {
      value: 'ADDRESS',
      about: 'pays fees, rents and nonce accounts, and signs beside the owner of the money; default: that one pays',
    },
    slot: slotOption,
  },
  readsLedger: true,
  async run(asked, io) {
    return withWork(asked, io, work => run(work, asked))
  },
}

async function run(work: Work, asked: VerbArguments): Promise<PresaleExit> {
  const { node, second, sale, io, mode, directory } = work
  const { terms } = sale.first
  const wanted = askedFor(asked, terms)
  const notices = await noticesNow(work)
  const ignored = ignoredIn(asked, { directory, plans: notices.board.plans, sale })
  const earlier = announcedPlans(
    directory,
    notices.board.plans.filter(hash => !ignored.has(hash)),
    sale,
  )
  const before = { notices, earlier }
  const isAgain = asked.flags.has('left-out')
  const rivals = isAgain ? earlier.filter(one => one.plan.kind === wanted.kind) : []
  const nodes = [node, ...(second ? [second] : [])]
  if (ignored.size > 0) {
    const owners = await ownerOfReserve(node, sale, asked.values.reserve?.[0])
    const payers = [...owners, ...(wanted.feePayer === undefined ? [] : [wanted.feePayer])]
    await checkNeverPaid(ignored, { nodes, sale, notices, directory, known: earlier, payers, io })
  }
  const { claims: leftOut } = await claimsLeftOut(nodes, sale, rivals, { slot: notices.slot })
  if (isAgain && leftOut.size === 0) return tellNoneLeftOut(work, wanted, before)
  if (leftOut.size > 0 && !second) io.err.write(`warning: ${aloneText}\n`)
  const books = await readBooks(node, sale, { io, second, until: slotIn(asked), directory })
  const made = await makePlan(node, sale, books, { ...wanted, earlier: earlier.map(one => one.plan), leftOut })
  checkOutcome(made, earlier)
  const hashed: HashedPlan = { plan: made, hash: planHash(made) }
  const cost = planCost(made, await rentOf(node, made))
  for (const shortage of await shortages(node, made, cost)) io.err.write(`warning: ${shortage}\n`)
  if (made.batches.length === 0)
    return tellNothing(work, `nothing to pay${apartText(made)}`, { ...planJson(hashed, cost), hash: null }, before)
  const path = mode.kind === 'dry' ? undefined : keepPlan(directory, hashed)
  const { outcome } = await announce(work, notices, { verb: 'plan', hash: hashed.hash })
  const announced = typeof outcome === 'string' ? outcome : outcome.signature
  tell(work, { plan: path ?? null, announced, ...planJson(hashed, cost) }, planLines(terms, hashed, { path, cost }))
  return 0
}

/** `earlier`: announced plans. */
type Before = { notices: SaleNotices; earlier: readonly HashedPlan[] }

/** Tells that nothing is left to plan, after files were written that a run killed behind its notice left out. */
async function tellNothing(
  work: Work,
  text: string,
  json: Pick<Plan, 'kind' | 'tranche'> & Record<string, unknown>,
  { notices, earlier }: Before,
): Promise<PresaleExit> {
  const { kind, tranche } = json
  const files = await publishFiles(work, notices)
  const newest = earlier.filter(({ plan: one }) => one.kind === kind && one.tranche === tranche).at(-1)
  const known = newest && { hash: newest.hash, plan: planPath(work.directory, newest.hash) }
  const lines = [
    text,
    ...(known ? [`  announced before: plan ${known.hash}, ${known.plan}`] : []),
    ...writtenText(work, files),
  ]
  tell(work, { plan: null, ...json, newest: known ?? null, files }, lines.join('\n'))
  return 0
}

async function tellNoneLeftOut(work: Work, { kind, ...wanted }: Wanted, before: Before): Promise<PresaleExit> {
  const tranche = 'tranche' in wanted ? wanted.tranche : null
  const none = { hash: null, kind, tranche, batches: 0, payments: 0, units: {}, apart: [] }
  return tellNothing(work, `no plan for ${kind} left anything out: no plan is made`, none, before)
}

type Wanted = PlanAsked extends infer A ? (A extends PlanAsked ? Omit<A, 'earlier' | 'leftOut'> : never) : never

function askedFor(asked: VerbArguments, terms: Terms): Wanted {
  const { kind: [kind] = [], tranche: [tranche] = [], reserve: [reserve] = [], approve = [] } = asked.values
  const feePayer = feePayerIn(asked)
  const lanes = wholeIn(asked, 'lanes', { least: 1, most: mostLanes }) ?? usualLanes
  if (kind === 'refunds') {
    if (tranche !== undefined || reserve !== undefined)
      throw refused('a plan for refunds expected neither --tranche nor --reserve: the treasury pays what it got')
    if (!maySign(terms.treasury))
      throw refused(
        `a plan for refunds expected a treasury that signs with a key, got ${terms.treasury}, which has none: the program of this vault pays, once, by refunds.csv of "export", and no plan does`,
      )
    return { kind, approvals: approvalsIn(approve), lanes, feePayer }
  }
  if (kind !== 'tokens') throw refused(`--kind expected tokens or refunds, got ${kind?.slice(0, 20) ?? 'nothing'}`)
  if (approve.length > 0) throw refused('a plan for tokens expected no --approve: it is about refunds')
  saleMint(terms)
  const last = tranchesOf(terms, 0n).length - 1
  const counted = wholeIn(asked, 'tranche', { least: 0, most: last }) ?? (last === 0 ? 0 : undefined)
  if (counted === undefined) throw refused(`a plan for tokens expected --tranche 0 to ${last}, got none`)
  const said = reserve?.slice(0, 50) ?? 'none'
  if (!isSolanaAddress(reserve)) throw refused(`--reserve expected a token account in base58, got ${said}`)
  return { kind, tranche: counted, reserve, lanes, feePayer }
}

function feePayerIn({ values }: VerbArguments): string | undefined {
  const [address] = values.payer ?? []
  const said = address?.slice(0, 50)
  if (address !== undefined && !isSolanaAddress(address))
    throw refused(`--payer expected an address in base58, got ${said}`)
  if (address !== undefined && !maySign(address))
    throw refused(
      `--payer expected an address that signs with a key, got ${address}, which has none: name a wallet that signs each payment of the plan`,
    )
  return address
}

/** @throws Fault `bad_input` when an option is no whole number between the two */
export function wholeIn(
  { values }: VerbArguments,
  option: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const [text] = values[option] ?? []
  if (text === undefined) return undefined
  const value = /^(0|[1-9]\d{0,5})$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refused(`--${option} expected a whole number from ${least} to ${most}, got ${text.slice(0, 20)}`)
}

/** @returns sentences about accounts that hold too little for the whole plan, or for another part of it with this cost */
export async function shortages(node: Node, made: Plan, cost: PlanCost, part = 'the whole plan'): Promise<string[]> {
  const { payer, assets } = made
  const feePayer = feePayerOf(made)
  const { rents, fees, lanes, units } = cost
  const there = await accountsAt(node, [
    payer,
    feePayer,
    ...Object.values(assets).flatMap(({ source }) => source ?? []),
  ])
  const found: string[] = []
  const compare = (account: string, symbol: string, decimals: number, needed: bigint, held: bigint) => {
    const [expected, got] = [needed, held].map(amount => formatAmount(amount.toString(), decimals))
    if (needed > held) found.push(`${account} expected ${expected} ${symbol} for ${part}, got ${got}`)
  }
  const isOwn = feePayer === payer
  const costs = rents + fees + lanes + rentMinimum
  let lamports = isOwn ? costs : 0n
  for (const [symbol, { mint, program = '', source = '', decimals }] of Object.entries(assets)) {
    const needed = units[symbol] ?? 0n
    if (mint === undefined) lamports += needed
    else compare(source, symbol, decimals, needed, readEitherTokenAccount(there.get(source), program)?.amount ?? 0n)
  }
  compare(payer, 'SOL', solDecimals, lamports, BigInt(there.get(payer)?.lamports ?? 0))
  if (!isOwn) compare(feePayer, 'SOL', solDecimals, costs, BigInt(there.get(feePayer)?.lamports ?? 0))
  return found
}

function planJson({ plan: made, hash }: HashedPlan, cost: PlanCost) {
  const { rents, fees, lanes, units } = cost
  const text = Object.fromEntries(Object.entries(units).map(([asset, amount]) => [asset, amount.toString()]))
  return {
    hash,
    kind: made.kind,
    tranche: made.tranche,
    payer: made.payer,
    ...(made.feePayer !== undefined && { feePayer: made.feePayer }),
    batches: made.batches.length,
    payments: made.batches.reduce((sum, { rows }) => sum + rows.length, 0),
    units: text,
    cost: { rents: rents.toString(), fees: fees.toString(), nonceAccounts: lanes.toString() },
    apart: made.apart,
  }
}

function planLines(
  terms: Terms,
  { plan: made, hash }: HashedPlan,
  { path, cost }: { path: string | undefined; cost: PlanCost },
): string {
  const { rents, fees, lanes, units } = cost
  const sol = (lamports: bigint) => `${formatAmount(lamports.toString(), solDecimals)} SOL`
  const amounts = Object.entries(units).map(([asset, amount]) => amountText(made, asset, amount))
  const payments = made.batches.reduce((sum, { rows }) => sum + rows.length, 0)
  const rows = [
    ['plan', hash],
    ['file', path ?? 'none: a dry run writes no file'],
    ['payer', made.feePayer === undefined ? made.payer : `${made.payer}; ${made.feePayer} pays fees and rents`],
    [
      'pays',
      `${amounts.join(', ')} in ${count(payments, 'payment')}, ${count(made.batches.length, 'batch', 'batches')}`,
    ],
    ['costs', `${sol(rents + fees + lanes)}: ${sol(rents)} rents, ${sol(fees)} fees, ${sol(lanes)} nonce accounts`],
  ] as const
  const title = `Plan of ${terms.id} for ${made.kind}${made.tranche === null ? '' : `, tranche ${made.tranche}`}`
  return [title, ...rows.map(([name, text]) => `  ${name.padEnd(6)}  ${text}`)].join('\n') + apartText(made)
}

function apartText(made: Plan): string {
  return apartSums(made)
    .map(({ why, asset, claims, units }) => `\n  left apart, ${why}: ${claims}, ${amountText(made, asset, units)}`)
    .join('')
}

/** @returns a number with its noun */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** @returns an amount of one of a plan's assets */
export function amountText({ assets }: Pick<Plan, 'assets'>, asset: string, units: bigint): string {
  return `${formatAmount(units.toString(), assets[asset]?.decimals ?? 0)} ${asset}`
}
