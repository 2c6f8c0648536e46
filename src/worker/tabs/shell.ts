/** The worker's interface to its page. */
import { orderOnWay } from '../../events/subjects/order/orderOnWay.ts'
import { type Core, coreCalls, leadLock, lifeLock, type Wire } from '../../events/wire.ts'
import { passFaults } from '../../runtime/calls/passFaults.ts'
import { toFailure } from '../../runtime/failure.ts'
import { type Clock, deviceClock } from '../../runtime/host/timer.ts'
import { later } from '../../runtime/later.ts'
import type { InputRecord } from '../../runtime/log/record.ts'
import type { Locks } from '../../runtime/tabs/locks.ts'
import { createWorkerShell, type ShellPatience } from '../../runtime/tabs/shell.ts'
import { failureCodes } from '../../events/failureCodes.ts'
import { loadOrderParts } from '../drivers/solana/orderParts.ts'
import type { LoadClient } from '../drivers/walletconnect/walletConnect.ts'
import { createCalls } from '../host/calls/calls.ts'
import { openCore } from '../host/openCore.ts'
import { loadRecordingText } from '../replay/loadRecordingText.ts'
import { protocolVersionOf } from './protocolVersion.ts'

export type ShellPorts = {
  clock?: Clock
  /** Undefined where the browser has none: then one tab works. */
  locks?: Locks | undefined
  /** Tells the page that this worker has ended. */
  die?: (cause: unknown) => void
  /** Called at once with the input before its step, and without one after it. */
  stepping?: (input?: InputRecord) => void
  patience?: ShellPatience
  /** Loads the WalletConnect client; default its own file. */
  loadClient?: LoadClient
  /** Hash of the types that this build knows; default `registryHash()`. */
  registry?: string
}

passFaults(failureCodes)

/** @returns the whole interface that a page calls */
export function createShell(ports: ShellPorts = {}): Core {
  const { clock = deviceClock(), die = cause => reportError(cause), stepping = () => undefined } = ports
  const { patience, loadClient, registry } = ports
  const locks = 'locks' in ports ? ports.locks : (navigator.locks as Locks | undefined)
  const chainReads = later('reading a chain for a host', async () => {
    const [{ createChainReads }, { createHttp }] = await Promise.all([
      import('../drivers/solana/chainReads.ts'),
      import('../host/aloneTransport.ts'),
    ])
    return createChainReads(createHttp)
  })
  const erasing = later('erasing a log without a core', () => import('../journal/eraseLog.ts'))
  const shell = createWorkerShell<Wire>(
    {
      leadLock,
      lifeLock,
      calls: coreCalls,
      loadTabs: async () => (await import('./tabRules.ts')).openTabs,
      protocolVersion: config => protocolVersionOf(config, registry),
      async open(begun, means) {
        const open = await openCore({ ...begun, ...means, ...(loadClient && { loadClient }), clock })
        const isBusy = () => orderOnWay(open.core.model) !== undefined
        return { open, calls: createCalls(open, clock.now), log: open.genesisHash, isBusy }
      },
      settled: loadRecordingText,
      kept: {
        recording: async (config, tail) => (await loadRecordingText()).keptRecording(config, tail, clock.now),
        erase: async (config, sure) => (await erasing.get()).eraseKept(config, locks, { sure, at: clock.now() }),
      },
    },
    { die, stepping, locks, patience },
  )

  return {
    ...shell,

    async readChain(question) {
      try {
        return await (await chainReads.get())(question)
      } catch (cause) {
        return { error: { code: -32_603, message: toFailure(cause).message } }
      }
    },

    async ready() {
      // The leader needs its parts now, this worker once it leads
      const own = loadOrderParts().then(
        () => true,
        () => false,
      )
      return (await own) && shell.ready()
    },
  }
}
