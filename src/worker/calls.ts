/** What pages may ask of an open core, whichever way their calls come. */
import { commandDefinitions } from '../events/command.ts'
import { encode } from '../events/codec.ts'
import { pageFactDefinitions } from '../events/definitions.ts'
import { Fault, toFailure } from '../events/failure.ts'
import type { PageRecord } from '../events/record.ts'
import { writeRecording } from '../events/recording.ts'
import { type Definitions, misfit } from '../events/registry.ts'
import { registryHash } from '../events/registryHash.ts'
import { openOrder } from '../events/subjects/order.ts'
import type { Core, PageAnswer } from '../events/wire.ts'
import type { BytesStore } from './drivers/bytes.ts'
import { sha256Hex } from './drivers/digest.ts'
import { readSigned } from './drivers/signed.ts'
import { eraseLog } from './drivers/storage.ts'
import type { OpenCore } from './openCore.ts'
import type { Verify } from './services/signatures.ts'

export type Calls = Omit<Core, 'begin' | 'lead' | 'ready' | 'ping'>

/** @returns the calls on this core; nothing here knows which thread or tab they come from */
export function createCalls(
  { config, life, genesisHash, core, inbox, journal, bytes, drivers, pages, stop }: OpenCore,
  now: () => number,
): Calls {
  const { verify, walletConnect } = drivers
  return {
    async attach(page, port) {
      const attached = { life, seq: core.seq, model: structuredClone(core.model) }
      pages.join(page.tab, port)
      const { visible, online, asking, answered, tab } = page
      inbox.take({ type: 'page.attached', data: { visible, asking, answered }, tab })
      // It may have changed while no core was there to hear of it
      if (online !== core.model.network.online) inbox.take({ type: 'page.online', data: { online }, tab })
      return attached
    },

    async command(command, ref, tab) {
      if (!Object.hasOwn(commandDefinitions, command.type))
        throw new Fault('bad_input', `a command expected a known type, got ${String(command.type).slice(0, 60)}`)
      inbox.take({ type: command.type, data: command.data, ref, tab })
      await inbox.settled()
      // Acknowledged means kept: a press that dies with the worker is told to the person. A disk that refuses is a fact
      await journal.flush('relaxed').catch(() => undefined)
    },

    async answer(effectId, answer, tab) {
      const to = answer.type === 'wallet.changed' ? {} : { to: effectId }
      const input = await answerInput(answer, { store: bytes, verify })
      try {
        inbox.take({ ...input, ...to, tab })
      } catch (cause) {
        // A wallet's nonsense is an answer too: else the question would stay open, and the page would repeat it for ever
        const { code, message } = toFailure(cause)
        if (code !== 'bad_input') throw cause
        if (answer.type !== 'wallet.changed')
          inbox.take({ type: 'wallet.failed', data: { failure: { code: 'bad_response', message } }, ...to, tab })
      }
      await inbox.settled()
      await journal.flush('strict')
    },

    async pageFacts(records) {
      journal.append(records.map(readable), journal.head())
      await journal.flush('relaxed')
    },

    async lifecycle({ visible, online, resumed }, tab) {
      if (visible !== undefined) inbox.take({ type: 'page.visible', data: { visible }, tab })
      if (online !== undefined) inbox.take({ type: 'page.online', data: { online }, tab })
      if (resumed) inbox.take({ type: 'page.resumed', data: {}, tab })
    },

    async pairingUri(pairingTopic) {
      return walletConnect.pairingUri(pairingTopic)
    },

    async recording(tail) {
      const lines = [...(await journal.lines()), ...tail.map(readable)]
      const header = {
        format: 'mai-recording' as const,
        version: 1 as const,
        logId: `log-${(await sha256Hex(genesisHash)).slice(0, 16)}`,
        appBuild: config.appBuild,
        coreBuild: config.coreBuild,
        registryHash: registryHash(),
        startedAt: Math.floor(now()),
        redaction: 'plain' as const,
      }
      return writeRecording({ header, lines }, sha256Hex)
    },

    async erase() {
      if (openOrder(core.model)) return false
      stop()
      await eraseLog(genesisHash)
      return true
    },
  }
}

/** A page's line as it goes into the log. One that does not fit keeps its number and says nothing. */
function readable(record: PageRecord): string {
  const definition = Object.hasOwn(pageFactDefinitions, record.type)
    ? (pageFactDefinitions as Definitions)[record.type]
    : undefined
  if (definition && misfit(definition, record.data) === undefined) return encode(record)
  return encode({ ...record, type: 'page.unreadable', data: {} })
}

/** A page driver's answer as an input: what a wallet signed is checked and kept here, its fields go on. */
async function answerInput(
  answer: PageAnswer,
  means: { store: BytesStore; verify: Verify },
): Promise<{ type: string; data: Record<string, unknown> }> {
  if (answer.type !== 'wallet.signed') {
    const { type, ...data } = answer
    return { type, data }
  }
  try {
    return { type: 'wallet.signed', data: await readSigned(answer.bytes, means) }
  } catch (fault) {
    return { type: 'wallet.failed', data: { failure: toFailure(fault) } }
  }
}
