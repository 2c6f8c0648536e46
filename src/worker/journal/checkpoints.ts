/** When a checkpoint is due. It is made between two groups, after the work that is under way. */
import type { CoreModel } from '../../events/app.ts'
import type { FactRecord, InputRecord } from '../../events/log/record.ts'
import type { CoreMachine } from '../core/core.ts'
import type { Journal, Seam } from './journal.ts'
import type { Known } from './known.ts'
import { copied } from './pauses.ts'

const everyInputs = 5000
const everyMs = 5 * 60_000
/** A checkpoint for the time's sake restates at most so many lines for each input that it saves a start from folding. */
const linesPerInput = 4

type CheckpointPorts = {
  core: Pick<CoreMachine, 'model' | 'memory'>
  journal: Journal
  /** this core's build */
  build: string
  known: Known
  now(): number
}

/** Where the core stands between two steps, beside its model. */
export type Taken = { life: number; n: number; seq: number; memory: Record<string, unknown>; seam: Promise<Seam> }

type Checkpoints = {
  /**
   * Makes one of the world as it is now, before this core's own boot, when another build has written since the last.
   * @returns once the core may go on
   */
  begin(): Promise<void>
  /** Hears of every step; makes a checkpoint after it when one is due. */
  stepped(input: InputRecord, facts: readonly FactRecord[]): void
}

export function createCheckpoints(ports: CheckpointPorts): Checkpoints {
  const { core, journal, build, known, now } = ports
  let coveredTo = known.from.n
  let coveredAt = now()
  let making = false
  /** lines of the last one */
  let restated = 0
  /** hears facts while the world is being restated */
  let hear: ((fact: FactRecord) => void) | undefined

  function standing(): Taken {
    const seam = journal.seam()
    // It may fail long before it is waited for, and then is no news: the journal itself tells of a log that cannot be written
    seam.catch(() => undefined)
    return { ...journal.head(), memory: core.memory(), seam }
  }

  function take(): Taken {
    hear = undefined
    coveredTo = journal.head().n
    coveredAt = now()
    return standing()
  }

  /** @param before what stood before, and copies of it; else it is of the moment when all is ready to be written down */
  async function make(before?: { taken: Taken; model: CoreModel }): Promise<void> {
    making = true
    try {
      const { makeCheckpoint } = await import('./checkpoint.ts')
      const model = before?.model ?? core.model
      const watch = (hears: (fact: FactRecord) => void) => void (hear = hears)
      restated = await makeCheckpoint({ journal, build, now, model, watch, take: () => before?.taken ?? take() })
    } catch {
      // Without it the next start takes longer, and that is all
    } finally {
      making = false
      hear = undefined
    }
  }

  return {
    async begin() {
      const isForeign =
        (known.build !== undefined && known.build !== build) ||
        known.facts.some(({ type, data }) => type === 'core.started' && data.build !== build)
      if (!isForeign || journal.storage === 'memory') return
      // This core goes on at once, so what it knew before is copied
      const { memory, ...place } = take()
      const taken = { ...place, memory: structuredClone(memory) }
      void make({ taken, model: await copied(core.model) })
    },
    stepped({ n, at }, facts) {
      if (hear) for (const fact of facts) hear(fact)
      if (making || journal.storage === 'memory') return
      const inputs = n - coveredTo
      const isWorthIt = restated <= inputs * linesPerInput
      if (inputs >= everyInputs || (at - coveredAt >= everyMs && isWorthIt)) void make()
    },
  }
}
