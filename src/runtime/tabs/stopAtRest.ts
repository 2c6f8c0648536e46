import type { Inbox } from '../host/inbox.ts'
import type { Journal } from '../journal/journal.ts'
import { strictest } from '../journal/strictest.ts'

/** The part of an open core that is needed to stop it. */
export type Stoppable = {
  inbox: Pick<Inbox, 'settled'>
  journal: Pick<Journal, 'storage' | 'flush'>
  stop(): void
}

/**
 * Stops a core after a last commit.
 *
 * @param isBusy whether something is open that must not be interrupted
 * @returns false when it is busy, or the log cannot be written
 */
export async function stopAtRest({ inbox, journal, stop }: Stoppable, isBusy: () => boolean): Promise<boolean> {
  if (isBusy()) return false
  await inbox.settled()
  const isWritten = await journal.flush(strictest(journal)).then(
    () => true,
    () => false,
  )
  // Something may have begun meanwhile
  if (!isWritten || isBusy()) return false
  stop()
  return true
}
