/** A reader of outside text, as the fuzzer runs it. */
import { Fault } from '../../src/runtime/failure.ts'
import type { Random } from './random.ts'

export type Judged = {
  /** whether the reader accepted the input */
  isTaken: boolean
  /** the failure as a sentence; undefined for none */
  wrong?: string
}

export type Reader = {
  name: string
  /** number of cases per thousand frames, payloads and envelopes together */
  share: number
  /** @returns one input, as the text printed on a failure */
  make(random: Random): string
  /** Reads an input through `read` and compares with the grammar; an error it throws is a crash. */
  judge(input: string, read: Read): Judged | Promise<Judged>
  /** Splits an input into pieces for minimising; by default characters. */
  pieces?(input: string): string[]
  whole?(pieces: readonly string[]): string
}

export type Read = typeof read

/**
 * Runs the fuzzed code.
 *
 * @returns its value, or its Fault with a sentence; other errors pass through
 */
export function read<T>(run: () => T): { value: T } | { fault: Fault } {
  try {
    return { value: run() }
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    if (!/\S+ \S+/.test(cause.message) || cause.message.length > 1000)
      throw new Error(`a fault without a sentence of fair length: ${cause.message.slice(0, 80)}`)
    return { fault: cause }
  }
}

export const taken: Judged = { isTaken: true }
export const refused: Judged = { isTaken: false }
export const wrong = (isTaken: boolean, what: string): Judged => ({ isTaken, wrong: what })
