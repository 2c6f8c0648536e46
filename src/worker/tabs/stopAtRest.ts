import { openOrder } from '../../events/subjects/order.ts'
import type { OpenCore } from '../host/openCore.ts'
import { strictest } from '../../runtime/journal/strictest.ts'

/** Stops a core after a last commit. @returns false when an order is open, or the log cannot be written */
export async function stopAtRest({
  core,
  inbox,
  journal,
  stop,
}: Pick<OpenCore, 'core' | 'inbox' | 'journal' | 'stop'>): Promise<boolean> {
  const isBusy = () => openOrder(core.model) !== undefined
  if (isBusy()) return false
  await inbox.settled()
  const isWritten = await journal.flush(strictest(journal)).then(
    () => true,
    () => false,
  )
  // An order may have been placed meanwhile
  if (!isWritten || isBusy()) return false
  stop()
  return true
}
