/** Parts of ledgers, kept so that a computation goes on after a reload. Erasing the log erases them, too. */
import { type Database, openDatabase } from '../../runtime/journal/database.ts'
import { answeredInTime } from '../../runtime/journal/openStore.ts'
import { ledgerPartsName } from './storage.ts'

type Parts = { parts: { key: string; value: unknown } }

/** Where parts are kept, one for each sale. A part that cannot be kept or read is none. */
export type LedgerParts = {
  get(sale: string): Promise<unknown>
  put(sale: string, part: unknown): Promise<void>
}

/** Parts in a database of their own. */
export const storedParts: LedgerParts = {
  get: sale => onParts(db => db.get('parts', sale)),
  put: async (sale, part) => void (await onParts(db => db.put('parts', part, sale))),
}

async function onParts<T>(task: (db: Database<Parts>) => Promise<T>): Promise<T | undefined> {
  try {
    const opening = openDatabase<Parts>(ledgerPartsName, { version: 1, stores: [['parts']] })
    try {
      return await answeredInTime('the parts of ledgers', opening.then(task))
    } finally {
      void opening.then(
        db => db.close(),
        () => undefined,
      )
    }
  } catch {
    return undefined
  }
}
