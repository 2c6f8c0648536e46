import { signature } from '../../events/values/solana/signature.ts'
import { Fault } from '../../runtime/failure.ts'
import { array, looseObject, nullable } from '../../runtime/schema/schema.ts'
import { readAnswer } from './answers.ts'

/** null when the node does not have the block */
export const blockSignatures = nullable(looseObject({ signatures: array(signature) }))

/**
 * Reads a final block's order, which lists of signatures do not tell.
 *
 * @returns the place of a signature; it throws Fault `rpc_lying` for one that the block lacks
 * @throws Fault `bad_response` when the node does not have the block
 */
export async function blockPlaces(
  call: (method: string, params: readonly unknown[]) => Promise<unknown>,
  slot: number,
): Promise<(signature: string) => number> {
  const config = {
    transactionDetails: 'signatures',
    rewards: false,
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  }
  const block = readAnswer(blockSignatures, await call('getBlock', [slot, config]), 'getBlock')
  if (!block) throw new Fault('bad_response', `getBlock expected the block of slot ${slot}, got nothing`)
  const places = new Map(block.signatures.map((id, place) => [id, place]))
  return id => {
    const place = places.get(id)
    if (place === undefined) throw new Fault('rpc_lying', `the block of slot ${slot} expected ${id}, which it lacks`)
    return place
  }
}
