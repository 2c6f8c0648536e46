/** The pages joined to this core: facts go out to each, page effects to the one that asked, answers come back by id. */
import type { Effect, FactRecord } from '../log/record.ts'
import type { AnyPort, NextLog } from '../wire.ts'
import { type Batches, createBatches } from './batches.ts'
import type { Answer } from './driver.ts'

/** A page of another tab gets its facts by the channel that all such pages hear. */
type Joined = { port: AnyPort; batches?: Batches }

export type Pages = {
  join(tab: string, port: AnyPort, from?: 'far'): void
  /** This tab is closed, or was silent for too long. */
  leave(tab: string): void
  /** Sends facts to every page; `now` when a command caused them. */
  publish(facts: readonly FactRecord[], now: boolean): void
  /** Where facts for pages of other tabs go. */
  relay(to: (facts: readonly FactRecord[], now: boolean) => void): void
  /** Carries out a page effect in the tab it names; one without a prompt may go to another. */
  drive(effect: Effect, answer: (input: Answer) => void): Promise<void>
  /** Tells every page but one to begin with another core, also those that join later. */
  restart(next: NextLog, but?: string): void
}

/** None is there, it could not take the effect, or a part of the effect is gone. */
type PageFailure = 'noPage' | 'refused' | 'lacking'

/** A product's rules for its page effects. */
type PageRules = {
  /** Whether a page may wait for a fact of this type. */
  isAwaited(type: string): boolean
  /** Whether an effect shows a person something they asked for in one page only. */
  isPrompt(effect: Effect): boolean
  /** @returns the answer of an effect that no page could carry out */
  failed(why: PageFailure): Answer
  /** @returns further fields of an order to a page, a promise of nothing when they are gone; undefined when it needs none */
  equip(effect: Effect): Promise<object | undefined> | undefined
}

/** @param left hears when a page fell behind, went silent or was closed */
export function pagesFor(rules: PageRules, { left }: { left(tab: string): void }): Pages {
  const joined = new Map<string, Joined>()
  let relayed: (facts: readonly FactRecord[], now: boolean) => void = () => undefined
  let over: NextLog | undefined

  /** A page that does not hear it loses this core by its own means. */
  const tellToRestart = (port: AnyPort, next: NextLog) => void port.restart(next).catch(() => undefined)

  function leave(tab: string): void {
    const page = joined.get(tab)
    if (!page) return
    page.batches?.stop()
    joined.delete(tab)
    left(tab)
  }

  function silent(tab: string, port: AnyPort): void {
    if (joined.get(tab)?.port !== port) return
    leave(tab)
    void port.detached().catch(() => undefined)
  }

  const batchesTo = (tab: string, port: AnyPort) => createBatches(port, rules.isAwaited, () => silent(tab, port))

  return {
    join(tab, port, from) {
      joined.get(tab)?.batches?.stop()
      joined.set(tab, from === 'far' ? { port } : { port, batches: batchesTo(tab, port) })
      if (over) tellToRestart(port, over)
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
      const page = named ?? (tab !== undefined && rules.isPrompt(effect) ? undefined : [...joined.values()][0])
      if (!page) return answer(rules.failed('noPage'))
      const { id, type, data } = effect
      const equipping = rules.equip(effect)
      const more = equipping && (await equipping)
      if (equipping && !more) return answer(rules.failed('lacking'))
      try {
        await page.port.perform({ id, type, data, ...more })
      } catch {
        answer(rules.failed('refused'))
      }
    },
    restart(next, but) {
      over = next
      for (const [tab, { port }] of joined) if (tab !== but) tellToRestart(port, next)
    },
  }
}
