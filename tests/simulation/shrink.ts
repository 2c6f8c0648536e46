/** Makes a failing seed small: faults and steps of the person are left out while it still fails with the same invariant. */
import type { Decider } from '../../src/worker/core/context.ts'
import { simulate, type Simulated } from './simulate.ts'

export type Shrunk = {
  /** what was left out, by name and number */
  without: string[]
  /** what is left of the faults and of the person's steps */
  left: string[]
  outcome: Simulated
  trials: number
}

/** @returns an invariant's sentence without the ids and numbers of one run */
export function kindOf(wrong: string): string {
  return wrong.replace(/[a-z]+-[\w.-]*\d[\w.-]*|[0-9a-f]{8,}|e?\d+(?:\.\d+)*/g, '…')
}

/** @returns the command that runs what is left of a seed again */
export function again(seed: number, without: Iterable<string>): string {
  const left = [...without]
  return `npm run simulate -- --seed ${seed}${left.length > 0 ? ` --without ${left.join(',')}` : ''} --verbose`
}

type Shrinking = {
  most?: number
  heard?: (left: number, trials: number) => void
  /** what the core is made of, another one than ours in a test */
  deciders?: readonly Decider[]
}

/**
 * @param most how many runs are tried
 * @param heard hears after every run how much is left
 * @throws Error when the seed does not fail
 */
export function shrink(seed: number, { most = 600, heard, deciders }: Shrinking = {}): Shrunk {
  let outcome = simulate(seed, undefined, deciders)
  if (outcome.wrong === undefined) throw new Error(`the seed ${seed} expected to fail, it does not`)
  const kind = kindOf(outcome.wrong)
  let without = new Set<string>()
  let trials = 1

  /** @returns whether it still fails without these, which then stay out */
  function leaveOut(names: readonly string[]): boolean {
    const fewer = new Set([...without, ...names])
    trials += 1
    const next = simulate(seed, fewer, deciders)
    if (next.wrong === undefined || kindOf(next.wrong) !== kind) return false
    without = fewer
    outcome = next
    return true
  }

  for (let size = Math.ceil(outcome.drawn.length / 2); size >= 1 && trials < most; size = size === 1 ? 0 : size >> 1) {
    // What came last matters least for what had to come before it
    for (let end = outcome.drawn.length; end > 0 && trials < most; end = Math.min(end - size, outcome.drawn.length)) {
      leaveOut(outcome.drawn.slice(Math.max(0, end - size), end))
      heard?.(outcome.drawn.length, trials)
    }
  }
  return { without: [...without], left: [...outcome.drawn], outcome, trials }
}
