/**
 * Decides when a checkpoint is due.
 *
 * 1. A checkpoint stands between two groups.
 * 2. One stands before the first boot of another build: from there that build can be re-executed.
 * 3. None is made in memory, and so none over a newer build's log.
 */
import type { CoreModel } from '../../events/app.ts'
import type { FactRecord, InputRecord } from '../../events/log/record.ts'
import type { CoreMachine } from '../core/core.ts'
import type { Journal, Seam } from './journal.ts'
import type { Known } from './known.ts'
import { copied } from './pauses.ts'

const everyInputs = 5000
const everyMs = 5 * 60_000
/** A checkpoint after `everyMs` may have at most so many lines for each input that the next start need not fold. */
const linesPerInput = 4

type CheckpointPorts = {
  core: Pick<CoreMachine, 'model' | 'memory'>
  journal: Journal
  /** this core's build */
  build: string
  known: Known
  now(): number
}

/** The core's position between two steps, with its scratch memory. */
export type Taken = { life: number; n: number; seq: number; memory: Record<string, unknown>; seam: Promise<Seam> }

type Checkpoints = {
  /**
   * Makes one before this core's own boot when another build has written since the last.
   * @returns once the core may go on
   */
  begin(): Promise<void>
  /** Called after every step; makes a checkpoint when one is due. */
  stepped(input: InputRecord, facts: readonly FactRecord[]): void
}

export function createCheckpoints(ports: CheckpointPorts): Checkpoints {
  const { core, journal, build, known, now } = ports
  let coveredTo = known.from.n
  let coveredAt = now()
  let making = false
  /** count of lines of the last one */
  let restated = 0
  /** listener for facts while a checkpoint is being made */
  let hear: ((fact: FactRecord) => void) | undefined

  function standing(): Taken {
    const seam = journal.seam()
    // The journal itself reports a log that cannot be written
    seam.catch(() => undefined)
    return { ...journal.head(), memory: core.memory(), seam }
  }

  function take(): Taken {
    hear = undefined
    coveredTo = journal.head().n
    coveredAt = now()
    return standing()
  }

  /** @param before position and copied model of an earlier moment; default the moment when all rows are ready */
  async function make(before?: { taken: Taken; model: CoreModel }): Promise<void> {
    making = true
    try {
      const { makeCheckpoint } = await import('./checkpoint.ts')
      const model = before?.model ?? core.model
      const watch = (hears: (fact: FactRecord) => void) => void (hear = hears)
      restated = await makeCheckpoint({ journal, build, now, model, watch, take: () => before?.taken ?? take() })
    } catch {
      // Without it the next start takes longer, nothing else
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
      // This core goes on at once, so its former state is copied
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
