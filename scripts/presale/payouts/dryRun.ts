import { readAnswer, simulation } from '../../../src/worker/rpc/answers.ts'
import { readTransactionError, transactionErrorText } from '../../../src/worker/rpc/transactionErrors.ts'
import type { Node } from '../node.ts'
import { nonceValue } from '../send.ts'
import { batchInstructions, type HashedPlan, mostUnits, unsigned } from './batch.ts'
import { paymentOf } from './found.ts'
import { laneAddress } from './lanes.ts'
import { closedRows } from './leftOut.ts'
import { messageOf } from './message.ts'
import { paidIn, type Paying } from './payBatch.ts'
import { feePayerOf } from '../../../src/worker/services/planFile.ts'

/** Any 32 bytes: the node takes a blockhash of its own in their place. */
const someBlockhash = '11111111111111111111111111111111'

/** @returns the batches without a final payment, and how many of their lanes are still to be created */
export async function leftOf(paying: Paying): Promise<{ batches: number[]; lanes: number }> {
  const { sale, hashed, sending } = paying
  const { plan } = hashed
  const { call } = sending.node
  const batches: number[] = []
  let lanes = 0
  for (let lane = 0; lane < Math.min(plan.lanes, plan.batches.length); lane += 1) {
    const { slot, value } = await nonceValue(sending.node, laneAddress(hashed, lane))
    const before = batches.length
    for (let batch = lane; batch < plan.batches.length; batch += plan.lanes)
      if (!paidIn(paying, batch) && !(await paymentOf(call, sale, hashed, batch, slot))) batches.push(batch)
    if (value === undefined && batches.length > before) lanes += 1
  }
  return { batches: batches.sort((a, b) => a - b), lanes }
}

/** `reason`: for which the batch would fail now, absent when it would pass. `leftOut`: places of rows that it would not pay then. */
type Simulated = { reason?: string; leftOut: readonly number[] }

/** Simulates a batch as it would be paid now. */
export async function simulateBatch({ hashed, sending, second, leavesOut }: Paying, batch: number): Promise<Simulated> {
  const { node } = sending
  const reason = await failureOf(node, hashed, batch, [])
  if (reason === undefined) return { leftOut: [] }
  const leftOut = leavesOut ? await closedRows([node, ...(second ? [second] : [])], hashed, batch) : []
  const left = leftOut.length > 0 ? await failureOf(node, hashed, batch, leftOut) : reason
  return left === undefined ? { leftOut } : { reason: left, leftOut: [] }
}

/** It is simulated without its nonce, which may not exist. */
async function failureOf(
  node: Node,
  hashed: HashedPlan,
  batch: number,
  leftOut: readonly number[],
): Promise<string | undefined> {
  const instructions = batchInstructions(hashed, batch, { limit: mostUnits, price: 0n, leftOut })
  const bytes = unsigned(messageOf(feePayerOf(hashed.plan), instructions, someBlockhash))
  const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' }
  const asked = await node.call('simulateTransaction', [Buffer.from(bytes).toString('base64'), config])
  const error = readTransactionError(readAnswer(simulation, asked, 'simulateTransaction').value.err)
  return error && transactionErrorText(error)
}
