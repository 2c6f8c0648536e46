import { readAnswer, simulation } from '../../../src/worker/rpc/answers.ts'
import { readTransactionError, transactionErrorText } from '../../../src/worker/rpc/transactionErrors.ts'
import type { Node } from '../node.ts'
import { batchInstructions, type HashedPlan, mostUnits, unsigned } from './batch.ts'
import { messageOf } from './message.ts'
import { feePayerOf } from '../../../src/worker/services/planFile.ts'

/** Any 32 bytes: the node takes a blockhash of its own in their place. */
const someBlockhash = '11111111111111111111111111111111'

/** @returns why the batch would fail now, undefined when it would pass; it is simulated without its nonce, which may not exist */
export async function simulateBatch(node: Node, hashed: HashedPlan, batch: number): Promise<string | undefined> {
  const instructions = batchInstructions(hashed, batch, { limit: mostUnits, price: 0n })
  const bytes = unsigned(messageOf(feePayerOf(hashed.plan), instructions, someBlockhash))
  const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' }
  const asked = await node.call('simulateTransaction', [Buffer.from(bytes).toString('base64'), config])
  const error = readTransactionError(readAnswer(simulation, asked, 'simulateTransaction').value.err)
  return error && transactionErrorText(error)
}
