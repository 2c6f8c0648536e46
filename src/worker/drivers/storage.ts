/** Opens this origin's databases: one small table of chains, and one log per chain. */
import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { Fault } from '../../events/failure.ts'
import type { JournalSchema } from '../journal.ts'

const chainsName = 'mai'
const version = 1
const openMs = 5000

/** @returns the genesis hash last seen behind this RPC address; undefined on the first visit */
export async function rememberedChain(rpcUrl: string): Promise<string | undefined> {
  const db = await openDB(chainsName, version, { upgrade: made => void made.createObjectStore('chains') })
  try {
    const known: unknown = await db.get('chains', rpcUrl)
    return typeof known === 'string' ? known : undefined
  } finally {
    db.close()
  }
}

/** Remembers which chain an RPC address serves. */
export async function rememberChain(rpcUrl: string, genesisHash: string): Promise<void> {
  const db = await openDB(chainsName, version, { upgrade: made => void made.createObjectStore('chains') })
  try {
    await db.put('chains', genesisHash, rpcUrl)
  } finally {
    db.close()
  }
}

/** @returns the database name of a chain's log; a chain that is not identified yet has one of its own */
export function logName(genesisHash: string): string {
  return `mai-${genesisHash === '' ? 'unidentified' : genesisHash}`
}

/**
 * Opens a chain's log.
 *
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export async function openLog(genesisHash: string): Promise<IDBPDatabase<JournalSchema>> {
  const opening = openDB<JournalSchema>(logName(genesisHash), version, {
    upgrade(db) {
      db.createObjectStore('seg')
      db.createObjectStore('head')
      db.createObjectStore('keys')
      db.createObjectStore('bytes')
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new Fault('storage_down', `the log's database expected to open within ${openMs / 1000} s, it did not`)),
      openMs,
    )
  })
  try {
    return await Promise.race([opening, late])
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw new Fault(
      'storage_down',
      `the log's database expected to open, the browser answered ${cause instanceof Error ? cause.name : typeof cause}`,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Deletes a chain's log with its keys. */
export async function eraseLog(genesisHash: string): Promise<void> {
  await deleteDB(logName(genesisHash))
}
