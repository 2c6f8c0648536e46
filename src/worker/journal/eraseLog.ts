/** Erasing the record where every core ends at its beginning: none has the log open, so it is taken as it lies. */
import { foldCoreFact } from '../../events/app.ts'
import { Fault } from '../../events/failure.ts'
import { openOrder } from '../../events/subjects/order.ts'
import type { CoreConfig } from '../../events/wire.ts'
import { eraseLog, openLog, rememberedChain } from './storage.ts'
import { hold, leadLock, type Locks } from '../tabs/locks.ts'
import { knownIn } from './openLog.ts'

/**
 * @param sure an order that is under way is erased, too
 * @returns false when one is, or when that cannot be read, and it was not `sure`
 * @throws Fault `elsewhere` when another tab has the log; what the storage says when it fails
 */
export async function eraseKept(config: CoreConfig, locks: Locks | undefined, sure: boolean): Promise<boolean> {
  const lead = locks && hold(locks, leadLock, { ifAvailable: true })
  if (lead && !(await lead.held))
    throw new Fault('elsewhere', 'erasing the record expected that no tab has it open, one has')
  try {
    const genesisHash = (await rememberedChain(config.solanaRpcUrl)) ?? ''
    if (!sure && (await mayHaveOrder(genesisHash))) return false
    await eraseLog(genesisHash)
    return true
  } finally {
    lead?.release()
  }
}

async function mayHaveOrder(genesisHash: string): Promise<boolean> {
  try {
    const log = await openLog(genesisHash)
    try {
      const { model, facts } = await knownIn(log)
      // Nothing else is folded: something in here ends whoever folds it
      for (const fact of facts) if (fact.type.startsWith('order.')) foldCoreFact(model, fact)
      return openOrder(model) !== undefined
    } finally {
      log.close()
    }
  } catch {
    return true
  }
}
