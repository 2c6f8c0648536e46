/** When a checkpoint is due. It is made between two groups, after the work that is under way. */
import type { CoreModel } from '../events/app.ts'
import type { InputRecord } from '../events/record.ts'
import type { CoreMachine } from './core.ts'
import type { Journal, Seam } from './journal.ts'
import type { Known } from './openRecord.ts'

const everyInputs = 5000
const everyMs = 5 * 60_000
/** A checkpoint for the time's sake restates at most so many lines for each input that it saves a start from folding. */
const linesPerInput = 4

export type CheckpointPorts = {
  core: CoreMachine
  journal: Journal
  /** this core's build */
  build: string
  known: Known
  now(): number
}

/** What the core knows between two steps, and the seam where it knows it. */
export type Taken = {
  n: number
  seq: number
  model: CoreModel
  memory: Record<string, unknown>
  seam: Promise<Seam>
}

export type Checkpoints = {
  /** Makes one of the world as it is now, before this core's own boot, when another build has written since the last. */
  begin(): void
  /** Hears of every step; makes a checkpoint after it when one is due. */
  stepped(input: InputRecord): void
}

export function createCheckpoints(ports: CheckpointPorts): Checkpoints {
  const { core, journal, build, known, now } = ports
  let coveredTo = known.from.n
  let coveredAt = now()
  let making = false
  /** lines of the last one */
  let restated = 0

  const take = (): Taken => ({ ...journal.head(), model: core.model, memory: core.memory(), seam: journal.seam() })

  /** @param before what was taken already; else it is taken when all is there to write it down */
  function make(before?: Taken): void {
    making = true
    void import('./checkpoint.ts')
      .then(({ makeCheckpoint }) => {
        coveredTo = journal.head().n
        coveredAt = now()
        return makeCheckpoint(ports, before ?? take())
      })
      .then(lines => {
        restated = lines
      })
      // Without it the next start takes longer, and that is all
      .catch(() => undefined)
      .finally(() => (making = false))
  }

  return {
    begin() {
      const isForeign =
        (known.build !== undefined && known.build !== build) ||
        known.facts.some(({ type, data }) => type === 'core.started' && data.build !== build)
      if (!isForeign || journal.storage === 'memory') return
      // This core goes on at once, so what it knew before is copied
      const { model, memory, ...place } = take()
      make({ ...place, ...structuredClone({ model, memory }) })
    },
    stepped({ n, at }) {
      if (making || journal.storage === 'memory') return
      const inputs = n - coveredTo
      const isWorthIt = restated <= inputs * linesPerInput
      if (inputs >= everyInputs || (at - coveredAt >= everyMs && isWorthIt)) make()
    },
  }
}
