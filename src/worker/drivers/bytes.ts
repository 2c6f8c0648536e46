import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { Fault } from '../../runtime/failure.ts'
import type { LogStore } from '../../runtime/journal/journal.ts'

/** Bytes stored beside the log, which refers to them: transactions, envelopes. */
export type BytesStore = {
  /**
   * Stores bytes durably before it returns. The ref includes the owner: a retried order may have the same bytes as its
   * predecessor, and deleting one owner's bytes leaves the other's.
   *
   * @param owner order or message that the bytes belong to
   * @returns the ref: sha256 of the bytes as 64 lower-case hex characters, a dot, the owner
   * @throws Fault `storage_down`
   */
  put(bytes: Uint8Array, owner: string): Promise<string>
  /**
   * @returns the bytes of `ref`, undefined when they are missing or were altered
   * @throws Fault `storage_down`
   */
  get(ref: string): Promise<Uint8Array | undefined>
  /** Deletes bytes; unknown refs are ignored. @throws Fault `storage_down` */
  forget(refs: readonly string[]): Promise<void>
  /** Every ref. */
  refs(): Promise<string[]>
}

/** @returns the ref of these bytes and this owner */
export function refOf(bytes: Uint8Array, owner: string): string {
  return `${bytesToHex(sha256(bytes))}.${owner}`
}

/** Whether the ref is of these bytes; refs of earlier releases have no owner. */
function isNamed(bytes: Uint8Array, ref: string): boolean {
  return ref.split('.')[0] === bytesToHex(sha256(bytes))
}

/** @param log the log's database; its store `bytes` is keyed by ref */
export function storedBytes(log: LogStore): BytesStore {
  const guarded = async <T>(doing: string, task: Parameters<typeof log.run<T>>[0]): Promise<T> => {
    try {
      return await log.run(task)
    } catch (cause) {
      const name = cause instanceof Error ? cause.name : typeof cause
      throw new Fault('storage_down', `${doing} bytes expected this device's storage to work, got ${name}`)
    }
  }
  return {
    put: (bytes, owner) =>
      guarded('keeping', async db => {
        const ref = refOf(bytes, owner)
        // Signed bytes prove a lost answer, so the commit is strict
        await db.transact(['bytes'], 'strict', store => store('bytes').put(bytes.slice(), ref))
        return ref
      }),
    get: ref =>
      guarded('reading', async db => {
        const bytes: unknown = await db.get('bytes', ref)
        return bytes instanceof Uint8Array && isNamed(bytes, ref) ? bytes : undefined
      }),
    forget: refs =>
      guarded('forgetting', async db => {
        await db.transact(['bytes'], 'relaxed', store => Promise.all(refs.map(ref => store('bytes').delete(ref))))
      }),
    refs: () => guarded('listing', db => db.transact(['bytes'], 'reading', async store => store('bytes').getAllKeys())),
  }
}

/** In memory: for tests, and for a device that denies storage. */
export function memoryBytes(): BytesStore {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(bytes, owner) {
      const ref = refOf(bytes, owner)
      kept.set(ref, bytes.slice())
      return ref
    },
    async get(ref) {
      return kept.get(ref)?.slice()
    },
    async forget(refs) {
      for (const ref of refs) kept.delete(ref)
    },
    refs: async () => [...kept.keys()],
  }
}
