/**
 * Chooses visits to record: greedily, those that add most kinds of outcomes for their size. An outcome is an input's
 * type, with its kind of message, timer or failure, and the types of the facts and effects that it causes.
 */
import { decode } from '../../src/events/log/decode.ts'
import { gzipSync } from 'node:zlib'
import type { FactRecord, InputRecord } from '../../src/runtime/log/record.ts'

/** A visit's log. `outcomes`: of each input, in order. */
export type Candidate = { lines: readonly string[]; outcomes: readonly string[] }

/** Bytes that a recording costs beside its lines. */
const bytesEach = 1000

/**
 * @param most bytes of all recordings, compressed as in git
 * @param known outcomes of other recordings
 * @param worth of an outcome, as often as it counts: the second and third time under other circumstances
 * @returns each chosen one, up to the last input that adds an outcome
 */
export function chooseCandidates<C extends Candidate>(
  candidates: readonly C[],
  { most, known = [], worth = [1, 0.25, 0.25] }: { most: number; known?: readonly string[]; worth?: readonly number[] },
): { one: C; inputs: number }[] {
  const counts = new Map<string, number>()
  for (const outcome of known) counts.set(outcome, worth.length)
  const left = new Set(candidates)
  const sizes = new Map(candidates.map(one => [one, gzipSync(one.lines.join('\n')).length + bytesEach]))
  const chosen: { one: C; inputs: number }[] = []
  let bytes = 0
  for (;;) {
    let best: C | undefined
    let highest = 0
    for (const one of left) {
      const rate = gain(one, counts, worth) / (sizes.get(one) ?? 1)
      if (rate > highest) [best, highest] = [one, rate]
    }
    if (!best) return chosen
    left.delete(best)
    const inputs = take(best, counts, worth.length)
    bytes += ((sizes.get(best) ?? 0) * inputs) / best.outcomes.length
    if (bytes > most) return chosen
    chosen.push({ one: best, inputs })
  }
}

function gain({ outcomes }: Candidate, counts: ReadonlyMap<string, number>, worth: readonly number[]): number {
  let sum = 0
  for (const outcome of new Set(outcomes)) sum += worth[counts.get(outcome) ?? 0] ?? 0
  return sum
}

/** Counts a visit's outcomes. @returns the number of the last input that adds one */
function take({ outcomes }: Candidate, counts: Map<string, number>, most: number): number {
  let last = 0
  const seen = new Set<string>()
  for (const [at, outcome] of outcomes.entries()) {
    if (seen.has(outcome)) continue
    seen.add(outcome)
    const count = counts.get(outcome) ?? 0
    if (count < most) last = at + 1
    counts.set(outcome, count + 1)
  }
  return last
}

/** @returns the outcome of each input */
export function outcomesOf(lines: readonly string[]): string[] {
  const outcomes: string[][] = []
  for (const line of lines) {
    const record = decode(line)
    if (record.k === 'i') outcomes.push([kindOf(record)])
    else if (record.k === 'f') outcomes.at(-1)?.push(withCode(record))
    else if (record.k === 'e') outcomes.at(-1)?.push(...record.types)
  }
  return outcomes.map(parts => parts.join(' '))
}

const withCode = ({ type, data }: FactRecord | InputRecord): string => {
  const { code } = (data as { failure?: { code: string } }).failure ?? {}
  return code === undefined ? type : `${type}:${code}`
}

function kindOf(input: InputRecord): string {
  const { payload, timerId, error } = input.data as {
    payload?: { kind?: string }
    timerId?: string
    error?: { code: number }
  }
  return [withCode(input), payload?.kind, timerId?.split(':')[0], error?.code].filter(Boolean).join(' ')
}
