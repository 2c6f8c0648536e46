/** The seal of a log's entries on disk: a non-extractable AES-GCM key, made on first use. */
import { Fault } from '../../../runtime/failure.ts'
import { fromUtf8, toUtf8 } from '../../walletconnect/crypto/encoding.ts'
import type { KeyStore } from './keys.ts'
import { topicReference } from '../../../events/values/reference.ts'

type Seal = {
  /** Seals an entry and hands it to the next commit, which waits for the sealing. */
  keep(name: string, text: string): Promise<void>
  /** @throws Fault `storage_down` when the entry does not open */
  kept(name: string): Promise<string | undefined>
}

export function createSeal(keys: KeyStore): Seal {
  let master: Promise<CryptoKey> | undefined

  async function masterKey(): Promise<CryptoKey> {
    const stored = await keys.get('master')
    if (stored instanceof CryptoKey) return stored
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    keys.put('master', made)
    return made
  }
  /** A failure is not kept: the next call tries again. */
  const key = () =>
    (master ??= masterKey().catch((cause: unknown) => {
      master = undefined
      throw cause
    }))

  return {
    async keep(name, text) {
      // The seal's own key is committed with or before the entries it seals
      const by = await key()
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = crypto.subtle.encrypt({ name: 'AES-GCM', iv }, by, Uint8Array.from(toUtf8(text)))
      keys.put(
        name,
        sealed.then(bytes => ({ iv, sealed: new Uint8Array(bytes) })),
      )
    },

    async kept(name) {
      const entry = (await keys.get(name)) as
        | { iv: Uint8Array<ArrayBuffer>; sealed: Uint8Array<ArrayBuffer> }
        | undefined
      if (!entry) return undefined
      try {
        const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: entry.iv }, await key(), entry.sealed)
        return fromUtf8(new Uint8Array(plain), 'vault entry')
      } catch {
        throw new Fault('storage_down', 'a kept key expected to open with this device’s vault key, it did not')
      }
    },
  }
}

/** Copies the keys of topics from one log to another; a topic without a key is passed over. */
export async function copyKeys(from: KeyStore, to: KeyStore, topics: readonly string[]): Promise<void> {
  const [source, target] = [createSeal(from), createSeal(to)]
  for (const name of topics.map(topicReference)) {
    const text = await source.kept(name)
    if (text !== undefined) await target.keep(name, text)
  }
}
