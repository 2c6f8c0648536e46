/**
 * Makes checkpoints: the core's model in lines, stored at a seam of the log.
 *
 * 1. A checkpoint stands between two groups: it is made in one go, between two steps of the core.
 * 2. One stands before the first boot of another build: from there that build can be re-executed.
 * 3. None is made in memory, and so none over a newer build's log.
 */
import { checkpointLines } from '../../events/checkpoint/snapshot.ts'
import type { InputRecord } from '../../events/log/record.ts'
import type { CoreMachine } from '../core/core.ts'
import type { Journal } from './journal.ts'
import type { Known } from './known.ts'

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

type Checkpoints = {
  /** Called before this core's boot: makes one when another build has written since the last. */
  begin(): void
  /** Called after every step; makes a checkpoint when one is due. */
  stepped(input: InputRecord): void
}

export function createCheckpoints({ core, journal, build, known, now }: CheckpointPorts): Checkpoints {
  let coveredTo = known.from.n
  let coveredAt = now()
  /** count of lines of the last one */
  let lines = 0

  function make(): void {
    const { n, seq } = journal.head()
    coveredTo = n
    coveredAt = now()
    const place = { n, seq, life: core.model.core.life, at: Math.floor(coveredAt), build, transient: core.memory() }
    const checkpoint = checkpointLines(place, core.model)
    lines = checkpoint.length
    const bytes = new TextEncoder().encode(checkpoint.join('\n'))
    // The journal itself reports a log that cannot be written
    journal
      .seam()
      .then(seam => journal.keep(seam, bytes))
      .catch(() => undefined)
  }

  /** Without a checkpoint the next start takes longer, nothing else. */
  function tryMake(): void {
    try {
      make()
    } catch (cause) {
      console.warn('no checkpoint was made:', cause instanceof Error ? cause.name : typeof cause)
    }
  }

  return {
    begin() {
      const isForeign =
        (known.build !== undefined && known.build !== build) ||
        known.facts.some(({ type, data }) => type === 'core.started' && data.build !== build)
      if (isForeign && journal.storage !== 'memory') tryMake()
    },
    stepped({ n, at }) {
      if (journal.storage === 'memory') return
      const inputs = n - coveredTo
      const isWorthIt = lines <= inputs * linesPerInput
      if (inputs >= everyInputs || (at - coveredAt >= everyMs && isWorthIt)) tryMake()
    },
  }
}
