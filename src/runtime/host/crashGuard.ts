/**
 * Crash guard: after a death each of the next 1,000 inputs is on disk before its step, so that the next core knows an input that
 * ends this core, too.
 *
 * A browser may end a worker at any moment, also in the step of a harmless input. The first death is therefore only a suspicion:
 * the input was not committed, so its sender repeats it, as any input without an acknowledgement. An input that ends a second
 * life, without a successful step in between, is quarantined.
 */
import type { InputRecord } from '../log/record.ts'
import type { QuarantineRules } from '../core/createQuarantine.ts'
import type { Draft } from '../core/draft.ts'
import type { CrashGuard } from './inbox.ts'
import type { Journal } from '../journal/journal.ts'
import type { Care } from '../journal/head.ts'

const carefulInputs = 1000
/** Inputs that are remembered; the oldest are tried again. */
const mostKept = 32

export type CrashGuardPorts = {
  journal: Journal
  /** of this core */
  build: string
  /** number of the input in whose step a page saw the last core end; 0 when it ended in none */
  diedInStep: number
  /** Hears the input whose step begins, and nothing when it is over. */
  stepping(input?: InputRecord): void
}

type SuspectRules = Pick<QuarantineRules, 'keyOf' | 'suspectOf'>

/** Inputs that may end a core: suspected after one death, set aside after two. */
export type Quarantine = { suspects: readonly string[]; aside: readonly string[] }

/** @returns the guard, with the input that ended the last life, if any */
export function crashGuardFor(
  rules: SuspectRules,
  { journal, build, diedInStep, stepping }: CrashGuardPorts,
): CrashGuard {
  const { care } = journal.head()
  const before: Quarantine = { suspects: [], aside: [], ...(care?.build === build ? care : {}) }
  const draft = draftOf(care, diedInStep)
  const {
    dead,
    suspects: suspected,
    aside,
  } = draft ? afterDeathIn(rules, draft, before) : { ...before, dead: undefined }
  let suspects = suspected
  let left = carefulInputs
  const mark = (pending?: string) =>
    journal.mark({ build, aside, ...(suspects.length > 0 && { suspects }), ...(pending !== undefined && { pending }) })
  const flush = () => journal.flush('relaxed').catch(() => undefined)
  mark()
  // The next life must know of it however soon this one ends
  if (draft) void flush()

  return {
    ...(dead ? { dead } : {}),
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
        mark(JSON.stringify(input))
        // A disk that refuses is told by the journal itself
        await flush()
        stepping(input)
        step(input)
        stepping()
        // It is known to go well from the commit on that has its line
        suspects = left === 0 ? [] : afterStepOf(rules, input, suspects)
        mark()
      }
      void flush()
    },
  }
}

/** @returns what is known once a life has ended in this input's step; `dead` when it has ended two and is set aside */
export function afterDeathIn(
  { keyOf, suspectOf }: SuspectRules,
  draft: Draft,
  { suspects, aside }: Quarantine,
): Quarantine & { dead: Draft | undefined } {
  const suspect = suspectOf(draft)
  if (!suspects.includes(suspect))
    return { suspects: [suspect, ...suspects].slice(0, mostKept), aside, dead: undefined }
  return { suspects, aside: [keyOf(draft), ...aside].slice(0, mostKept), dead: draft }
}

/** @returns who is suspected still once this input's step has gone well */
export function afterStepOf(
  { suspectOf }: SuspectRules,
  input: InputRecord,
  suspects: readonly string[],
): readonly string[] {
  if (suspects.length === 0) return suspects
  const well = suspectOf(input)
  return suspects.filter(suspect => suspect !== well)
}

/** @returns what a life was about to step, if that is the one it ended in and no core may have to go on without it */
function draftOf(care: Care | undefined, diedInStep: number): Draft | undefined {
  if (care?.pending === undefined) return undefined
  try {
    const { n, type, data, to, tab, ref } = JSON.parse(care.pending) as InputRecord
    if (n !== diedInStep || type === 'core.boot' || type === 'core.setAside') return undefined
    const named = Object.entries({ to, tab, ref }).filter(([, value]) => value !== undefined)
    return { type, data, ...Object.fromEntries(named) }
  } catch {
    return undefined
  }
}
