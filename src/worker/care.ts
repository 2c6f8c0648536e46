/**
 * What a core does after a death: each of the next 1,000 inputs is on disk before its step, so that one which ends this
 * core, too, is known to the next. It comes in a file of its own, because most visits never need it.
 */
import type { InputRecord } from '../events/record.ts'
import { keyOf } from './aside.ts'
import type { Careful, Draft } from './inbox.ts'
import type { Journal } from './journal.ts'

const carefulInputs = 1000
/** Inputs that are remembered as set aside; the oldest are tried again. */
const asideKept = 32

type Ports = {
  journal: Journal
  /** of this core */
  build: string
  /** line of the input that ended the last core in its step */
  dead: string | undefined
  /** Hears the input whose step begins, and nothing when it is over. */
  stepping(input?: InputRecord): void
}

/** Makes the careful way of stepping. */
export function createCareful({ journal, build, dead, stepping }: Ports): Careful {
  const { care } = journal.head()
  const draft = dead === undefined ? undefined : draftOf(dead)
  const known = care?.build === build ? care.aside : []
  const aside = (draft ? [keyOf(draft), ...known] : known).slice(0, asideKept)
  let left = carefulInputs
  journal.mark({ build, aside })

  return {
    ...(draft ? { dead: draft } : {}),
    aside,
    isOver: () => left === 0,
    async drain(inputs, step) {
      for (const input of inputs) {
        if (left === 0) {
          step(input)
          continue
        }
        left -= 1
        // With it goes what the one before it caused
        journal.mark({ build, pending: JSON.stringify(input), aside })
        // A disk that refuses is told by the journal itself
        await journal.flush('relaxed').catch(() => undefined)
        stepping(input)
        step(input)
        stepping()
        journal.mark({ build, aside })
      }
      void journal.flush('relaxed').catch(() => undefined)
    },
  }
}

/** @returns what a line was made of; undefined for one that no core may go on without, or that cannot be read */
function draftOf(line: string): Draft | undefined {
  try {
    const { type, data, to, tab, ref } = JSON.parse(line) as InputRecord
    if (type === 'core.boot' || type === 'core.setAside') return undefined
    const named = Object.entries({ to, tab, ref }).filter(([, value]) => value !== undefined)
    return { type, data, ...Object.fromEntries(named) }
  } catch {
    return undefined
  }
}
