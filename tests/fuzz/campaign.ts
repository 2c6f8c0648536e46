/**
 * Runs cases through readers. Each case depends only on the seed, its reader's name and its number, so any one can be repeated.
 */
import { type Judged, read, type Reader } from './reader.ts'
import { randomOf } from './random.ts'
import { smaller } from './smaller.ts'

export type Failing = {
  reader: string
  /** number of the case */
  at: number
  wrong: string
  /** the minimised input */
  input: string
}

export type Ran = { reader: string; cases: number; taken: number; ms: number; failing?: Failing }

/**
 * Runs a reader's cases until one fails.
 *
 * @param from the first case's number
 * @param heard receives each case's number before it runs
 */
export async function runReader(
  reader: Reader,
  { seed, cases, from = 0, heard }: { seed: string; cases: number; from?: number; heard?: (at: number) => void },
): Promise<Ran> {
  const ran: Ran = { reader: reader.name, cases: 0, taken: 0, ms: 0 }
  const began = performance.now()
  for (let at = from; at < from + cases && !ran.failing; at++) {
    heard?.(at)
    const input = inputOf(reader, seed, at)
    const { isTaken, wrong } = await tried(reader, input)
    ran.cases += 1
    if (isTaken) ran.taken += 1
    if (wrong === undefined) continue
    let trials = 0
    const trial = (one: Reader, text: string) => {
      // Minimising counts as progress, too
      heard?.(-++trials)
      return tried(one, text)
    }
    ran.failing = { reader: reader.name, at, wrong, input: await smaller(reader, input, kindOf(wrong), trial) }
  }
  ran.ms = performance.now() - began
  return ran
}

export function inputOf(reader: Reader, seed: string, at: number): string {
  return reader.make(randomOf(`${seed} ${reader.name} ${at}`))
}

/** Judges one input; a crash is a failure, too. */
export async function tried(reader: Reader, input: string): Promise<Judged> {
  try {
    return await reader.judge(input, read)
  } catch (cause) {
    return { isTaken: false, wrong: `the reader crashed: ${cause instanceof Error ? cause.stack : String(cause)}` }
  }
}

/** @returns the kind of a failure: its sentence without the case's own words */
export function kindOf(wrong: string): string {
  return wrong.split(':')[0] ?? wrong
}

/** @returns the number of cases of each reader, if those of `counted` share `cases` */
export function shares(readers: readonly Reader[], cases: number, counted = readers): Map<Reader, number> {
  const all = counted.reduce((sum, { share }) => sum + share, 0)
  return new Map(readers.map(reader => [reader, Math.ceil((cases * reader.share) / all)]))
}
