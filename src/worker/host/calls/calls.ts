/** The calls of pages on an open core, from its own thread or over a channel. */
import { type Command, commandDefinitions } from '../../../events/command.ts'
import { Fault, toFailure } from '../../../runtime/failure.ts'
import { coreNames, type LinkReceived, type PageAnswer, type Wire } from '../../../events/wire.ts'
import type { BytesStore } from '../../drivers/bytes.ts'
import { signedReader } from '../../drivers/walletconnect/signedReader.ts'
import { strictest } from '../../../runtime/journal/strictest.ts'
import type { OpenCore } from '../openCore.ts'
import { endSessions } from './endSessions.ts'
import { moneyUnderWay } from '../money/moneyUnderWay.ts'
import { forwardCalls } from '../../../runtime/calls/forwardCalls.ts'
import { pageLine } from '../pageLine.ts'
import { createAnswerOnce } from '../../../runtime/calls/answerOnce.ts'
import { createCommandOnce } from '../../../runtime/calls/commandOnce.ts'
import { loadRecordingText } from '../../replay/loadRecordingText.ts'
import { isAnswer, unlogged } from './onceRules.ts'
import type { CallsOf } from '../../../runtime/wire.ts'
import type { Verify } from '../../services/signatures.ts'

/** Delay of a call's commit, so that it covers the call's first consequences, too, ms. */
const commitDelayMs = 16

/** The calls that the core answers. */
export type Calls = CallsOf<Wire>

/**
 * @returns the calls on this core; nothing here knows which thread or tab they come from. One function: a table of short calls over
 * one core.
 */
export function createCalls(open: OpenCore, now: () => number): Calls {
  const { config, life, genesisHash, core, inbox, journal, bytes, drivers, pages, stop, isOver } = open
  const { verify, walletConnect } = drivers

  const answering = createAnswerOnce({ life, journal, isAnswer })
  const commandOnce = createCommandOnce(journal, unlogged)

  /**
   * Resolves when all inputs taken so far are on disk. @throws Fault `core_lost` when the core has ended meanwhile: its inputs may
   * not be on disk, and the page repeats them.
   */
  async function kept(durability: 'strict' | 'relaxed'): Promise<void> {
    // One commit covers the input and its first consequences; a commit for each would delay the second
    if (durability === 'relaxed') await new Promise(resolve => setTimeout(resolve, commitDelayMs))
    const refused = await journal.flush(durability).then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    )
    if (isOver()) throw new Fault('core_lost', 'a call expected the core to keep what it took, it has ended')
    if (refused) throw refused.cause
  }

  /** The page repeats what was not committed. The journal reports a disk that fails, as a fact, and no repetition helps then. */
  async function taken(): Promise<void> {
    await kept('relaxed').catch((cause: unknown) => {
      if (isOver()) throw cause
    })
  }

  async function take(effectId: string, answer: PageAnswer, tab: string): Promise<void> {
    const to = answer.type === 'wallet.changed' ? {} : { to: effectId }
    if (answer.type === 'attest.got' && answer.jwt !== '') await walletConnect.attest(answer.messageRef, answer.jwt)
    const input = await answerInput(effectId, answer, { store: bytes, verify })
    try {
      inbox.take({ ...input, ...to, tab })
    } catch (cause) {
      // A malformed answer ends the effect, too: else the page would repeat it for ever
      const { code, message } = toFailure(cause)
      if (code !== 'bad_input') throw cause
      if (answer.type !== 'wallet.changed')
        inbox.take({ type: 'wallet.failed', data: { failure: { code: 'bad_response', message } }, ...to, tab })
    }
    await inbox.settled()
    await kept(strictest(journal))
  }

  /** Takes the message in a link, opened, as those of the relay. A link without a message for this page becomes `link.unread`. */
  async function received(url: string, ref: string, tab: string): Promise<void> {
    try {
      if (!config.links) throw new Fault('unsupported', 'a link with a message expected a page that takes such links')
      const data = await walletConnect.readLink(url, config.links.universal)
      inbox.take({ type: 'relay.message', data, ref, tab })
    } catch (cause) {
      if (isOver()) throw cause
      inbox.take({ type: 'link.unread', data: { message: toFailure(cause).message }, ref, tab })
    }
    await inbox.settled()
    await kept(strictest(journal))
  }

  async function carryOut(command: Command | LinkReceived, ref: string, tab: string): Promise<void> {
    if (command.type === 'link.received') return received(String(command.data.url), ref, tab)
    if (!Object.hasOwn(commandDefinitions, command.type))
      throw new Fault('bad_input', `a command expected a known type, got ${String(command.type).slice(0, 60)}`)
    inbox.take({ type: command.type, data: command.data, ref, tab })
    await inbox.settled()
    await taken()
  }

  const calls: Calls = {
    async attach(page, port, from) {
      const { visible, online, asking, answered, tab } = page
      const joining = { type: 'page.attached', data: { visible, asking, answered }, tab }
      const connecting = { type: 'page.online', data: { online }, tab }
      inbox.check(joining)
      inbox.check(connecting)
      const attached = { life, seq: core.seq, model: structuredClone(core.model) }
      pages.join(tab, port, from)
      inbox.take(joining)
      // It may have changed while there was no core
      if (online !== core.model.network.online) inbox.take(connecting)
      return attached
    },

    async command(command, ref, tab, again = false) {
      return commandOnce({ command, ref, again }, () => carryOut(command, ref, tab))
    },

    async answer(effectId, answer, tab) {
      if (answer.type === 'wallet.changed') return take(effectId, answer, tab)
      return answering.once(effectId, () => take(effectId, answer, tab))
    },

    async pageFacts(records) {
      journal.append(records.map(pageLine), journal.head())
      await taken()
    },

    async lifecycle({ visible, online, resumed }, tab) {
      if (visible !== undefined) inbox.take({ type: 'page.visible', data: { visible }, tab })
      if (online !== undefined) inbox.take({ type: 'page.online', data: { online }, tab })
      if (resumed) inbox.take({ type: 'page.resumed', data: {}, tab })
    },

    async pairingUri(pairingTopic) {
      return walletConnect.pairingUri(pairingTopic)
    },

    async answerText(resultRef) {
      const kept = await bytes.get(resultRef)
      return kept && new TextDecoder().decode(kept)
    },

    async recording(tail) {
      const { recordingOfCore } = await loadRecordingText()
      return recordingOfCore({ config, genesisHash, core, journal, tail, now })
    },

    async erase(tab) {
      if (moneyUnderWay(core.model)) return false
      await endSessions(open, tab)
      // An order may have been placed meanwhile
      if (moneyUnderWay(core.model)) return false
      if (isOver()) throw new Fault('core_lost', 'erasing expected its core to stay, it has ended')
      stop()
      try {
        await open.erase()
      } catch (cause) {
        // The log may still be there, and no page has a core any more
        pages.restart('another')
        throw cause
      }
      pages.restart('new', tab)
      return true
    },

    ready: drivers.ready,
  }
  // An ended core would answer with an outdated model
  return forwardCalls(coreNames, () => {
    if (isOver()) throw new Fault('core_lost', 'a call expected a core, it has ended')
    return calls
  })
}

/** A page driver's answer as an input: what a wallet signed is checked and kept here, its fields go on. */
async function answerInput(
  effectId: string,
  answer: PageAnswer,
  means: { store: BytesStore; verify: Verify },
): Promise<{ type: string; data: Record<string, unknown> }> {
  if (answer.type === 'attest.got') return { type: 'attest.got', data: { isGiven: answer.jwt !== '' } }
  if (answer.type !== 'wallet.signed') {
    const { type, ...data } = answer
    return { type, data }
  }
  try {
    const { readSigned } = await signedReader.get()
    return { type: 'wallet.signed', data: await readSigned(answer.bytes, effectId, means) }
  } catch (fault) {
    return { type: 'wallet.failed', data: { failure: toFailure(fault) } }
  }
}
