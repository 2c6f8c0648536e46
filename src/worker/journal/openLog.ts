/**
 * Opens a chain's record on this device: the log, its keys and bytes.
 *
 * 1. A record that cannot be read and written whole is left as it is. The life goes on in memory with what could be read,
 *    and takes no order.
 * 2. A life's number is on disk before the life begins, or above all that a page knew: no two lives share one.
 */
import { decodeOwn } from '../../events/log/codec.ts'
import { emptyCoreModel } from '../../events/app.ts'
import { toFailure } from '../../events/failure.ts'
import { type BytesStore, storedBytes } from '../drivers/bytes.ts'
import { type KeyStore, keyStore } from '../drivers/walletconnect/keys.ts'
import { openLog } from './storage.ts'
import { openInMemory } from './inMemory.ts'
import { createJournal, emptyHead, type Journal, type JournalPorts, type LogStore } from './journal.ts'
import type { LogState } from './known.ts'

export type OpenedRecord = {
  journal: Journal
  keys: KeyStore
  bytes: BytesStore
  known: LogState
  /** number of this life */
  life: number
  /** why nothing is stored, when it is known: a newer build wrote the log, or an older tab blocks the database */
  obstacle?: 'newer' | 'blocked'
  /** the disk was too full to open the log: from now on it holds at most so many records */
  shrunk?: number
}

/** Attempts to open a log that another core writes meanwhile: a former leader may have had a commit under way. */
const tries = 3

/**
 * @param genesisHash undefined when the table of chains could not be read
 * @param lastLife the last life a page knew; it may still have answers for its effects
 * @param build of this core
 */
export async function openRecord(
  genesisHash: string | undefined,
  ports: JournalPorts,
  lastLife = 0,
  build?: string,
): Promise<OpenedRecord> {
  let known: LogState = { head: emptyHead, model: emptyCoreModel(), from: emptyHead, facts: [], lines: [] }
  for (let tried = 1; ; tried++) {
    let log: LogStore | undefined
    // Until the record is open a failure is thrown and a smaller budget returned, neither is reported
    let opened = false
    let room: number | undefined
    try {
      if (genesisHash === undefined) throw new Error('the table of chains could not be read')
      log = await openLog(genesisHash)
      known = await knownIn(log, build)
      const { head } = known
      const life = Math.max(head.life, lastLife) + 1
      const journal = createJournal(log, head, {
        failed: message => opened && ports.failed(message),
        taken: () => opened && ports.taken(),
        shrunk(records) {
          if (opened) ports.shrunk(records)
          else room = records
        },
      })
      journal.append([], { life, n: head.n, seq: head.seq })
      await journal.flush('strict')
      opened = true
      const record = { journal, keys: keyStore(log, journal), bytes: storedBytes(log), known, life }
      return room === undefined ? record : { ...record, shrunk: room }
    } catch (cause) {
      log?.close()
      if (toFailure(cause).code === 'elsewhere' && tried < tries) continue
      console.warn('nothing is stored on this device:', toFailure(cause).message)
      return openInMemory(cause, genesisHash ?? '', known, lastLife)
    }
  }
}

/** @param build of this core: its own checkpoints are verified down to the model */
export async function knownIn(log: LogStore, build?: string): Promise<LogState> {
  // A first visit does not load the code that reads
  const isFresh = await log.run(db =>
    db.transact(['seg', 'head'], 'reading', async store => {
      const counts = await Promise.all([store('seg').count(), store('head').count()])
      return counts.every(count => count === 0)
    }),
  )
  if (isFresh) return { head: emptyHead, model: emptyCoreModel(), from: emptyHead, facts: [], lines: [] }
  return (await import('./readLog.ts')).readLog(log, { decode: decodeOwn, build })
}
