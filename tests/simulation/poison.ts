/**
 * Deadly inputs, which end a worker in their step, and external kills that look the same to a page. The product's own rule
 * decides; the counts here check it: no input is quarantined that did not end two lives, and none ends a third.
 */
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { quarantine } from '../../src/worker/core/quarantine.ts'
import { afterDeathIn, afterStepOf, type Quarantine } from '../../src/runtime/host/crashGuard.ts'
import type { Draft } from '../../src/runtime/core/draft.ts'
import type { Care } from '../../src/runtime/journal/head.ts'

/** Relevant facts of a life: its log, whether it steps with care, whether the log outlives it. */
export type Stepping = { log: string; careful: boolean; durable: boolean }
type Step = { n: number; draft: Draft; of: Stepping }

const nothing: Quarantine = { suspects: [], aside: [] }

export function createPoison({ wrong }: { wrong(what: string): void }) {
  /** inputs that end every worker stepping them */
  const deadly = new Set<string>()
  /** lives that ended in an input's step since it last succeeded, as seen by a page, by log and input */
  const ended = new Map<string, number>()
  /** successful steps of this life, and the step it ended in */
  let went: Step[] = []
  let diedIn: Step | undefined
  /** input in which the last life ended, as suspected by the new one */
  let suspected: string | undefined
  /** by log: what a life knows of its last one's end, and whether that is on disk, until it has opened that log */
  const opening = new Map<string, { name: string; isOnDisk(care: Quarantine): boolean }>()

  const nameOf = ({ draft, of }: Step) => `${of.log} ${quarantine.suspectOf(draft)}`

  /** Settles the last life's steps, now that it is known which are on disk. */
  function reckon(log: string, n: number, cause: 'lost' | 'start'): Draft | undefined {
    const [well, last] = [went.filter(step => step.of.log === log), diedIn]
    // Steps on another log are settled once that log is opened again
    went = went.filter(step => step.of.log !== log)
    diedIn = undefined
    suspected = undefined
    for (const step of well) if (step.n <= n) ended.delete(nameOf(step))
    if (cause === 'start' || last?.of.log !== log || last.n <= n) return undefined
    suspected = nameOf(last)
    ended.set(suspected, (ended.get(suspected) ?? 0) + 1)
    return last.draft
  }

  /** A life ended in this input's step, and the next one has not kept that. */
  function forget(name: string): void {
    const lives = (ended.get(name) ?? 0) - 1
    if (lives > 0) ended.set(name, lives)
    else ended.delete(name)
  }

  return {
    /** @returns whether this input ends the worker */
    isDeadly: (input: InputRecord): boolean => deadly.has(quarantine.suspectOf(draftOf(input))),
    /** Makes this input deadly. */
    makeDeadly: (input: InputRecord): void =>
      void (isJudged(input) && deadly.add(quarantine.suspectOf(draftOf(input)))),
    /** Notes that the worker ended in this input's step, as far as its page knows. */
    died(input: InputRecord, of: Stepping): void {
      if (of.careful && of.durable && isJudged(input)) diedIn = { n: input.n, draft: draftOf(input), of }
    },
    /** @returns the knowledge after this input's step */
    wentWell(input: InputRecord, of: Stepping, { build, aside, suspects = [] }: Care): Care {
      if (!of.careful) return { build, aside, suspects }
      if (of.durable) went.push({ n: input.n, draft: draftOf(input), of })
      return { build, aside, suspects: afterStepOf(quarantine, input, suspects) }
    },
    /**
     * Begins a life.
     *
     * @param n the last input on disk
     * @param care the crash guard's state on disk
     * @returns the knowledge from now on, and the input to quarantine at once
     */
    begins(
      log: string,
      n: number,
      care: Care | undefined,
      cause: 'lost' | 'start',
    ): Quarantine & { dead?: Draft | undefined } {
      const { suspects = [], aside } = care ?? nothing
      const unopened = opening.get(log)
      opening.delete(log)
      if (unopened && !unopened.isOnDisk({ suspects, aside })) forget(unopened.name)
      const died = reckon(log, n, cause)
      // Reloading the page retries everything
      const before = { suspects, aside: cause === 'start' ? [] : aside }
      if (cause === 'start') for (const [name, lives] of ended) if (lives > 1) ended.set(name, 1)
      if (!died) return before
      const known = afterDeathIn(quarantine, died, before)
      const [suspect, key] = [quarantine.suspectOf(died), quarantine.keyOf(died)]
      const name = `${log} ${suspect}`
      const isOnDisk = (on: Quarantine) => (known.dead ? on.aside.includes(key) : on.suspects.includes(suspect))
      opening.set(log, { name, isOnDisk })
      const lives = ended.get(name) ?? 0
      if (known.dead && lives < 2) wrong(`${died.type} was set aside after it ended ${lives} lives`)
      if (!known.dead && lives > 1) wrong(`${died.type} ended ${lives} lives and is not set aside`)
      if (known.dead && suspect !== key) {
        // A renewed reading or timer may end the next life too: that is a fault of the code, not of an input
        deadly.delete(suspect)
      } else if (lives > 2) wrong(`${died.type} ended ${lives} lives, the last though it was set aside`)
      return known
    },
    /** The new life has opened its log, and what it knows is on disk. */
    opened: (log: string): void => void opening.delete(log),
    /** The new life persists nothing, so the next one does not know its suspects. */
    keepsNothing(log: string): void {
      opening.delete(log)
      if (suspected !== undefined) forget(suspected)
    },
    /** Ends all deadly inputs. */
    cure: (): void => deadly.clear(),
  }
}

/** A core cannot run without these, so they are never quarantined. */
function isJudged({ type }: InputRecord): boolean {
  return type !== 'core.boot' && type !== 'core.setAside'
}

function draftOf({ type, data, to, tab, ref }: InputRecord): Draft {
  const named = Object.entries({ to, tab, ref }).filter(([, value]) => value !== undefined)
  return { type, data, ...Object.fromEntries(named) }
}
