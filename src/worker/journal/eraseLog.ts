/**
 * Erasing the log where every core ends at its beginning. None has it open, so it is read as it is; wallets are not notified,
 * as only a core can seal a message.
 */
import { foldCoreFact } from '../../events/coreFolds.ts'
import { mayBePaidLate } from '../../events/subjects/order/latePayment.ts'
import { subjectOf } from '../../runtime/log/subjectOf.ts'
import { Fault } from '../../runtime/failure.ts'
import { type CoreConfig, leadLock } from '../../events/wire.ts'
import { logOnDevice } from './chosenNetwork.ts'
import { eraseLog, openLog } from './storage.ts'
import { holdLock, type Locks } from '../../runtime/tabs/locks.ts'
import { runtime } from '../runtime.ts'
import { moneyUnderWay } from '../host/money/moneyUnderWay.ts'

/** Subjects with money under way. */
const subjects: ReadonlySet<string> = new Set(['order', 'request', 'invoice'])

/**
 * @param sure erases also while an order or a host's payment request is open, or a payment may still be made
 * @returns false in these cases, or when that cannot be read, and it was not `sure`
 * @throws Fault `elsewhere` when another tab has the log; what the storage says when it fails
 */
export async function eraseKept(
  config: CoreConfig,
  locks: Locks | undefined,
  { sure, at }: { sure: boolean; at: number },
): Promise<boolean> {
  const lead = locks && holdLock(locks, leadLock, { ifAvailable: true })
  if (lead && !(await lead.held))
    throw new Fault('elsewhere', 'erasing the record expected that no tab has it open, one has')
  try {
    const genesisHash = await logOnDevice(config)
    if (!sure && (await mayHoldMoney(genesisHash, at))) return false
    await eraseLog(genesisHash)
    return true
  } finally {
    lead?.release()
  }
}

async function mayHoldMoney(genesisHash: string, at: number): Promise<boolean> {
  try {
    const log = await openLog(genesisHash)
    try {
      const { model, facts } = await runtime.known(log)
      // Only these subjects are folded: some other fact may be what ends every core
      for (const fact of facts) if (subjects.has(subjectOf(fact.type))) foldCoreFact(model, fact)
      return moneyUnderWay(model, at) || mayBePaidLate(model, at)
    } finally {
      log.close()
    }
  } catch {
    return true
  }
}
