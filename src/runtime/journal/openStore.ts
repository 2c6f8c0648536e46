/** Opens a log's database. */
import { withinTime } from '../withinTime.ts'
import { Fault } from '../failure.ts'
import type { JournalSchema, LogStore } from './journal.ts'
import { type Database, deleteDatabase, isStorageFull, openDatabase } from './database.ts'

/** Stores of each database version. Version 1 had lines without checks and no checkpoints; `repairLog.ts` converts it. */
const logStores = [['seg', 'head', 'keys', 'bytes'], ['ckpt']] as const
/** Time for an older tab to close the log's database, ms. */
const blockedMs = 2000
/** Time for the browser to open, read, write or delete, ms. */
const answerMs = 5000

/**
 * Opens a log. The browser may close a database at any moment (a version change, cleared data, a crash of its storage
 * process), so a task that fails is retried once on a newly opened one.
 *
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export async function openStore(name: string): Promise<LogStore> {
  let closed = false
  let current = openOnce(name)
  await current

  const shut = (opened: Promise<Database<JournalSchema>>) =>
    void opened.then(
      db => db.close(),
      () => undefined,
    )
  const attempt = <T>(opened: Promise<Database<JournalSchema>>, task: (db: Database<JournalSchema>) => Promise<T>) =>
    answeredInTime(
      'the log',
      opened.then(db => {
        if (closed) throw new Fault('storage_down', 'the log was closed')
        return task(db)
      }),
    )

  return {
    async run(task) {
      const used = current
      try {
        return await attempt(used, task)
      } catch (cause) {
        // Reopening the database does not help a full disk
        if (closed || cause instanceof Fault || isStorageFull(cause)) throw cause
      }
      // Several tasks may find the same database closed: the first reopens it
      if (current === used) {
        shut(used)
        current = openOnce(name)
        current.catch(() => undefined)
      }
      return attempt(current, task)
    },
    close() {
      closed = true
      shut(current)
    },
  }
}

async function openOnce(name: string): Promise<Database<JournalSchema>> {
  let isBlocked: (() => void) | undefined
  const blocked = new Promise<never>((_, reject) => {
    isBlocked = () => setTimeout(() => reject(new DOMException('another tab keeps it open', 'BlockedError')), blockedMs)
  })
  const opening = openDatabase<JournalSchema>(name, {
    version: logStores.length,
    stores: logStores,
    blocked: () => isBlocked?.(),
  })
  try {
    return await answeredInTime('the log', Promise.race([opening, blocked]))
  } catch (cause) {
    void opening.then(
      db => db.close(),
      () => undefined,
    )
    const why = cause instanceof Error ? cause.name : typeof cause
    throw new Fault('storage_down', `the log's database expected to open, the browser answered ${why}`, { why })
  }
}

/** Deletes a log with its keys. */
export async function eraseStore(name: string): Promise<void> {
  await answeredInTime('the log', deleteDatabase(name))
}

/** Rejects with a TimeoutError when the browser's storage does not answer. */
export function answeredInTime<T>(what: string, answer: Promise<T>): Promise<T> {
  return withinTime(answer, answerMs, () => {
    const message = `${what} expected this device's storage to answer within ${answerMs / 1000} s, it did not`
    throw new DOMException(message, 'TimeoutError')
  })
}
