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
  /** Reads an input and compares with the grammar; whatever it throws is a crash. Only what `read` runs is timed. */
  judge(input: string, read: Read): Judged | Promise<Judged>
  /** Cuts an input into pieces that can be left out one by one; characters by default. */
  pieces?(input: string): string[]
  whole?(pieces: readonly string[]): string
}

export type Read = {
  /** Runs what is fuzzed. @returns what it gives, or the Fault with a sentence it ends in; another error passes through */
  <T>(run: () => T): { value: T } | { fault: Fault }
  /** Waits for what is fuzzed; of several waits the longest counts. */
  wait<T>(run: () => Promise<T>): Promise<T>
}

/** @returns a `read`, and how long all it ran has taken so far, ms */
export function createRead(): { read: Read; ms(): number } {
  let spent = 0
  function read<T>(run: () => T): { value: T } | { fault: Fault } {
    const began = performance.now()
    const before = process.cpuUsage()
    try {
      return { value: run() }
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      if (!/\S+ \S+/.test(cause.message) || cause.message.length > 1000)
        throw new Error(`a fault without a sentence of fair length: ${cause.message.slice(0, 80)}`)
      return { fault: cause }
    } finally {
      // What others on this machine do meanwhile is not its own time
      const { user, system } = process.cpuUsage(before)
      spent += Math.min(performance.now() - began, (user + system) / 1000)
    }
  }
  async function wait<T>(run: () => Promise<T>): Promise<T> {
    const began = performance.now()
    const value = await run()
    spent = Math.max(spent, performance.now() - began)
    return value
  }
  return { ms: () => spent, read: Object.assign(read, { wait }) }
}

export const taken: Judged = { isTaken: true }
export const refused: Judged = { isTaken: false }
export const wrong = (isTaken: boolean, what: string): Judged => ({ isTaken, wrong: what })
