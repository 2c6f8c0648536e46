/** Something that reads what comes from outside, as the fuzzer sees it. */
import { Fault } from '../../src/events/failure.ts'
import type { Random } from './random.ts'

export type Judged = {
  /** whether the reader took the input */
  isTaken: boolean
  /** what must not be, as a sentence; undefined when all is well */
  wrong?: string
}

export type Reader = {
  name: string
  /** how many cases it gets when frames, payloads and envelopes get a thousand together */
  share: number
  /** @returns one input, as the text that is printed when it fails */
  make(random: Random): string
  /** Reads an input by `read` and compares with the grammar; an error it throws is a crash. */
  judge(input: string, read: Read): Judged | Promise<Judged>
  /** Cuts an input into pieces that can be left out one by one; characters by default. */
  pieces?(input: string): string[]
  whole?(pieces: readonly string[]): string
}

export type Read = typeof read

/**
 * Runs the fuzzed code.
 *
 * @returns its value, or the Fault with a sentence it ends in; another error passes through
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
