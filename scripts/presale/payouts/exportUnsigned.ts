import { join } from 'node:path'
import { Fault } from '../../../src/runtime/failure.ts'
import { prepare } from '../send.ts'
import { writeWhole } from '../writeWhole.ts'
import { creationOf, spendOnLane } from './lanes.ts'
import { creationsMissing, spendOnAccounts } from './missing.ts'
import { type Paying, unsignedBatch } from './payBatch.ts'

/** An unsigned transaction in a file. */
type Exported = { about: string; path: string }

/**
 * An export. `failing`: sentences about what cannot be paid now. `fault`: stopped it, and is no matter of one batch.
 */
type Export = { exported: Exported[]; failing: string[]; fault?: unknown }

const forAMinute = 'which can land for about a minute'

/**
 * Writes the next transaction of each lane: the creation of its nonce account, or its first batch that is not paid and would pass.
 * A batch before it whose token accounts were closed gets a file that makes them again. Only one of a lane's payments can land, so
 * that an export may be repeated and signed by anyone who has the key, in any order.
 *
 * @param folder exists
 * @returns the files; none when every batch is paid
 */
export async function exportUnsigned(paying: Paying, folder: string): Promise<Export> {
  const { hashed, limits, sending } = paying
  const { plan, hash } = hashed
  const [exported, failing]: [Exported[], string[]] = [[], []]
  const write = (name: string, about: string, bytes: Uint8Array) => {
    const path = join(folder, `${hash.slice(0, 16)}-${name}.txt`)
    writeWhole(path, `${Buffer.from(bytes).toString('base64')}\n`)
    exported.push({ about, path })
  }
  const exportLane = async (lane: number) => {
    const creation = await creationOf(paying, lane)
    if (creation) {
      const { about, bytes } = creation
      spendOnLane(limits, about, bytes)
      return write(`lane-${lane}`, `${about}, ${forAMinute}`, bytes)
    }
    for (let batch = lane; batch < plan.batches.length; batch += plan.lanes) {
      const bytes = await passing(
        () => unsignedBatch(paying, batch),
        failing,
        () => exportAccounts(batch),
      )
      if (bytes) return write(`batch-${batch}`, `batch ${batch}`, bytes)
    }
  }
  /** @returns whether a file makes accounts of the batch that are missing; it may make some of them */
  const exportAccounts = async (batch: number) => {
    const [draft] = await creationsMissing(paying, batch)
    const prepared = draft && (await passing(() => prepare(sending.node, draft), []))
    if (!prepared) return false
    spendOnAccounts(limits, prepared.about, prepared.bytes)
    write(`accounts-${batch}`, `${prepared.about}, ${forAMinute}`, prepared.bytes)
    return true
  }
  try {
    for (let lane = 0; lane < Math.min(plan.lanes, plan.batches.length); lane += 1)
      await passing(() => exportLane(lane), failing)
  } catch (fault) {
    return { exported, failing, fault }
  }
  return { exported, failing }
}

/**
 * @param failing receives the sentence of a simulation that failed, unless it is mended
 * @returns undefined after a simulation that failed. @throws every other fault
 */
async function passing<T>(
  run: () => Promise<T>,
  failing: string[],
  mend: () => Promise<boolean> = async () => false,
): Promise<T | undefined> {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'simulation_failed') throw cause
    if (!(await mend())) failing.push(cause.message)
    return undefined
  }
}
