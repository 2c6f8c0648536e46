/** Opens this origin's databases: one small table of chains, and one log per chain. */
import { withinTime } from '../withinTime.ts'
import { Fault } from '../../events/failure.ts'
import type { JournalSchema, LogStore } from './journal.ts'
import { type Database, deleteDatabase, isStorageFull, openDatabase } from './database.ts'
import { sha256Hex } from '../drivers/digest.ts'

const chainsName = 'mai'
/** Stores of each database version. Version 1 had lines without checks and no checkpoints; `repairLog.ts` converts it. */
const logStores = [['seg', 'head', 'keys', 'bytes'], ['ckpt']] as const
/** Time for an older tab to close the log's database, ms. */
const blockedMs = 2000
/** Time for the browser to open, read, write or delete, ms. */
const answerMs = 5000

/** @returns the genesis hash last seen behind this RPC address; undefined on the first visit */
export async function rememberedChain(rpcUrl: string): Promise<string | undefined> {
  const name = await nameOf(rpcUrl)
  const known: unknown = await onChains(async db => {
    const found: unknown = await db.get('chains', name)
    if (found !== undefined) return found
    // An older build stored the address itself
    const older: unknown = await db.get('chains', rpcUrl)
    if (older !== undefined)
      await db.transact(['chains'], 'relaxed', store =>
        Promise.all([store('chains').put(older, name), store('chains').delete(rpcUrl)]),
      )
    return older
  })
  return typeof known === 'string' ? known : undefined
}

/** Remembers which chain an RPC address serves. */
export async function rememberChain(rpcUrl: string, genesisHash: string): Promise<void> {
  const name = await nameOf(rpcUrl)
  await onChains(db => db.put('chains', genesisHash, name))
}

/** The address may carry a key, which must not be stored. */
const nameOf = (rpcUrl: string) => sha256Hex(rpcUrl)

type Chains = { chains: { key: string; value: unknown } }

async function onChains<T>(task: (db: Database<Chains>) => Promise<T>): Promise<T> {
  const opening = openDatabase<Chains>(chainsName, { version: 1, stores: [['chains']] })
  try {
    return await answered(
      'the table of chains',
      opening.then(db => task(db)),
    )
  } finally {
    // Also a database that opens after the deadline
    void opening.then(
      db => db.close(),
      () => undefined,
    )
  }
}

/** @returns the name of a chain's log database; empty: the chain is not identified yet, and has one of its own */
export function logName(genesisHash: string): string {
  return `mai-${genesisHash === '' ? 'unidentified' : genesisHash}`
}

/**
 * Opens a chain's log. The browser may close a database at any moment (a version change, cleared data, a crash of its storage
 * process), so a task that fails is retried once on a newly opened one.
 *
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export async function openLog(genesisHash: string): Promise<LogStore> {
  const name = logName(genesisHash)
  let closed = false
  let current = openOnce(name)
  await current

  const shut = (opened: Promise<Database<JournalSchema>>) =>
    void opened.then(
      db => db.close(),
      () => undefined,
    )
  const attempt = <T>(opened: Promise<Database<JournalSchema>>, task: (db: Database<JournalSchema>) => Promise<T>) =>
    answered(
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
    return await answered('the log', Promise.race([opening, blocked]))
  } catch (cause) {
    void opening.then(
      db => db.close(),
      () => undefined,
    )
    const why = cause instanceof Error ? cause.name : typeof cause
    throw new Fault('storage_down', `the log's database expected to open, the browser answered ${why}`, { why })
  }
}

/** Deletes a chain's log with its keys. */
export async function eraseLog(genesisHash: string): Promise<void> {
  await answered('the log', deleteDatabase(logName(genesisHash)))
}

/** Rejects with a TimeoutError when the browser's storage does not answer. */
function answered<T>(what: string, answer: Promise<T>): Promise<T> {
  return withinTime(answer, answerMs, () => {
    const message = `${what} expected this device's storage to answer within ${answerMs / 1000} s, it did not`
    throw new DOMException(message, 'TimeoutError')
  })
}
