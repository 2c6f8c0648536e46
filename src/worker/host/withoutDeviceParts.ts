/** Stands in for the part that touches device and network where its file is gone: a life in memory, whose effects fail. */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import { createTimerDriver } from '../../runtime/host/timer.ts'
import { nothingKnown } from '../../runtime/journal/known.ts'
import { memoryJournal } from '../../runtime/journal/memoryJournal.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import type { KeyStore } from '../drivers/walletconnect/keys.ts'
import type { DeviceParts } from './deviceParts.ts'

/** @param cause why the part did not come: every effect fails for it, but for timers */
export function withoutDeviceParts(cause: unknown): DeviceParts {
  const failure = toFailure(cause)
  console.warn('nothing is stored on this device:', failure.message)
  const refuse = async () => {
    throw new Fault(failure.code, failure.message)
  }
  const nothing = async () => undefined
  const none = async () => []
  const bytes: BytesStore = { put: refuse, get: nothing, forget: nothing, refs: none }
  const keys: KeyStore = { get: nothing, put: () => undefined, delete: nothing, names: none, isPartial: true }
  return {
    genesisHashAt: refuse,
    rememberChain: refuse,
    namesTopics: () => false,
    sweepUnnamed: nothing,
    adoptLog: refuse,
    eraseLog: refuse,
    async openRecord(_hash, _ports, lastLife = 0) {
      const known = nothingKnown(emptyCoreModel())
      return { journal: memoryJournal(known), known, life: lastLife + 1, keys, bytes }
    },
    createDrivers({ clock }) {
      const { drivers, jumped, stop } = createTimerDriver(clock)
      const walletConnect = {
        drivers: {},
        pairingUri: refuse,
        linkUrl: refuse,
        attestationUrl: refuse,
        attest: refuse,
        readLink: refuse,
        clientId: nothing,
        prepare: () => undefined,
      }
      return { table: drivers, absent: failure, walletConnect, verify: refuse, ready: async () => false, jumped, stop }
    },
  }
}
