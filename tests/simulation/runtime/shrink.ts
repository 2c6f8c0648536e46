/** Minimises a failing seed: leaves out faults and steps of the person while it still violates the same invariant. */

/** A run of a seed: the first violated invariant, and every draw by name and number. */
export type Simulated = { wrong?: string; drawn: readonly string[] }

export type Shrunk<Outcome extends Simulated> = {
  /** left-out draws, by name and number */
  without: string[]
  /** remaining faults and steps of the person */
  left: string[]
  outcome: Outcome
  trials: number
}

/** @returns an invariant's sentence without ids and numbers of one run */
export function kindOf(wrong: string): string {
  return wrong.replace(/[a-z]+-[\w.-]*\d[\w.-]*|[0-9a-f]{8,}|e?\d+(?:\.\d+)*/g, '…')
}

/**
 * @param simulate runs the seed without these draws
 * @param most limit of runs
 * @param heard receives the number of remaining draws after every run
 * @throws Error when the seed does not fail
 */
export async function shrinkRun<Outcome extends Simulated>(
  simulate: (without?: ReadonlySet<string>) => Promise<Outcome>,
  { most = 600, heard }: { most?: number; heard?: ((left: number, trials: number) => void) | undefined } = {},
): Promise<Shrunk<Outcome>> {
  let outcome = await simulate()
  if (outcome.wrong === undefined) throw new Error('the seed expected to fail, it does not')
  const kind = kindOf(outcome.wrong)
  let without = new Set<string>()
  let trials = 1

  /** @returns whether it still fails without these, which then stay left out */
  async function leaveOut(names: readonly string[]): Promise<boolean> {
    const fewer = new Set([...without, ...names])
    trials += 1
    const next = await simulate(fewer)
    if (next.wrong === undefined || kindOf(next.wrong) !== kind) return false
    without = fewer
    outcome = next
    return true
  }

  for (let size = Math.ceil(outcome.drawn.length / 2); size >= 1 && trials < most; size = size === 1 ? 0 : size >> 1) {
    // Late draws matter least to earlier ones
    for (let end = outcome.drawn.length; end > 0 && trials < most; end = Math.min(end - size, outcome.drawn.length)) {
      await leaveOut(outcome.drawn.slice(Math.max(0, end - size), end))
      heard?.(outcome.drawn.length, trials)
    }
  }
  return { without: [...without], left: [...outcome.drawn], outcome, trials }
}
