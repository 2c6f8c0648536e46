/** The pages joined to this core: facts go out to each, page effects to the one that asked, answers come back by id. */
import { Fault } from '../events/failure.ts'
import type { Effect, FactRecord } from '../events/record.ts'
import type { PageEffect, PagePort } from '../events/wire.ts'
import { type Batches, createBatches } from './batches.ts'
import type { BytesStore } from './drivers/bytes.ts'
import type { Answer } from './drivers/drive.ts'

type Joined = { port: PagePort; batches: Batches }

export type Pages = {
  join(tab: string, port: PagePort): void
  /** Sends facts to every page; `now` when a command caused them. */
  publish(facts: readonly FactRecord[], now: boolean): void
  /** Carries out a page effect in the tab it names; one that prompts nobody may go to another. */
  drive(effect: Effect, answer: (input: Answer) => void): Promise<void>
  /** Tells every page to begin with another core, also those that join later. */
  restart(): void
}

/** @returns true when a wallet would show a person something they asked for in one page only */
function isPrompt({ type, data }: Effect): boolean {
  return type === 'wallet.connect' ? data.silent !== true : type.startsWith('wallet.sign')
}

/** @param left hears when a page fell behind or went silent */
export function createPages({ bytes, left }: { bytes: BytesStore; left(tab: string): void }): Pages {
  const joined = new Map<string, Joined>()
  let over = false

  /** A page that does not hear it loses this core by its own means. */
  const tellToRestart = (port: PagePort) => void port.restart().catch(() => undefined)

  function drop(tab: string, port: PagePort): void {
    if (joined.get(tab)?.port !== port) return
    joined.delete(tab)
    void port.detached().catch(() => undefined)
    left(tab)
  }

  return {
    join(tab, port) {
      joined.get(tab)?.batches.stop()
      joined.set(tab, { port, batches: createBatches(port, () => drop(tab, port)) })
      if (over) tellToRestart(port)
    },
    publish(facts, now) {
      for (const { batches } of joined.values()) batches.push(facts, now)
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
    restart() {
      over = true
      for (const { port } of joined.values()) tellToRestart(port)
    },
  }
}
