/** Opens a chain's record on this device: the log, its keys and bytes. In memory it takes no order. */
import type { CoreModel } from '../../events/app.ts'
import { type BytesStore, storedBytes, memoryBytes } from '../drivers/bytes.ts'
import { type KeyStore, keyStore, memoryKeys } from '../drivers/walletconnect/keys.ts'
import type { JournalPorts } from '../../runtime/journal/journal.ts'
import { runtime } from '../runtime.ts'
import type { OpenedJournal } from '../../runtime/journal/openJournal.ts'
import { logName } from './storage.ts'

export type OpenedRecord = Omit<OpenedJournal<CoreModel>, 'log'> & { keys: KeyStore; bytes: BytesStore }

/**
 * @param genesisHash undefined when the table of chains could not be read
 * @param lastLife the last life a page knew; it may still have answers for its effects
 * @param build of this core
 * @param mayBegin asked right before the life's number is written
 * @throws Fault `core_lost` when the life may not begin any more
 */
export async function openRecord(
  genesisHash: string | undefined,
  ports: JournalPorts,
  lastLife = 0,
  build?: string,
  mayBegin?: () => boolean,
): Promise<OpenedRecord> {
  const name = genesisHash === undefined ? undefined : logName(genesisHash)
  const { log, ...opened } = await runtime.open(name, ports, { last: lastLife, build, mayBegin })
  if (!log) return { ...opened, keys: { ...memoryKeys(), isPartial: true }, bytes: memoryBytes() }
  return { ...opened, keys: keyStore(log, opened.journal), bytes: storedBytes(log) }
}
