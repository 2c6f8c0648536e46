/** The vault of a simulated device, on the database of its log. */
import { type KeyStore, keyStore } from '../../src/worker/drivers/walletconnect/keys.ts'
import type { Vault } from './relay.ts'
import type { LogDatabase } from './runtime/logStore.ts'
import type { OpenedDisk } from './runtime/realDisk.ts'

export const vaultOf = ({ store, own }: Pick<OpenedDisk<unknown>, 'store' | 'own'>, database: LogDatabase): Vault =>
  vaultOn(keyStore(store, own), database)

/** The vault's store: readable at once, committed with the facts that name its entries. */
function vaultOn(keys: KeyStore, database: LogDatabase): Vault {
  const names = database.keys('keys').map(String)
  const of = (kind: string) => names.flatMap(name => (name.startsWith(kind) ? name.slice(kind.length) : []))
  const forget = (name: string) => void keys.delete([name]).catch(() => undefined)
  const topics = new Set(of('topic:'))
  const sealed: Vault['sealed'] = new Map()
  for (const ref of of('message:')) sealed.set(ref, database.value('keys', `message:${ref}`) as never)
  return {
    keys: Object.assign(topics, {
      add(topic: string) {
        keys.put(`topic:${topic}`, {})
        return Set.prototype.add.call(topics, topic)
      },
      delete(topic: string) {
        forget(`topic:${topic}`)
        return Set.prototype.delete.call(topics, topic)
      },
    }) as Vault['keys'],
    sealed: Object.assign(sealed, {
      set(ref: string, message: unknown) {
        keys.put(`message:${ref}`, message)
        return Map.prototype.set.call(sealed, ref, message)
      },
      delete(ref: string) {
        forget(`message:${ref}`)
        return Map.prototype.delete.call(sealed, ref)
      },
    }) as Vault['sealed'],
  }
}
