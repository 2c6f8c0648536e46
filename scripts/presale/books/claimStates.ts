/**
 * States of the claims that announced plans have.
 *
 * 1. A claim is its first plan's, until a payment of that plan left it out; then it is the next one's.
 * 2. A claim that any plan paid is paid.
 */
import { rowsPaid } from '../payouts/batch.ts'
import { leftOutIn } from '../payouts/payBatch.ts'
import type { JournalLine } from '../state.ts'
import type { PlanKind, PlanRow } from '../../../src/worker/services/planFile.ts'
import type { AnnouncedPlan, ExplainedOutflow } from './outflows.ts'

/** Final payments by plan and batch. `leftOut`: places of the rows that it does not pay. */
export type PaidBatches = Map<string, { signature: string; leftOut: readonly number[] }>

/** @returns the key of a batch among the paid ones */
export function batchKey(plan: string, batch: number): string {
  return `${plan} ${batch}`
}

/** @returns the final payments that a journal has */
export function journalPayments(lines: readonly JournalLine[]): PaidBatches {
  const paid: PaidBatches = new Map()
  for (const line of lines) {
    if (line.kind !== 'paid') continue
    const payment = { signature: String(line.signature), leftOut: leftOutIn(line) }
    paid.set(batchKey(String(line.plan), Number(line.batch)), payment)
  }
  return paid
}

/** Adds the payments that are held against their plan's file. */
export function addPaid(paid: PaidBatches, outflows: readonly ExplainedOutflow[]): void {
  for (const { explained, signature } of outflows)
    if (explained?.isCompared && explained.batch !== undefined)
      paid.set(batchKey(explained.plan, explained.batch), { signature, leftOut: explained.leftOut ?? [] })
}

/** `payment`: the final transaction that paid it, or left it out; null without one. `row`: of the plan. */
export type ClaimState = {
  state: 'planned' | 'paid' | 'left_out'
  plan: string
  payment: string | null
  kind: PlanKind
  row: PlanRow
}

/** @returns the key of a claim among the states: a name is unique in its kind */
export function claimKey(kind: PlanKind, claim: string): string {
  return `${kind} ${claim}`
}

/** @param plans oldest first; of one without its file nothing is known */
export function claimStates(plans: readonly AnnouncedPlan[], paid: PaidBatches): Map<string, ClaimState> {
  const states = new Map<string, ClaimState>()
  for (const { hash, plan } of plans) {
    if (!plan) continue
    const { kind } = plan
    for (const [batch, { rows }] of plan.batches.entries()) {
      const payment = paid.get(batchKey(hash, batch))
      const rowsOfPayment = new Set(payment ? rowsPaid(rows, payment.leftOut) : [])
      for (const row of rows) {
        const state = rowsOfPayment.has(row) ? 'paid' : payment ? 'left_out' : 'planned'
        const found = { state, plan: hash, payment: payment?.signature ?? null, kind, row } as const
        for (const claim of row.of) {
          const key = claimKey(kind, claim)
          const known = states.get(key)?.state
          if (known === undefined || known === 'left_out' || (state === 'paid' && known !== 'paid'))
            states.set(key, found)
        }
      }
    }
  }
  return states
}
