/** One trial of a core: the recordings first, then seeds until one fails. */
// Loaded before a world stops the engine's timers
import '../../src/runtime/journal/repairLog.ts'
import '../../src/runtime/journal/retention.ts'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { otherVisit } from '../replay/recordedVisits.ts'
import { strictly } from '../replay/strictly.ts'
import { simulate } from '../simulation/simulate.ts'

/** The recording or seed that caught a fault. */
export type Catch = { name: string; after: number; why: string }

/** Paths of recordings and numbers of seeds, in the order of the trial. */
export type Trying = { recordings: readonly string[]; seeds: readonly number[] }

/** Findings of a trial: of its recordings first, then of its seeds, separately; `tried` comes before each of them. */
export type Said = { tried: string } | { recording: Catch | null } | { seed: Catch | null }

/** `say` hears every step, before it and behind it. */
export type TryOut = (trying: Trying, say: (said: Said) => void) => Promise<void>

export const tryOut: TryOut = async ({ recordings, seeds }, say) => {
  if (recordings.length > 0) say({ recording: await firstFailing(recordings, say, recordingWrong) })
  if (seeds.length > 0) say({ seed: await firstFailing(seeds, say, seedWrong) })
}

async function firstFailing<T extends string | number>(
  names: readonly T[],
  say: (said: Said) => void,
  wrongOf: (name: T) => Promise<string | undefined>,
): Promise<Catch | null> {
  for (const [at, one] of names.entries()) {
    const name = basename(String(one))
    say({ tried: name })
    const why = await wrongOf(one)
    if (why !== undefined) return { name, after: at + 1, why: why.slice(0, 160) }
  }
  return null
}

async function recordingWrong(path: string): Promise<string | undefined> {
  try {
    const verdict = await strictly(readFileSync(path, 'utf8'))
    if (verdict.ok) return undefined
    return 'report' in verdict ? (verdict.report.split('\n')[0] ?? '') : 'it comes out otherwise'
  } catch (cause) {
    return String(cause)
  }
}

async function seedWrong(seed: number): Promise<string | undefined> {
  try {
    const outcome = await simulate(seed)
    return outcome.wrong ?? otherVisit(outcome)
  } catch (cause) {
    return `the world broke: ${(cause as Error).message}`
  }
}
