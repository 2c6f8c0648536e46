/**
 * Opens a log on this device for one life.
 *
 * 1. A log that cannot be read and written whole is left as it is. The life goes on in memory with what could be read.
 * 2. A life's number is on disk before the life begins, or above all that a page knew: no two lives share one.
 * 3. A life that may not begin any more writes nothing.
 */
import { Fault, toFailure } from '../failure.ts'
import { createJournal, type Journal, type JournalPorts, type LogStore } from './journal.ts'
import { type KnownLog, type LogMeans, nothingKnown } from './known.ts'
import { memoryJournal } from './memoryJournal.ts'
import { openStore } from './openStore.ts'

export type OpenedJournal<M> = {
  journal: Journal
  /** the log's database; absent in memory */
  log?: LogStore
  known: KnownLog<M>
  /** number of this life */
  life: number
  /** why nothing is stored, when it is known: a newer build wrote the log, or an older tab blocks the database */
  obstacle?: 'newer' | 'blocked'
  /** the disk was too full to open the log: from now on it holds at most so many records */
  shrunk?: number
}

/** Attempts to open a log that another core writes meanwhile: a former leader may have had a commit under way. */
const tries = 3

/** Means to open a log. A first visit has nothing to read. */
export type OpenMeans<M> = {
  emptyModel(): M
  format: number
  reading(): Promise<LogMeans<M>>
  /** Asked once the log is read, right before the life's number is written. */
  mayBegin?: (() => boolean) | undefined
}

/**
 * @param name of the log's database; undefined when it is not known which
 * @param lastLife the last life a page knew; it may still have answers for its effects
 * @throws Fault `core_lost` when the life may not begin any more
 */
export async function openJournal<M>(
  name: string | undefined,
  ports: JournalPorts,
  means: OpenMeans<M>,
  lastLife = 0,
): Promise<OpenedJournal<M>> {
  let known = nothingKnown(means.emptyModel())
  for (let tried = 1; ; tried++) {
    let log: LogStore | undefined
    // Until the log is open a failure is thrown and a smaller budget returned, neither is reported
    let opened = false
    let room: number | undefined
    try {
      if (name === undefined) throw new Error('the table of chains could not be read')
      log = await openStore(name)
      known = await knownOf(log, means)
      refuseLate(means)
      const { head } = known
      const life = Math.max(head.life, lastLife) + 1
      const heard: JournalPorts = {
        failed: message => opened && ports.failed(message),
        taken: () => opened && ports.taken(),
        shrunk(records) {
          if (opened) ports.shrunk(records)
          else room = records
        },
      }
      const journal = createJournal(log, head, heard, means.format)
      journal.append([], { life, n: head.n, seq: head.seq })
      await journal.flush('strict')
      opened = true
      const record = { journal, log, known, life }
      return room === undefined ? record : { ...record, shrunk: room }
    } catch (cause) {
      log?.close()
      refuseLate(means)
      if (toFailure(cause).code === 'elsewhere' && tried < tries) continue
      console.warn('nothing is stored on this device:', toFailure(cause).message)
      return openInMemory(cause, name, known, { means, lastLife })
    }
  }
}

/** @throws Fault `core_lost` when the life may not begin any more */
function refuseLate<M>({ mayBegin = () => true }: OpenMeans<M>): void {
  if (!mayBegin()) throw new Fault('core_lost', 'a life expected to begin, it was given up while its log was opened')
}

/** @returns the content of an open log */
export async function knownOf<M>(log: LogStore, means: OpenMeans<M>): Promise<KnownLog<M>> {
  // A first visit does not load the code that reads
  const isFresh = await log.run(db =>
    db.transact(['seg', 'head'], 'reading', async store => {
      const counts = await Promise.all([store('seg').count(), store('head').count()])
      return counts.every(count => count === 0)
    }),
  )
  if (isFresh) return nothingKnown(means.emptyModel())
  const [{ readLog }, reading] = await Promise.all([import('./readLog.ts'), means.reading()])
  return readLog(log, reading)
}

/** A log that a later version of this page keeps is read as far as it can be. */
async function openInMemory<M>(
  cause: unknown,
  name: string | undefined,
  known: KnownLog<M>,
  { means, lastLife }: { means: OpenMeans<M>; lastLife: number },
): Promise<OpenedJournal<M>> {
  const why = cause instanceof Fault ? cause.facts?.why : undefined
  const obstacle =
    why === 'VersionError' || why === 'newer'
      ? ('newer' as const)
      : why === 'BlockedError'
        ? ('blocked' as const)
        : undefined
  const read = obstacle === 'newer' && name !== undefined ? await newerKnown(name, known, means) : known
  const life = Math.max(read.head.life, lastLife) + 1
  return { journal: memoryJournal(read), known: read, life, ...(obstacle && { obstacle }) }
}

async function newerKnown<M>(name: string, known: KnownLog<M>, means: OpenMeans<M>): Promise<KnownLog<M>> {
  try {
    const [{ readLater }, reading] = await Promise.all([import('./readLog.ts'), means.reading()])
    return await readLater(name, reading)
  } catch {
    return known
  }
}
