/** Opens this origin's databases: one small table of chains, and one log per chain. */
import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { Fault } from '../../events/failure.ts'
import type { JournalSchema, LogStore } from '../journal.ts'

const chainsName = 'mai'
const version = 1
/** How long the browser may take to open, read, write or delete, ms. */
const answerMs = 5000

/** @returns the genesis hash last seen behind this RPC address; undefined on the first visit */
export async function rememberedChain(rpcUrl: string): Promise<string | undefined> {
  const known: unknown = await onChains(db => db.get('chains', rpcUrl))
  return typeof known === 'string' ? known : undefined
}

/** Remembers which chain an RPC address serves. */
export async function rememberChain(rpcUrl: string, genesisHash: string): Promise<void> {
  await onChains(db => db.put('chains', genesisHash, rpcUrl))
}

async function onChains<T>(task: (db: IDBPDatabase) => Promise<T>): Promise<T> {
  const opening = openDB(chainsName, version, { upgrade: made => void made.createObjectStore('chains') })
  try {
    return await withinTime(
      'the table of chains',
      opening.then(db => task(db)),
    )
  } finally {
    // Also one that opens after it was given up
    void opening.then(
      db => db.close(),
      () => undefined,
    )
  }
}

/** @returns the database name of a chain's log; a chain that is not identified yet has one of its own */
export function logName(genesisHash: string): string {
  return `mai-${genesisHash === '' ? 'unidentified' : genesisHash}`
}

/**
 * Opens a chain's log. The browser may take an open database away at any moment (a version change, cleared data, a crash
 * of its storage process), so a task that fails is run once more on a newly opened one.
 *
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export async function openLog(genesisHash: string): Promise<LogStore> {
  const name = logName(genesisHash)
  let closed = false
  let current = openDatabase(name)
  await current

  const shut = (opened: Promise<IDBPDatabase<JournalSchema>>) =>
    void opened.then(
      db => db.close(),
      () => undefined,
    )
  const attempt = <T>(
    opened: Promise<IDBPDatabase<JournalSchema>>,
    task: (db: IDBPDatabase<JournalSchema>) => Promise<T>,
  ) =>
    withinTime(
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
        if (closed || cause instanceof Fault || isFull(cause)) throw cause
      }
      // Several tasks may find the same database gone: the first one opens the next
      if (current === used) {
        shut(used)
        current = openDatabase(name)
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

async function openDatabase(name: string): Promise<IDBPDatabase<JournalSchema>> {
  const opening = openDB<JournalSchema>(name, version, {
    upgrade(db) {
      db.createObjectStore('seg')
      db.createObjectStore('head')
      db.createObjectStore('keys')
      db.createObjectStore('bytes')
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  try {
    return await withinTime('the log', opening)
  } catch (cause) {
    void opening.then(
      db => db.close(),
      () => undefined,
    )
    throw new Fault(
      'storage_down',
      `the log's database expected to open, the browser answered ${cause instanceof Error ? cause.name : typeof cause}`,
    )
  }
}

/** Deletes a chain's log with its keys. */
export async function eraseLog(genesisHash: string): Promise<void> {
  await withinTime('the log', deleteDB(logName(genesisHash)))
}

/** Rejects with a TimeoutError when the browser's storage does not answer. */
async function withinTime<T>(what: string, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `${what} expected this device's storage to answer within ${answerMs / 1000} s, it did not`
      reject(new DOMException(message, 'TimeoutError'))
    }, answerMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A full disk is not mended by opening the database again. */
function isFull(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'QuotaExceededError'
}
