/** This origin's databases: one small table of chains, and one log per chain. */
import { openDatabase, type Database } from '../../runtime/journal/database.ts'
import { sha256Hex } from '../drivers/digest.ts'
import type { LogStore } from '../../runtime/journal/journal.ts'
import { answeredInTime, eraseStore, openStore } from '../../runtime/journal/openStore.ts'

const chainsName = 'mai'

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

/** Runs a task on the table of chains. */
export async function onChains<T>(task: (db: Database<Chains>) => Promise<T>): Promise<T> {
  const opening = openDatabase<Chains>(chainsName, { version: 1, stores: [['chains']] })
  try {
    return await answeredInTime(
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
 * Opens a chain's log.
 *
 * @throws Fault `storage_down` when the browser denies storage or does not answer within 5 s
 */
export function openLog(genesisHash: string): Promise<LogStore> {
  return openStore(logName(genesisHash))
}

/** Database of the parts of ledgers; a part names the account whose tokens it sums up. */
export const ledgerPartsName = 'mai-ledgers'

/** Deletes a chain's log with its keys, and the parts of ledgers. */
export async function eraseLog(genesisHash: string): Promise<void> {
  await eraseStore(ledgerPartsName)
  await eraseStore(logName(genesisHash))
}
