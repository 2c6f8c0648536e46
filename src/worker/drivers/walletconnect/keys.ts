/** Storage of the vault's sealed entries: a store of the log's database. */
import { idIn, referenceText, topicReference } from '../../../events/values/reference.ts'
import type { Journal, LogStore } from '../../../runtime/journal/journal.ts'

/** Sealed entries by name; values that structured clone takes. */
export type KeyStore = {
  get(name: string): Promise<unknown>
  /**
   * The entry is readable at once, and committed with the log's next commit: no record refers to a missing entry.
   * @param value may be a promise
   */
  put(name: string, value: unknown): void
  delete(names: readonly string[]): Promise<void>
  names(): Promise<string[]>
  /** The device may hold more entries, which this life cannot read. */
  isPartial?: boolean
}

/** @param journal absent for read-only use */
export function keyStore(log: LogStore, journal?: Pick<Journal, 'carry' | 'carried'>): KeyStore {
  return {
    get: async name => journal?.carried(name) ?? log.run(db => db.get('keys', name)),
    put: (name, value) => journal?.carry(name, value),
    async delete(names) {
      if (names.length === 0) return
      await log.run(async db => {
        await db.transact(['keys'], 'relaxed', store => Promise.all(names.map(name => store('keys').delete(name))))
      })
    },
    names: () => log.run(db => db.transact(['keys'], 'reading', store => store('keys').getAllKeys())),
  }
}

/** In memory: for tests, and for a device that denies storage. */
export function memoryKeys(): KeyStore {
  const kept = new Map<string, unknown>()
  return {
    get: async name => kept.get(name),
    put: (name, value) => void kept.set(name, value),
    delete: async names => names.forEach(name => void kept.delete(name)),
    names: async () => [...kept.keys()],
  }
}

/** @returns the name under which a sealed message is stored */
export function messageKey(messageRef: string): string {
  return referenceText({ kind: 'message', id: messageRef })
}

/** Deletes the keys of these topics and the sealed messages of these refs. */
export async function forgetKeys(
  keys: KeyStore,
  { topics, refs }: { topics: readonly string[]; refs: readonly string[] },
): Promise<void> {
  await keys.delete([...topics.map(topicReference), ...refs.map(messageKey)])
}

/** Deletes every topic key and sealed message that the log no longer refers to. */
export async function sweepKeys(
  keys: KeyStore,
  { topics, refs }: { topics: ReadonlySet<string>; refs: ReadonlySet<string> },
): Promise<void> {
  const orphans = (await keys.names()).filter(name => {
    const [topic, ref] = [idIn('topic', name), idIn('message', name)]
    return topic === undefined ? ref !== undefined && !refs.has(ref) : !topics.has(topic)
  })
  if (orphans.length > 0) await keys.delete(orphans)
}
