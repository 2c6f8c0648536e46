/** Stands in for the part that keeps a record where its file is gone: a life in memory, which takes no order. */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import { nothingKnown } from '../../runtime/journal/known.ts'
import { memoryJournal } from '../../runtime/journal/memoryJournal.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import { memoryKeys } from '../drivers/walletconnect/keys.ts'
import type { RecordParts } from './recordParts.ts'

/** @param cause why the part did not come */
export function withoutRecord(cause: unknown): RecordParts {
  const { code, message } = toFailure(cause)
  console.warn('nothing is stored on this device:', message)
  const refuse = async () => {
    throw new Fault(code, message)
  }
  const bytes: BytesStore = {
    put: refuse,
    get: async () => undefined,
    forget: async () => undefined,
    refs: async () => [],
  }
  return {
    genesisHashAt: refuse,
    rememberChain: refuse,
    adoptLog: refuse,
    eraseLog: refuse,
    async openRecord(_hash, _ports, lastLife = 0) {
      const known = nothingKnown(emptyCoreModel())
      return {
        journal: memoryJournal(known),
        known,
        life: lastLife + 1,
        keys: { ...memoryKeys(), isPartial: true },
        bytes,
      }
    },
  }
}
