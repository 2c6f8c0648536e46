/** The pages joined to this core: facts go out to each, page effects to the one that asked, answers come back by id. */
import { Fault } from '../../runtime/failure.ts'
import type { Effect, FactRecord } from '../../runtime/log/record.ts'
import type { PageEffect, PagePort } from '../../events/wire.ts'
import { type Batches, createBatches } from './batches.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import type { Answer } from '../../runtime/host/driver.ts'

/** A page of another tab gets its facts by the channel that all such pages hear. */
type Joined = { port: PagePort; batches?: Batches }

export type Pages = {
  join(tab: string, port: PagePort, from?: 'far'): void
  /** This tab is closed, or was silent for too long. */
  leave(tab: string): void
  /** Sends facts to every page; `now` when a command caused them. */
  publish(facts: readonly FactRecord[], now: boolean): void
  /** Where facts for pages of other tabs go. */
  relay(to: (facts: readonly FactRecord[], now: boolean) => void): void
  /** Carries out a page effect in the tab it names; one that prompts nobody may go to another. */
  drive(effect: Effect, answer: (input: Answer) => void): Promise<void>
  /** Tells every page but one to begin with another core, also those that join later. */
  restart(erased: boolean, but?: string): void
}

/** @returns true when a wallet would show a person something they asked for in one page only */
function isPrompt({ type, data }: Effect): boolean {
  return type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
}

/** @param left hears when a page fell behind, went silent or was closed */
export function createPages({ bytes, left }: { bytes: BytesStore; left(tab: string): void }): Pages {
  const joined = new Map<string, Joined>()
  let relayed: (facts: readonly FactRecord[], now: boolean) => void = () => undefined
  let over: { erased: boolean } | undefined

  /** A page that does not hear it loses this core by its own means. */
  const tellToRestart = (port: PagePort, erased: boolean) => void port.restart(erased).catch(() => undefined)

  function leave(tab: string): void {
    const page = joined.get(tab)
    if (!page) return
    page.batches?.stop()
    joined.delete(tab)
    left(tab)
  }

  function silent(tab: string, port: PagePort): void {
    if (joined.get(tab)?.port !== port) return
    leave(tab)
    void port.detached().catch(() => undefined)
  }

  return {
    join(tab, port, from) {
      joined.get(tab)?.batches?.stop()
      joined.set(tab, from === 'far' ? { port } : { port, batches: createBatches(port, () => silent(tab, port)) })
      if (over) tellToRestart(port, over.erased)
    },
    leave,
    publish(facts, now) {
      for (const { batches } of joined.values()) batches?.push(facts, now)
      relayed(facts, now)
    },
    relay(to) {
      relayed = to
    },
    async drive(effect, answer) {
      const { tab } = effect
      const named = tab === undefined ? undefined : joined.get(tab)
      // A prompt opens where the person pressed, or not at all
      const page = named ?? (tab !== undefined && isPrompt(effect) ? undefined : [...joined.values()][0])
      const fail = (fault: Fault) =>
        answer({ type: 'wallet.failed', data: { failure: { code: fault.code, message: fault.message } } })
      if (!page) return fail(new Fault('wallet_gone', 'a wallet request expected a page to show it, there is none'))
      const ref: unknown = effect.data.bytesRef
      const content = typeof ref === 'string' ? await bytes.get(ref) : undefined
      if (typeof ref === 'string' && !content)
        return fail(new Fault('expired', 'a wallet request expected its bytes to be kept, they are gone'))
      const order = { id: effect.id, type: effect.type, data: effect.data, ...(content ? { bytes: content } : {}) }
      try {
        await page.port.perform(order as PageEffect)
      } catch {
        fail(new Fault('wallet_gone', 'the page could not take the wallet request'))
      }
    },
    restart(erased, but) {
      over = { erased }
      for (const [tab, { port }] of joined) if (tab !== but) tellToRestart(port, erased)
    },
  }
}
