/** Seeded randomness for fuzzing: the same seed gives the same cases on every machine. */
import { nextRandom, seeded } from '../../src/runtime/core/generator.ts'

export type Random = {
  /** @returns a whole number from 0 to limit − 1 */
  below(limit: number): number
  /** @returns true with probability 1 / `times` */
  oneIn(times: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
}

export function randomOf(seed: string): Random {
  const state = seeded(seed)
  const below = (limit: number) => nextRandom(state) % Math.max(1, limit)
  return {
    below,
    oneIn: times => below(times) === 0,
    pick: list => list[below(list.length)] as never,
    bytes: length => Uint8Array.from({ length }, () => nextRandom(state) & 255),
  }
}

/** @returns lower-case hex of this many random bytes */
export function randomHex(random: Random, bytes: number): string {
  return Buffer.from(random.bytes(bytes)).toString('hex')
}
