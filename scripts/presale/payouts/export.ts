import { join } from 'node:path'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { counts } from '../../../src/runtime/replay/verdict.ts'
import { safeJson, takeWords } from '../../../src/main/replay/verb.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { addPaid, claimKey, type ClaimState, claimStates, journalPayments } from '../books/claimStates.ts'
import { type AnnouncedPlan, explainOutflows, outflowsIn, rentMade } from '../books/outflows.ts'
import { unknownPlansText } from '../books/payoutText.ts'
import { readingPlace } from '../books/readSale.ts'
import type { Node } from '../node.ts'
import { noticesNow } from '../operator/announce.ts'
import { stateOf } from '../operator/work.ts'
import { type JournalLine, readState } from '../state.ts'
import { nodesIn, saleIn, slotIn } from '../saleFiles.ts'
import { assetText, tokenText } from '../totalsText.ts'
import { type PresaleVerb, saleOptions, stateOption } from '../verb.ts'
import { makeFolder, writeWhole } from '../writeWhole.ts'
import { type Books, readBooks, type RefundClaim } from './claims.ts'
import { merkleTree } from './merkle.ts'
import { type Approvals, approvalsIn, type Due, refundsDue } from './payees.ts'
import { knownPlans, unknownPlans } from './plans.ts'

/** `npm run presale -- export` */
export const exportVerb: PresaleVerb = {
  takes: '--terms FILE --rpc URL --out DIR',
  summary: 'writes who gets tokens and who gets money back, as CSV and JSON, with a Merkle root',
  about: `Computes the ledger as "ledger" does and writes into a folder: allocations.csv and .json with every owner's tokens, orders and
referral bonus, the Merkle root over them and a proof of each; refunds.csv and .json with every payment that is owed back, its
payee, reason and signature. After a failed sale every accepted amount is a refund, and no one has tokens.

A leaf is sha256(0x00, owner, 32 bytes, tokens, u64 little endian), a node sha256(0x01, lesser child, greater child); the last one of
an odd level goes up unchanged. A refund's state is due; below_minimum: the payee's sum is below the terms' minimum; unpayable:
the payee's account cannot receive it now, for example an empty wallet that would hold less than 890,880 lamports; needs_approval:
the payer is not known for sure, and a person names the payee by --approve; paying_account: the payee's account is the one that
pays. Amounts are base units.

refunds.csv has the refunds that are due and in no announced plan. Those that a plan has are in refunds-planned.csv, each with its plan:
paid, with the transaction; planned, which "refund" pays; left_out, which "plan --left-out" plans again. While the file of an announced
plan is missing, every refund that no other plan has is there, too, as unknown. "planned" of an allocation is the part that announced
plans have, paid or not. Transfers out of the treasury that belong to no plan are told: a claim that one of them paid is still due
here.`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --out books',
    '--terms published/terms.json --rpc URL --out books --approve SIGNATURE=PAYEE --json',
  ],
  options: {
    ...saleOptions,
    state: stateOption,
    out: { value: 'DIR', about: 'the folder to write into; default: the working directory' },
    slot: { value: 'N', about: 'the last slot that counts; default: the newest final one' },
    approve: {
      value: 'SIGNATURE=PAYEE',
      many: true,
      about: 'the wallet that gets back a payment without a known payer',
    },
  },
  readsLedger: true,
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const approvals = approvalsIn(asked.values.approve ?? [])
    const { node, second } = nodesIn(asked, io)
    const directory = readingPlace(asked, sale, io)
    const until = slotIn(asked)
    const books = await readBooks(node, sale, { io, second, until, directory })
    const { slot, state } = books.read
    // A plan that was announced after the last slot has its claims, too
    const { board } = until === undefined ? state : await noticesNow({ node, second, sale, seen: slot })
    const plans = knownPlans(directory, board.plans, sale)
    const lines = directory === undefined ? [] : readState(directory, stateOf(sale))
    const payments = await paymentsIn(node, sale, books, { plans, lines })
    const refunds = await refundLines(node, sale, { books, payments, approvals })
    const files = [...allocationFiles(sale, books, payments), ...refundFiles(sale, { books, payments, refunds })]
    const folder = asked.values.out?.[0] ?? io.directory ?? '.'
    makeFolder('the folder of --out', folder)
    for (const { name, text } of files) writeWhole(join(folder, name), text)
    const summary = summaryOf(sale.first.terms, { books, payments, refunds })
    const names = files.map(({ name }) => join(folder, name))
    io.out.write(
      asked.flags.has('json')
        ? `${safeJson({ ...headOf(sale, books), files: names, ...summary })}\n`
        : summaryText(sale.first.terms, { books, payments, refunds, names }),
    )
    return 0
  },
}

type ExportFile = { name: string; text: string }

function headOf(sale: LedgerSale, { read, ledgerHash, outcome }: Books): Record<string, string | number> {
  const { terms, hash } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  return { presale, termsHash: hash, slot: read.slot, rows: read.state.rows, ledgerHash, outcome }
}

/** `claims`: of announced plans. `unknown`: plans without their file. `others`: transfers out that belong to no plan. */
type Payments = { claims: ReadonlyMap<string, ClaimState>; unknown: AnnouncedPlan[]; others: number }

/**
 * Refunds alone are in the ledger; of tokens no payment is read. A payment that left out all of its batch moves nothing: where another
 * account pays the fees, the journal alone has it.
 */
async function paymentsIn(
  node: Node,
  sale: LedgerSale,
  { out }: Books,
  { plans, lines }: { plans: readonly AnnouncedPlan[]; lines: readonly JournalLine[] },
): Promise<Payments> {
  const left = outflowsIn(out, sale)
  const outflows = explainOutflows(sale, plans, left, await rentMade(node, sale, left))
  const paid = journalPayments(lines)
  addPaid(paid, outflows)
  const others = new Set(outflows.flatMap(({ explained, signature }) => (explained ? [] : [signature])))
  return { claims: claimStates(plans, paid), unknown: unknownPlans(plans), others: others.size }
}

function unknownHashes({ unknown }: Payments): string[] {
  return unknown.map(({ hash }) => hash)
}

/** @returns tokens of announced plans by owner; a claim that was left out and planned again counts once */
function plannedTokens({ claims }: Payments): Map<string, bigint> {
  const rows = new Set([...claims.values()].flatMap(({ kind, row }) => (kind === 'tokens' ? [row] : [])))
  const sums = new Map<string, bigint>()
  for (const { owner, units } of rows) sums.set(owner, (sums.get(owner) ?? 0n) + BigInt(units))
  return sums
}

function allocationFiles(sale: LedgerSale, books: Books, payments: Payments): ExportFile[] {
  const { root, proofs } = merkleTree(books.allocations)
  const { symbol, mint, decimals } = sale.first.terms.token
  const sums = plannedTokens(payments)
  const isKnown = payments.unknown.length === 0
  const list = books.allocations.map(({ owner, tokens, orders, bonus }) => {
    const planned = isKnown ? (sums.get(owner) ?? 0n).toString() : null
    return { owner, tokens: tokens.toString(), orders, bonus: bonus.toString(), planned }
  })
  const total = books.allocations.reduce((sum, { tokens }) => sum + tokens, 0n).toString()
  const json = {
    format: 'mai-presale-allocations/1',
    ...headOf(sale, books),
    unknownPlans: unknownHashes(payments),
    token: { symbol, mint, decimals },
    total,
    merkleRoot: root,
    allocations: list.map((one, at) => ({ ...one, proof: proofs[at] })),
  }
  const lines = list.map(({ owner, tokens, orders, bonus, planned }) => [
    owner,
    tokens,
    orders,
    bonus,
    planned ?? 'unknown',
  ])
  return [
    { name: 'allocations.json', text: `${safeJson(json, 1)}\n` },
    { name: 'allocations.csv', text: csv(['owner', 'tokens', 'orders', 'bonus', 'planned'], lines) },
  ]
}

/** `plan`, and the `payment` that paid it or left it out: of a claim that an announced plan has. */
type RefundLine = Omit<RefundClaim, 'of' | 'source' | 'units'> & {
  payee: string | null
  units: string
  claim: string
  account: string | null
  state: 'due' | 'unknown' | NonNullable<Due['why']> | ClaimState['state']
} & Partial<Pick<ClaimState, 'plan' | 'payment'>>

/** @returns a line for each claim: as its plan has it, or with the state of its payee's sum */
async function refundLines(
  node: Node,
  { first }: LedgerSale,
  { books, payments, approvals }: { books: Books; payments: Payments; approvals: Approvals },
): Promise<RefundLine[]> {
  const stateOf = ({ of }: RefundClaim) => payments.claims.get(claimKey('refunds', of))
  const open = books.refunds.filter(claim => !stateOf(claim))
  const planned = new Set(books.refunds.flatMap(claim => (stateOf(claim) ? [claim.signature] : [])))
  const left = new Map([...approvals].filter(([signature]) => !planned.has(signature)))
  const due = await refundsDue(node, first.terms, open, left)
  const byClaim = new Map(due.flatMap(one => one.of.map(claim => [claim, one] as const)))
  return books.refunds.map(claim => {
    const { of, asset, units, reason, signature } = claim
    const line = { asset, units: units.toString(), reason, signature, claim: of }
    const known = stateOf(claim)
    if (known) {
      const { state, plan, payment, row } = known
      return { ...line, payee: row.owner, account: row.to, state, plan, payment }
    }
    const { owner = null, to = null, why = 'due' } = byClaim.get(of) ?? {}
    return { ...line, payee: owner, account: to, state: payments.unknown.length > 0 ? 'unknown' : why }
  })
}

const refundColumns = ['payee', 'asset', 'units', 'reason', 'signature', 'claim', 'account', 'state'] as const
const plannedStates: readonly RefundLine['state'][] = ['planned', 'paid', 'left_out', 'unknown']

function refundFiles(
  sale: LedgerSale,
  { books, payments, refunds }: { books: Books; payments: Payments; refunds: readonly RefundLine[] },
): ExportFile[] {
  const lines = (columns: readonly (keyof RefundLine)[], some: readonly RefundLine[]) =>
    csv(
      columns,
      some.map(one => columns.map(column => one[column] ?? '')),
    )
  const due = refunds.filter(({ state }) => state === 'due')
  const planned = refunds.filter(({ state }) => plannedStates.includes(state))
  const apart = refunds.filter(one => !due.includes(one) && !planned.includes(one))
  const head = { ...headOf(sale, books), unknownPlans: unknownHashes(payments), outflowsOfNoPlan: payments.others }
  const json = { format: 'mai-presale-refunds/1', ...head, refunds: due, apart, planned }
  return [
    { name: 'refunds.json', text: `${safeJson(json, 1)}\n` },
    { name: 'refunds.csv', text: lines(refundColumns, due) },
    { name: 'refunds-apart.csv', text: lines(refundColumns, apart) },
    { name: 'refunds-planned.csv', text: lines([...refundColumns, 'plan', 'payment'], planned) },
  ]
}

/** No value here needs quotes: keys, digits and words. */
function csv(columns: readonly string[], lines: readonly (readonly (string | number)[])[]): string {
  return [columns, ...lines].map(line => `${line.join(',')}\n`).join('')
}

function summaryOf(
  terms: Terms,
  { books: { allocations }, payments, refunds }: Omit<Told, 'names'>,
): Record<string, unknown> {
  const tokens = allocations.reduce((sum, one) => sum + one.tokens, 0n)
  const totals = sumsOf(terms, refunds).map(({ units, ...of }) => ({ ...of, units: units.toString() }))
  const more = { unknownPlans: unknownHashes(payments), outflowsOfNoPlan: payments.others }
  return { owners: allocations.length, tokens: tokens.toString(), refunds: totals, ...more }
}

type RefundSum = { asset: string; state: string; units: bigint }

/** @returns sums by asset, in the order of the terms, and by state, the due ones first */
function sumsOf({ assets }: Terms, refunds: readonly RefundLine[]): RefundSum[] {
  const states = new Set(['due', ...refunds.map(({ state }) => state)])
  return assets.flatMap(({ symbol: asset }) =>
    [...states].flatMap(state => {
      const own = refunds.filter(one => one.asset === asset && one.state === state)
      const units = own.reduce((sum, one) => sum + BigInt(one.units), 0n)
      return own.length > 0 ? [{ asset, state, units }] : []
    }),
  )
}

type Told = { books: Books; payments: Payments; refunds: readonly RefundLine[]; names: readonly string[] }

function summaryText(terms: Terms, { books, payments, refunds, names }: Told): string {
  const tokens = books.allocations.reduce((sum, one) => sum + one.tokens, 0n)
  const planned = [...plannedTokens(payments).values()].reduce((sum, units) => sum + units, 0n)
  const { others, unknown } = payments
  return [
    `Claims on ${terms.id} up to slot ${books.read.slot}, ledger ${books.ledgerHash}\n`,
    `  ${'outcome'.padEnd(14)}  ${books.outcome}\n`,
    `  ${'tokens'.padEnd(14)}  ${tokenText(terms, tokens)} of ${books.allocations.length} owners\n`,
    ...(planned > 0n ? [`  ${'in plans'.padEnd(14)}  ${tokenText(terms, planned)}, paid or not\n`] : []),
    ...sumsOf(terms, refunds).map(
      ({ asset, state, units }) => `  ${state.padEnd(14)}  ${assetText(terms, asset, units)}\n`,
    ),
    unknownPlansText(unknown),
    ...(others > 0
      ? [`  ! of no plan: ${counts(others, 'outflow')} of the treasury; a claim paid that way is still due here\n`]
      : []),
    ...names.map(name => `  wrote ${name}\n`),
  ].join('')
}
