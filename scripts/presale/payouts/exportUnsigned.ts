import { join } from 'node:path'
import { nonceValue, prepare } from '../send.ts'
import { writeWhole } from '../writeWhole.ts'
import { laneAddress, laneDraft } from './lanes.ts'
import { type Paying, unsignedBatch } from './payBatch.ts'

/** An unsigned transaction in a file. */
type Exported = { about: string; path: string }

/**
 * Writes the next transaction of each lane: the creation of its nonce account, or its first batch that is not paid. Only one of a
 * lane can land, so that an export may be repeated and signed by anyone who has the key, in any order.
 *
 * @param folder exists
 * @returns the files; none when every batch is paid
 * @throws Fault of a node, or `simulation_failed` when a batch would fail
 */
export async function exportUnsigned(paying: Paying, folder: string): Promise<Exported[]> {
  const { hashed, sending } = paying
  const { plan, hash } = hashed
  const files: Exported[] = []
  const write = (name: string, about: string, bytes: Uint8Array) => {
    const path = join(folder, `${hash.slice(0, 16)}-${name}.txt`)
    writeWhole(path, `${Buffer.from(bytes).toString('base64')}\n`)
    files.push({ about, path })
  }
  for (let lane = 0; lane < Math.min(plan.lanes, plan.batches.length); lane += 1) {
    if ((await nonceValue(sending.node, laneAddress(hashed, lane))).value === undefined) {
      const { about, bytes } = await prepare(sending.node, laneDraft(hashed, lane))
      write(`lane-${lane}`, `${about}, which can land for about a minute`, bytes)
      continue
    }
    for (let batch = lane; batch < plan.batches.length; batch += plan.lanes) {
      const bytes = await unsignedBatch(paying, batch)
      if (!bytes) continue
      write(`batch-${batch}`, `batch ${batch}`, bytes)
      break
    }
  }
  return files
}
