/** The sale's books as this visitor's own worker recomputes them from the chain. */
import type { Failure } from '../../../runtime/failure.ts'
import { failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  flag,
  integer,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { chainKey, publishedSlot, publishedTime, saleUnits, tokenUnits } from '../../schema/scales.ts'

/** The books at the end of a slot. Amounts as in a checkpoint: credits, token base units, and base units by asset. */
const books = {
  slot: measure(publishedSlot),
  raised: measure(saleUnits),
  pos: measure(saleUnits),
  tokens: measure(saleUnits),
  orders: openField(integer),
  buyers: openField(integer),
  refundsOwed: map(measure(saleUnits)),
  balances: map(measure(saleUnits)),
  /** of the last row, 64 hex digits */
  hash: openField(chainKey),
}

/**
 * The books up to the newest final slot. `published`: those of the operator's newest checkpoint; `recomputed`: our own at its slot.
 */
export const computedLedger = {
  ...books,
  /** chain time, ms */
  time: openField(publishedTime),
  transactions: openField(integer),
  outcome: openField(choice(['open', 'success', 'failed'])),
  /** units that left the treasury, refunds and fees included, by asset; absent where nothing did, and in earlier builds */
  outflows: optional(map(measure(saleUnits))),
  published: optional(shape(books)),
  /** chain time of the checkpoint, ms */
  publishedTime: optional(openField(publishedTime)),
  recomputed: optional(shape(books)),
  /** why announced figures could not be compared */
  uncompared: optional(failure),
  /** earlier builds: tokens of the connected account, and its referral bonus, base units, also of books that are not announced */
  own: optional(shape({ account: personal(text), tokens: measure(tokenUnits), bonus: measure(tokenUnits) })),
}
export const ledgerActs = ['start', 'pause', 'resume', 'stop'] as const

/** Transactions that were listed and, of these, judged. */
export const ledgerProgress = { listed: openField(integer), judged: openField(integer) }
const running = { ...ledgerProgress, paused: optional(openField(flag)) }

export const ledgerFacts = define({
  /** The first one has counted none. */
  'ledger.progressed': v1(running),
  /** By the person, or because the worker ended. */
  'ledger.stopped': v1({}),
  'ledger.failed': v1({ failure }),
  'ledger.computed': v1(computedLedger),
})
export type LedgerFact = UnionOf<typeof ledgerFacts>

export function ledgerState() {
  return situations({ progressed: running, stopped: {}, failed: { failure }, computed: computedLedger }, {})
}
export type LedgerView = StateOf<typeof ledgerState>
/** Figures of a checkpoint as a page shows them; `time`: chain time, ms. */
export type ShownBooks = Pick<Books, 'slot'> & Partial<Books> & { time: number }
export type Books = Pick<Extract<LedgerView, { phase: 'computed' }>, keyof typeof books>

/** @returns the figures of the operator's checkpoint that are not those of the chain; empty without both */
export function booksDiffer({ ledger }: { ledger?: LedgerView }): (keyof Books)[] {
  if (ledger?.phase !== 'computed' || !ledger.published || !ledger.recomputed) return []
  return differingFigures(ledger.published, ledger.recomputed)
}

/** @returns the names of the figures that differ */
export function differingFigures(published: Books, recomputed: Books): (keyof Books)[] {
  const names = Object.keys(recomputed) as (keyof Books)[]
  return names.filter(name => amountsText(published[name]) !== amountsText(recomputed[name]))
}

/** Amounts by asset without those of 0, in one order. */
function amountsText(figure: Books[keyof Books]): string {
  if (typeof figure !== 'object') return String(figure)
  const amounts = Object.entries(figure).filter(([, units]) => units !== '0')
  return amounts.map(String).sort().join()
}

/** @returns why nothing may be bought: the operator's figures are not those of the chain */
export function ledgerRefusal(model: { ledger?: LedgerView }): Failure | undefined {
  const [first] = booksDiffer(model)
  if (first === undefined) return undefined
  const message = `the operator’s checkpoint expected to have the chain’s figures, got another ${first}`
  return { code: 'rpc_lying', message, facts: { rule: 'LEDGER' } }
}

/** The state has the name and the data of the newest fact. */
export function foldLedger(model: { ledger?: LedgerView }, { type, data }: LedgerFact): void {
  const phase = type.slice('ledger.'.length)
  const now = { phase, ...data } as LedgerView
  // A newer build's fact changes nothing
  if (!/^(?:progressed|stopped|failed|computed)$/.test(phase)) return
  if (JSON.stringify(model.ledger) !== JSON.stringify(now)) model.ledger = now
}
