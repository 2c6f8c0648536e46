/**
 * Number 4: visits in seeded worlds with random faults, as `npm run simulate` has them. Their invariants count an order that is charged
 * twice, a landed payment that is missing, and an order whose end stays unknown after the faults have stopped.
 */
import { simulate } from '../../../simulation/simulate.ts'
import { mostTold, type OnDone, type ProofReport } from './report.ts'

type SchedulesAsked = {
  seed: number
  schedules: number
  run?: (seed: number) => Promise<{ inputs: number; wrong?: string | undefined }>
  onDone?: OnDone | undefined
}

/** Plays one world after the other. */
export async function proveSchedules({
  seed,
  schedules,
  run = world => simulate(world, new Set()),
  onDone,
}: SchedulesAsked): Promise<ProofReport> {
  const told: string[] = []
  let [inputs, failed] = [0, 0]
  for (let done = 0; done < schedules; done += 1) {
    const world = seed - 1 + done
    const outcome = await run(world)
    inputs += outcome.inputs
    const violation =
      outcome.wrong === undefined
        ? undefined
        : `world ${world}: ${outcome.wrong}; again: npm run simulate -- --seed ${world}`
    if (violation !== undefined) {
      failed += 1
      if (told.length < mostTold) told.push(violation)
    }
    onDone?.(done + 1, schedules, violation)
  }
  return {
    proof: 'schedules',
    number: 4,
    holds: failed === 0 && schedules > 0,
    figures: { seed, schedules, inputs, failed, told },
    lines: [
      `${schedules} visits with random faults, from world ${seed - 1}, ${inputs} inputs: ${failed} break an invariant`,
      ...told,
    ],
  }
}
