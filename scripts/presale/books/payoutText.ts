/** Payouts and outflows in words and as JSON. */
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { apartReasons, type Plan } from '../../../src/worker/services/planFile.ts'
import { assetText, tokenText } from '../totalsText.ts'
import { unknownPlans, unknownPlanText } from '../payouts/plans.ts'
import type { AnnouncedPlan, ExplainedOutflow } from './outflows.ts'
import type { PayoutProgress, RefundSums } from './payoutProgress.ts'

/** @returns outflows for programs, amounts as decimal text */
export function outflowsJson(outflows: readonly ExplainedOutflow[]): Record<string, unknown> {
  const { ofPlans, uncompared, unexplained } = sorted(outflows)
  return {
    ofPlans: ofPlans.length,
    uncompared: uncompared.length,
    unexplained: unexplained.map(outflowJson),
  }
}

/** @returns one outflow for programs: `plan` and, of a payment, `batch`, or `why` it is unexplained */
export function outflowJson({ signature, slot, account, asset, units, explained, why }: ExplainedOutflow) {
  const { isCompared: compared, ...of } = explained ?? { isCompared: undefined, why }
  return {
    signature,
    slot,
    account,
    asset,
    units: units.toString(),
    ...of,
    ...(compared !== undefined && { compared }),
  }
}

/** @returns one outflow as a sentence */
export function outflowText(terms: Terms, { asset, units, slot, signature, explained, why }: ExplainedOutflow): string {
  const amount = unitsText(terms, asset, units)
  if (!explained) return `unexplained outflow of ${amount} in slot ${slot}, ${why}: ${signature}`
  const { plan, batch, isCompared } = explained
  const part = batch === undefined ? 'a cost' : `batch ${batch}`
  const source = isCompared ? '' : ', whose file is not here to compare'
  return `outflow of ${amount} in slot ${slot}: ${part} of plan ${plan}${source}: ${signature}`
}

/** Lines of unexplained outflows in a text; JSON has all. */
const mostTold = 20

/** @returns outflows in lines; none when nothing left */
export function outflowsText(terms: Terms, outflows: readonly ExplainedOutflow[]): string {
  if (outflows.length === 0) return ''
  const { ofPlans, uncompared, unexplained } = sorted(outflows)
  const parts = [
    `${ofPlans.length} of announced plans`,
    ...(uncompared.length > 0 ? [`${uncompared.length} of plans whose file is not here to compare`] : []),
    `${unexplained.length} unexplained`,
  ]
  const told = unexplained.slice(0, mostTold).map(one => `  ! ${outflowText(terms, one)}`)
  const more = unexplained.length - told.length
  return [
    `  outflows      ${parts.join(', ')}`,
    ...told,
    ...(more > 0 ? [`  ! and ${more} more: --json has all`] : []),
    '',
  ].join('\n')
}

function sorted(outflows: readonly ExplainedOutflow[]) {
  const of = (isCompared: boolean) => outflows.filter(({ explained }) => explained?.isCompared === isCompared)
  return { ofPlans: of(true), uncompared: of(false), unexplained: outflows.filter(({ explained }) => !explained) }
}

/** @returns base units of an asset of the terms, or of the sale's token */
export function unitsText(terms: Terms, asset: string, units: bigint): string {
  return asset === terms.token.symbol ? tokenText(terms, units) : assetText(terms, asset, units)
}

/** @returns refunds for programs, amounts as decimal text. `atMost`: the file of an announced plan is missing */
export function refundsJson({ isWhole, assets }: RefundSums): Record<string, Record<string, string | true>> {
  const text = ([asset, { paid, owed, excess }]: [string, RefundSums['assets'][string]]) => {
    const more = { ...(excess > 0n && { excess: excess.toString() }), ...(!isWhole && { atMost: true as const }) }
    return [asset, { paid: paid.toString(), owed: owed.toString(), ...more }] as const
  }
  return Object.fromEntries(Object.entries(assets).map(text))
}

/** @returns lines on what plans paid back, what is still owed, and what was paid beyond it; none where nothing was to give back */
export function refundsText(terms: Terms, { isWhole, assets }: RefundSums): string {
  const part = (which: 'paid' | 'owed' | 'excess') =>
    Object.entries(assets)
      .filter(([, one]) => one[which] !== 0n)
      .map(([asset, one]) => assetText(terms, asset, one[which]))
      .join(', ')
  if (Object.keys(assets).length === 0) return ''
  const [paid, owed, excess] = [part('paid') || 'nothing', part('owed'), part('excess')]
  const [by, most] = isWhole ? ['plans', ''] : ['plans whose file is here', 'at most ']
  return [
    `  refunds       paid by ${by}: ${paid}; still owed: ${owed === '' ? 'nothing' : `${most}${owed}`}\n`,
    ...(excess === '' ? [] : [`  ! plans paid ${excess} more than was to be given back\n`]),
  ].join('')
}

/** @returns a plan's progress for programs, amounts as decimal text */
export function payoutJson({
  hash,
  plan,
  path,
  isDamaged,
  paidBatches,
  paidRecipients,
  recipients,
  sums,
}: PayoutProgress) {
  if (!plan) return { plan: hash, file: false, path: path ?? null, damaged: isDamaged ?? false }
  const text = (of: ReadonlyMap<string, bigint>) =>
    Object.fromEntries([...of].map(([asset, units]) => [asset, units.toString()]))
  const { kind, tranche, payer, batches } = plan
  return {
    plan: hash,
    file: true,
    kind,
    tranche,
    payer,
    batches: { paid: paidBatches, all: batches.length },
    recipients: { paid: paidRecipients, all: recipients },
    paid: text(sums.paid),
    left: text(sums.left),
    ...(sums.leftOut.size > 0 && { leftOut: text(sums.leftOut) }),
    ...(sums.byOthers.size > 0 && { paidByOthers: text(sums.byOthers) }),
    apart: apartSums(plan).map(({ units, ...rest }) => ({ ...rest, units: units.toString() })),
  }
}

/** @returns a table of the plans, one a line, and what each leaves apart; without a plan a line that says so */
export function payoutsText(terms: Terms, payouts: readonly PayoutProgress[]): string {
  if (payouts.length === 0) return '  payouts       no plan is announced\n'
  const head = ['plan', 'pays', 'batches', 'recipients', 'paid', 'left']
  const rows = payouts.map(({ hash, plan, isDamaged, paidBatches, paidRecipients, recipients, sums }) => {
    const damage = isDamaged ? 'its file is damaged or was changed' : 'its file is not in the state directory'
    if (!plan) return [hash.slice(0, 16), damage, '?', '?', '?', '?']
    const text = (of: ReadonlyMap<string, bigint>) =>
      [...of].map(([asset, units]) => unitsText(terms, asset, units)).join(', ') || 'nothing'
    const pays = plan.tranche === null ? plan.kind : `${plan.kind}, tranche ${plan.tranche}`
    const counts = [`${paidBatches} of ${plan.batches.length}`, `${paidRecipients} of ${recipients}`]
    return [hash.slice(0, 16), pays, ...counts, text(sums.paid), text(sums.left)]
  })
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `    ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  const beside = payouts.flatMap(({ hash, sums }) => [
    ...[...sums.leftOut].map(([asset, units]) => {
      return `    ${hash.slice(0, 16)} left out, for "plan --left-out" or the plan it made: ${unitsText(terms, asset, units)}`
    }),
    ...[...sums.byOthers].map(([asset, units]) => {
      return `    ${hash.slice(0, 16)} has claims that other plans paid: ${unitsText(terms, asset, units)}`
    }),
  ])
  const apart = payouts.flatMap(({ hash, plan }) =>
    (plan ? apartSums(plan) : []).map(({ why, asset, claims, units }) => {
      return `    ${hash.slice(0, 16)} leaves apart, ${why}: ${claims}, ${unitsText(terms, asset, units)}`
    }),
  )
  const title = `  payouts       ${payouts.length} announced`
  return [title, line(head), ...rows.map(line), ...beside, ...apart, unknownPlansText(payouts)].join('\n')
}

/** @returns a line for each plan whose file is missing or damaged. `more`: another way out */
export function unknownPlansText(plans: readonly AnnouncedPlan[], more = ''): string {
  return unknownPlans(plans)
    .map(one => `  ! ${unknownPlanText(one)}${more}\n`)
    .join('')
}

/** @returns what a plan leaves apart, by reason and asset */
export function apartSums({
  apart,
}: Pick<Plan, 'apart'>): { why: string; asset: string; claims: number; units: bigint }[] {
  return apartReasons.flatMap(why => {
    const rows = apart.filter(one => one.why === why)
    return [...new Set(rows.map(({ asset }) => asset))].map(asset => {
      const own = rows.filter(one => one.asset === asset)
      return { why, asset, claims: own.length, units: own.reduce((sum, one) => sum + BigInt(one.units), 0n) }
    })
  })
}
