/**
 * Opens what this device keeps of a chain: the log and what lies beside it. When that cannot be read or written whole, what
 * could be read goes on in memory, where nothing that costs money may begin, and the disk is left as it is.
 */
import { decodeOwn } from '../../events/log/codec.ts'
import { emptyCoreModel } from '../../events/app.ts'
import { toFailure } from '../../events/failure.ts'
import { type BytesStore, storedBytes } from '../drivers/bytes.ts'
import { type KeyStore, keyStore } from '../drivers/walletconnect/keys.ts'
import { openLog } from './storage.ts'
import { openInMemory } from './inMemory.ts'
import { createJournal, emptyHead, type Journal, type JournalPorts, type LogStore } from './journal.ts'
import type { Known } from './known.ts'

export type OpenedRecord = {
  journal: Journal
  keys: KeyStore
  bytes: BytesStore
  known: Known
  /** This life's number: on disk already, or above all that pages knew, so no other life ever has it. */
  life: number
  /** Why nothing is kept, when it is known. */
  obstacle?: 'newer' | 'blocked'
}

/** How often a log that another core wrote into meanwhile is read anew: one that lost the lead may have had a line waiting. */
const tries = 3

/**
 * @param genesisHash undefined when it could not even be read which chain this device knows
 * @param lastLife the last life a page knew: it still has answers for its effects, so no other life may have that number
 */
export async function openRecord(
  genesisHash: string | undefined,
  ports: JournalPorts,
  lastLife = 0,
): Promise<OpenedRecord> {
  let known: Known = { head: emptyHead, model: emptyCoreModel(), from: emptyHead, facts: [], lines: [] }
  for (let tried = 1; ; tried++) {
    let log: LogStore | undefined
    // What fails before the record is open leads to memory at once
    let opened = false
    try {
      if (genesisHash === undefined) throw new Error('the table of chains could not be read')
      log = await openLog(genesisHash)
      known = await knownIn(log)
      const { head } = known
      const life = Math.max(head.life, lastLife) + 1
      const journal = createJournal(log, head, {
        failed: message => opened && ports.failed(message),
        taken: () => opened && ports.taken(),
        shrunk: ports.shrunk,
      })
      journal.append([], { life, n: head.n, seq: head.seq })
      await journal.flush('strict')
      opened = true
      return { journal, keys: keyStore(log, journal), bytes: storedBytes(log), known, life }
    } catch (cause) {
      log?.close()
      if (toFailure(cause).code === 'elsewhere' && tried < tries) continue
      console.warn('this device keeps no record:', toFailure(cause).message)
      return openInMemory(cause, genesisHash ?? '', known, lastLife)
    }
  }
}

export async function knownIn(log: LogStore): Promise<Known> {
  // Who comes for the first time needs nothing of what reads
  const isFresh = await log.run(db =>
    db.transact(['seg', 'head'], 'reading', async store => {
      const counts = await Promise.all([store('seg').count(), store('head').count()])
      return counts.every(count => count === 0)
    }),
  )
  const empty = emptyCoreModel()
  if (isFresh) return { head: emptyHead, model: empty, from: emptyHead, facts: [], lines: [] }
  return (await import('./readLog.ts')).readLog(log, { empty, decode: decodeOwn })
}
