import { formatAmount } from '../../../src/events/values/amount.ts'
import { solDecimals } from '../../../src/events/values/solana/fees.ts'
import { safeJson } from '../../../src/main/replay/verb.ts'
import { progressOf } from '../readLedger.ts'
import type { PresaleExit, PresaleIo, PresaleVerb } from '../verb.ts'
import { makeFolder } from '../writeWhole.ts'
import { batchOf, type HashedPlan } from './batch.ts'
import { leftOutIn, paidIn, type Paying } from './payBatch.ts'
import { leftOf, simulateBatch } from './dryRun.ts'
import { exportUnsigned } from './exportUnsigned.ts'
import { type Payout, payoutOptions, withPayout } from './openPayout.ts'
import { checkLanes, type PaidPlan, payPlan } from './payPlan.ts'
import { amountText, count, shortages } from './plan.ts'
import { planCost } from './makePlan.ts'
import { claimsOf, type PlanKind, type PlanRow } from '../../../src/worker/services/planFile.ts'

const about = `A batch is paid at most once, whatever happens: its lane's durable nonce lets one transaction land, the payment names the batch
by a key under which the chain finds it, and before each attempt both are read at a final slot. So the command may be killed at any
moment and run again, also without its journal, and also on two machines at once: the balances in the end are the plan's. It stops
when a payment's effect differs from the plan by one unit. First it computes the ledger and holds the plan against it, row by row: a plan
that gives another owner, account or amount is not paid.

A batch that cannot be paid now, for example because an account was frozen, is named at the end; run the command again when the reason
is gone. With --leave-out such a batch is paid without the payments whose account cannot receive at a final slot; they are told, and
"plan --left-out" plans them again. Exit code 1 means that batches are left.

While the file of an announced plan is missing or damaged, nothing is paid: that plan may have paid the same. If the file is lost, or the
notice came from a thief of the authority's key, and the plan was never paid, --ignore-plan goes on without it. It is refused when the
journal or the chain has a sign of a payment.`

/** `npm run presale -- distribute` */
export const distribute: PresaleVerb = payVerb('tokens', {
  summary: 'pays a plan of tokens, each batch at most once',
  about: `Pays the newest announced plan for tokens, or another one. The reserve's owner signs and pays rents and fees.\n\n${about}`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --dry-run',
    '--terms published/terms.json --rpc URL --rpc2 URL --keypair reserve.json --max-sol 25',
    '--terms published/terms.json --rpc URL --export-unsigned transactions',
    '--terms published/terms.json --rpc URL --rpc2 URL --keypair reserve.json --ignore-plan 0f1e2d3c4b5a6978',
  ],
})

/** `npm run presale -- refund` */
export const refund: PresaleVerb = payVerb('refunds', {
  summary: 'pays a plan of refunds, each batch at most once',
  about: `Pays the newest announced plan for refunds, or another one. The treasury signs, and pays rents and fees.\n\n${about}`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --dry-run',
    '--terms published/terms.json --rpc URL --rpc2 URL --keypair treasury.json --max-sol 100 --max-tokens 5000',
    '--terms published/terms.json --rpc URL --rpc2 URL --keypair treasury.json --ignore-plan 0f1e2d3c4b5a6978',
  ],
})

function payVerb(kind: PlanKind, text: Pick<PresaleVerb, 'summary' | 'about' | 'examples'>): PresaleVerb {
  return {
    takes: '--terms FILE --rpc URL --keypair FILE|-',
    ...text,
    options: payoutOptions,
    readsLedger: true,
    async run(asked, io) {
      return withPayout(asked, io, kind, payout => run(payout, io, asked.flags.has('json')))
    },
  }
}

async function run(payout: Payout, io: PresaleIo, isJson: boolean): Promise<PresaleExit> {
  const { paying, key, lanes, isDry, exportTo } = payout
  checkLanes(lanes, paying.hashed)
  if (isDry) return dryRun(payout, io, isJson)
  if (exportTo !== undefined) {
    makeFolder('the folder of --export-unsigned', exportTo)
    const { exported, failing, fault } = await exportUnsigned(paying, exportTo)
    const lines = [
      ...exported.map(({ path, about: name }) => `${name}: ${path}\n`),
      ...failing.map(sentence => `! ${sentence}\n`),
    ]
    const done = fault === undefined ? 'every batch is paid\n' : ''
    io.out.write(isJson ? `${safeJson({ exported, failing })}\n` : lines.join('') || done)
    if (fault !== undefined) throw fault
    return failing.length === 0 ? 0 : 1
  }
  if (!key) return 2
  const { batches } = paying.hashed.plan
  const progress = progressOf(io, 'paid')
  let soFar: PaidPlan = { paid: 0, unpaid: [] }
  const onBatch = (now: PaidPlan) => {
    soFar = now
    progress.at(now.paid + now.unpaid.length, batches.length)
  }
  const tell = (run: PaidPlan, end = '') => {
    progress.end(`${run.paid} of ${batches.length} batches${end}`)
    const isStopped = end !== ''
    io.out.write(
      isJson ? `${safeJson({ ...paidJson(payout, run), stopped: isStopped })}\n` : paidText(payout, run, end),
    )
  }
  const paid = await payPlan(paying, key, { lanes, onBatch }).catch((cause: unknown) => {
    // Money has moved: a limit or a silent node ends the run in the middle of the plan
    const paid = batches.filter((_, batch) => paidIn(paying, batch)).length
    const unpaid = [...soFar.unpaid].sort((a, b) => a.batch - b.batch)
    tell({ paid, unpaid }, ', as the journal has it')
    throw cause
  })
  tell(paid)
  return paid.unpaid.length === 0 ? 0 : 1
}

async function dryRun({ paying }: Payout, io: PresaleIo, isJson: boolean): Promise<PresaleExit> {
  const { hashed, sending, limits } = paying
  const { plan, hash } = hashed
  const all = plan.batches.length
  const left = await leftOf(paying)
  const progress = progressOf(io, 'simulated')
  const failing: PaidPlan['unpaid'] = []
  const shorter = new Map<number, readonly number[]>()
  for (const [at, batch] of left.batches.entries()) {
    const { reason, leftOut } = await simulateBatch(paying, batch)
    if (reason !== undefined) failing.push({ batch, reason })
    if (leftOut.length > 0) shorter.set(batch, leftOut)
    progress.at(at + 1, left.batches.length)
  }
  progress.end(count(left.batches.length, 'batch', 'batches'))
  const paid = all - left.batches.length
  const cost = planCost(plan, limits.rent, { ...left, leftOut: shorter })
  const part = paid === 0 ? undefined : 'what is left of the plan'
  const short = paid === all ? [] : await shortages(sending.node, plan, cost, part)
  const lamports = (cost.rents + cost.fees + cost.lanes).toString()
  const passing = `${left.batches.length - failing.length} of ${left.batches.length} batches would pass`
  const text = [
    `Dry run of plan ${hash}: ${passing}${paid === 0 ? '' : `, ${paid} of ${all} are paid`}\n`,
    `  costs  about ${formatAmount(lamports, solDecimals)} SOL beside what it pays\n`,
    ...short.map(sentence => `  ! ${sentence}\n`),
    ...failing.map(({ batch, reason }) => `  ! batch ${batch}: ${reason}\n`),
    ...[...shorter].map(([batch, { length }]) => `  ! batch ${batch} would leave out ${count(length, 'payment')}\n`),
  ]
  const without = [...shorter].map(([batch, leftOut]) => ({ batch, leftOut: leftOut.length }))
  const result = { plan: hash, batches: all, paid, failing, shorter: without, shortages: short, cost: lamports }
  io.out.write(isJson ? `${safeJson(result)}\n` : text.join(''))
  return failing.length + short.length === 0 ? 0 : 1
}

function paidJson({ paying, later }: Payout, { paid, unpaid }: PaidPlan): Record<string, unknown> {
  const { hashed, limits } = paying
  const units = Object.fromEntries([...limits.units].map(([asset, amount]) => [asset, amount.toString()]))
  const sent = { lamports: limits.lamports.toString(), units }
  const leftOut = leftOutRows(paying, later).map(({ row: { owner, to, units: left }, batch, by }) => {
    return { batch, owner, account: to, units: left, plan: by?.plan ?? null, paidBy: by?.signature ?? null }
  })
  const { batches, apart } = hashed.plan
  return { plan: hashed.hash, batches: batches.length, paid, unpaid, leftOut, sent, apart: apart.length }
}

/** A row that its plan's payment left out. `by`: the later plan that has its claims, and its payment, where the journal has that. */
type LeftOutRow = { batch: number; row: PlanRow; by: { plan: string; signature: string | undefined } | undefined }

/** @returns rows that the plan's payments left out, as the journal has them */
function leftOutRows(paying: Paying, later: readonly HashedPlan[]): LeftOutRow[] {
  const { hashed, sending } = paying
  const lines = sending.journal.lines.filter(({ kind, plan }) => kind === 'paid' && plan === hashed.hash)
  const left = lines.flatMap(line => {
    const batch = Number(line.batch)
    const { rows } = batchOf(hashed.plan, batch)
    return leftOutIn(line).flatMap(at => (rows[at] ? [{ batch, row: rows[at] }] : []))
  })
  const free = new Set(left.flatMap(({ row }) => row.of))
  const own = claimsOf(hashed.plan).filter(claim => !free.has(claim))
  // A plan with claims that this one pays is void
  const plans = later.filter(({ plan }) => {
    const claims = new Set(claimsOf(plan))
    return !own.some(claim => claims.has(claim))
  })
  return left.map(({ batch, row }) => ({ batch, row, by: planThatHas(paying, plans, row) }))
}

function planThatHas(paying: Paying, plans: readonly HashedPlan[], { of }: PlanRow): LeftOutRow['by'] {
  for (const hashed of plans)
    for (const [batch, { rows }] of hashed.plan.batches.entries()) {
      const at = rows.findIndex(row => of.every(claim => row.of.includes(claim)))
      const payment = at < 0 ? undefined : paidIn({ ...paying, hashed }, batch)
      if (at >= 0 && !payment?.leftOut?.includes(at)) return { plan: hashed.hash, signature: payment?.signature }
    }
  return undefined
}

function paidText({ paying, later }: Payout, { paid, unpaid }: PaidPlan, end: string): string {
  const { hashed, limits } = paying
  const { plan } = hashed
  const tokens = [...limits.units].filter(([, units]) => units > 0n)
  const sent = tokens.map(([asset, units]) => `${amountText(plan, asset, units)}, `).join('')
  return [
    `Plan ${hashed.hash}\n`,
    `  paid   ${paid} of ${plan.batches.length} batches${end}\n`,
    `  sent   ${sent}${formatAmount(limits.lamports.toString(), solDecimals)} SOL in this run, rents and fees included\n`,
    ...unpaid.map(({ batch, reason }) => `  ! batch ${batch} is not paid: ${reason}\n`),
    ...leftOutRows(paying, later).map(({ batch, row, by }) => {
      const left = `batch ${batch} left out ${row.to}`
      if (!by) return `  ! ${left}, which could not receive: "plan --left-out" plans its payment again\n`
      if (by.signature === undefined) return `  ! ${left}: plan ${by.plan} has its payment\n`
      return `  ${left}: plan ${by.plan} paid it, ${by.signature}\n`
    }),
    ...(plan.apart.length === 0 ? [] : [`  ${count(plan.apart.length, 'claim')} left apart by the plan\n`]),
  ].join('')
}
