/**
 * Inputs that end a worker in their step, and kills from outside that a page takes for such. The rule is the product's own;
 * what is counted beside it says whether it holds: nothing is set aside that did not end two lives, nothing ends a third.
 */
import type { InputRecord } from '../../src/events/log/record.ts'
import { keyOf, suspectOf } from '../../src/worker/core/quarantine.ts'
import { afterDeathIn, afterStepOf, type Known } from '../../src/worker/host/crashGuard.ts'
import type { Draft } from '../../src/worker/core/draft.ts'
import type { Care } from '../../src/worker/journal/journal.ts'

/** A life as far as this matters: which log it writes, whether it steps with care, whether that log outlives it. */
export type Stepping = { log: string; careful: boolean; durable: boolean }
type Step = { n: number; draft: Draft; of: Stepping }

const nothing: Known = { suspects: [], aside: [] }

export function createPoison({ wrong }: { wrong(what: string): void }) {
  /** ends every worker that steps it */
  const deadly = new Set<string>()
  /** lives that ended in the step of an input since that went well, as a page saw it, by log and input */
  const ended = new Map<string, number>()
  /** the steps that went well in this life, and the one it ended in */
  let went: Step[] = []
  let diedIn: Step | undefined
  /** what the last life ended in, as the one that begins now suspects */
  let suspected: string | undefined

  const nameOf = ({ draft, of }: Step) => `${of.log} ${suspectOf(draft)}`

  /** What came of the last life's steps, now that it is known which of them are on disk. */
  function reckon(log: string, n: number, cause: 'lost' | 'start'): Draft | undefined {
    const [well, last] = [went, diedIn]
    went = []
    diedIn = undefined
    suspected = undefined
    for (const step of well) if (step.of.log === log && step.n <= n) ended.delete(nameOf(step))
    if (cause === 'start' || last?.of.log !== log || last.n <= n) return undefined
    suspected = nameOf(last)
    ended.set(suspected, (ended.get(suspected) ?? 0) + 1)
    return last.draft
  }

  return {
    /** @returns whether the worker ends in this input's step */
    isDeadly: (input: InputRecord): boolean => deadly.has(suspectOf(draftOf(input))),
    /** From now on it does, as often as it comes. */
    makeDeadly: (input: InputRecord): void => void (isJudged(input) && deadly.add(suspectOf(draftOf(input)))),
    /** The worker ended in this input's step, as far as its page knows. */
    died(input: InputRecord, of: Stepping): void {
      if (of.careful && of.durable && isJudged(input)) diedIn = { n: input.n, draft: draftOf(input), of }
    },
    /** @returns what is known after this input's step */
    wentWell(input: InputRecord, of: Stepping, { build, aside, suspects = [] }: Care): Care {
      if (!of.careful) return { build, aside, suspects }
      if (of.durable) went.push({ n: input.n, draft: draftOf(input), of })
      return { build, aside, suspects: afterStepOf(input, suspects) }
    },
    /**
     * A life begins.
     *
     * @param n the last input on disk
     * @param care what is on disk beside it
     * @returns what is known from now on, and the input that is set aside at once
     */
    begins(
      log: string,
      n: number,
      care: Care | undefined,
      cause: 'lost' | 'start',
    ): Known & { dead?: Draft | undefined } {
      const died = reckon(log, n, cause)
      const { suspects = [], aside } = care ?? nothing
      // Who loads the page again wants everything tried again
      const before = { suspects, aside: cause === 'start' ? [] : aside }
      if (cause === 'start') for (const [name, lives] of ended) if (lives > 1) ended.set(name, 1)
      if (!died) return before
      const known = afterDeathIn(died, before)
      const lives = ended.get(`${log} ${suspectOf(died)}`) ?? 0
      if (known.dead && lives < 2) wrong(`${died.type} was set aside after it ended ${lives} lives`)
      if (!known.dead && lives > 1) wrong(`${died.type} ended ${lives} lives and is not set aside`)
      if (known.dead && suspectOf(died) !== keyOf(died)) {
        // What is read anew and set anew may end the next life as well: a fault of the code, not of an input
        deadly.delete(suspectOf(died))
      } else if (lives > 2) wrong(`${died.type} ended ${lives} lives, the last though it was set aside`)
      return known
    },
    /** The life that begins now writes nothing down: whom it suspects, the next one does not. */
    keepsNothing(): void {
      if (suspected === undefined) return
      const lives = (ended.get(suspected) ?? 0) - 1
      if (lives > 0) ended.set(suspected, lives)
      else ended.delete(suspected)
    },
    /** Nothing ends a worker any more. */
    cure: (): void => deadly.clear(),
  }
}

/** No core can go on without these. */
function isJudged({ type }: InputRecord): boolean {
  return type !== 'core.boot' && type !== 'core.setAside'
}

function draftOf({ type, data, to, tab, ref }: InputRecord): Draft {
  const named = Object.entries({ to, tab, ref }).filter(([, value]) => value !== undefined)
  return { type, data, ...Object.fromEntries(named) }
}
