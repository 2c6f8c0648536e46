import { Fault } from '../../../src/runtime/failure.ts'
import type { SigningKey } from '../verb.ts'
import { follow, unfinished } from '../send.ts'
import { laneDraft, openLane, spendOnLane } from './lanes.ts'
import { payBatch, type Paying } from './payBatch.ts'

/** The end of a run. `paid`: batches that are final; `unpaid`: those that cannot be paid now, and why. */
export type PaidPlan = { paid: number; unpaid: { batch: number; reason: string }[] }

/**
 * Pays every batch of a plan that is not paid yet.
 *
 * @param lanes how many lanes work at once
 * @param onBatch receives the run so far with each batch that is done, also before a failure
 * @throws Fault the first of any lane, after every lane has ended the batch it was at
 */
export async function payPlan(
  paying: Paying,
  key: SigningKey,
  { lanes, onBatch = () => undefined }: { lanes: number; onBatch?: (soFar: PaidPlan) => void },
): Promise<PaidPlan> {
  const { hashed } = paying
  const { batches, lanes: all } = hashed.plan
  const unpaid: PaidPlan['unpaid'] = []
  const failures: unknown[] = []
  let [paid, nextLane] = [0, 0]
  const payLane = async (lane: number) => {
    await endCreation(paying, lane)
    await openLane(paying, lane, paying.feeKey ?? key)
    for (let batch = lane; batch < batches.length && failures.length === 0; batch += all) {
      const outcome = await payBatch(paying, batch, key)
      if ('reason' in outcome) unpaid.push(outcome)
      else paid += 1
      onBatch({ paid, unpaid })
    }
  }
  const work = async () => {
    for (; nextLane < Math.min(all, batches.length) && failures.length === 0; ) {
      const lane = nextLane
      nextLane += 1
      await payLane(lane).catch((cause: unknown) => void failures.push(cause))
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, all) }, work))
  if (failures.length > 0) throw failures[0]
  return { paid, unpaid: unpaid.sort((a, b) => a.batch - b.batch) }
}

/** Follows a creation of the lane that an earlier run left open. */
async function endCreation({ hashed, sending, limits }: Paying, lane: number): Promise<void> {
  const { about } = laneDraft(hashed, lane)
  for (const signed of unfinished(sending.journal.lines))
    if (signed.about === about)
      await follow(sending, signed, () => spendOnLane(limits, about, Buffer.from(signed.bytes, 'base64')))
}

/** @throws Fault `bad_input` when a run asks for no lane, or more than the plan has */
export function checkLanes(lanes: number, { plan }: Paying['hashed']): void {
  if (lanes >= 1 && lanes <= plan.lanes) return
  throw new Fault('bad_input', `--lanes expected 1 to ${plan.lanes}, as the plan has, got ${lanes}`)
}
