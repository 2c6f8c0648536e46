/**
 * The token by which a wallet app knows this page, kept across visits: encrypted in IndexedDB, under a key that no script can
 * export. Without storage it lasts as long as the page.
 */
import { type Database, openDatabase } from '../../../runtime/journal/database.ts'

type Sealed = { key: CryptoKey; iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }
type Schema = { token: { key: string; value: Sealed } }

export type KeptToken = {
  /** @returns undefined when there is none, or it cannot be read */
  recall(): Promise<string | undefined>
  /** Replaces it, or removes it, after what was asked before; a storage that refuses keeps none. */
  keep(token: string | undefined): Promise<unknown>
}

const [store, name] = ['token', 'kept'] as const

export function createKeptToken(): KeptToken {
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(task: (db: Database<Schema>) => Promise<T>): Promise<T | undefined> {
    const turn = last.then(async () => {
      const db = await openDatabase<Schema>('mai-mobile-wallet', { version: 1, stores: [[store]] })
      return task(db).finally(() => db.close())
    })
    const ended = turn.catch(() => undefined)
    last = ended
    return ended
  }

  return {
    recall: () =>
      inTurn(async db => {
        const sealed = await db.get(store, name)
        if (!sealed) return undefined
        const { key, iv, bytes } = sealed
        return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes))
      }),
    keep: token =>
      inTurn(async db => {
        if (token === undefined) return db.transact([store], 'relaxed', stores => stores(store).delete(name))
        const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
        const iv = crypto.getRandomValues(new Uint8Array(12))
        const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(token))
        return db.put(store, { key, iv, bytes }, name)
      }),
  }
}
