/** Storage of the vault's sealed entries: a store of the log's database. */
import type { Journal, LogStore } from '../../journal/journal.ts'

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

/** Deletes the keys of these topics and the sealed messages of these refs. */
export async function forgetKeys(
  keys: KeyStore,
  { topics, refs }: { topics: readonly string[]; refs: readonly string[] },
): Promise<void> {
  await keys.delete([...topics.map(topic => `topic:${topic}`), ...refs.map(ref => `message:${ref}`)])
}

/** Deletes every topic key and sealed message that the log no longer refers to. */
export async function sweepKeys(
  keys: KeyStore,
  { topics, refs }: { topics: ReadonlySet<string>; refs: ReadonlySet<string> },
): Promise<void> {
  const orphans = (await keys.names()).filter(name => {
    if (name.startsWith('topic:')) return !topics.has(name.slice('topic:'.length))
    return name.startsWith('message:') && !refs.has(name.slice('message:'.length))
  })
  if (orphans.length > 0) await keys.delete(orphans)
}
