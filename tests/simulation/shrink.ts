/** Minimises a failing seed of this product. */
import type { Decider } from '../../src/worker/core/context.ts'
import { type Shrunk, shrinkRun } from './runtime/shrink.ts'
import { type Simulated, simulate } from './simulate.ts'

/** @returns the command that repeats the minimised seed */
export function again(seed: number, without: Iterable<string>): string {
  const left = [...without]
  return `npm run simulate -- --seed ${seed}${left.length > 0 ? ` --without ${left.join(',')}` : ''} --verbose`
}

type Shrinking = {
  most?: number
  heard?: (left: number, trials: number) => void
  /** deciders of the core; replaced in tests */
  deciders?: readonly Decider[]
}

/**
 * @param most limit of runs
 * @param heard receives the number of remaining draws after every run
 * @throws Error when the seed does not fail
 */
export async function shrink(seed: number, { deciders, ...options }: Shrinking = {}): Promise<Shrunk<Simulated>> {
  return shrinkRun(without => simulate(seed, without, deciders), options)
}
