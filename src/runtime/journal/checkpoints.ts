/**
 * Makes checkpoints: the core's model in lines, stored at a seam of the log.
 *
 * 1. A checkpoint stands between two groups: it is made in one go, between two steps of the core.
 * 2. One stands before the first boot of another build: from there that build can be re-executed.
 * 3. None is made in memory, and so none over a newer build's log.
 */
import type { InputRecord } from '../log/record.ts'
import type { CheckpointPosition, Snapshots } from '../log/createSnapshots.ts'
import type { Journal } from './journal.ts'
import type { KnownLog } from './known.ts'

const everyInputs = 5000
const everyMs = 5 * 60_000
/** A checkpoint after `everyMs` may have at most so many lines for each input that the next start need not fold. */
const linesPerInput = 4

export type CheckpointPorts<M> = {
  core: { readonly model: M; memory(): Record<string, unknown> }
  /** @returns the number of the life that a model is of */
  lifeOf(model: M): number
  /** Loads the code that makes them. */
  snapshots(): Promise<Pick<Snapshots<M>, 'checkpointLines'>>
  journal: Journal
  /** this core's build */
  build: string
  known: Pick<KnownLog<M>, 'from' | 'facts' | 'build'>
  now(): number
}

export type Checkpoints = {
  /** Called before this core's boot: makes one when another build has written since the last. */
  begin(): Promise<void>
  /** Called after every step. @returns what resolves once the checkpoint that is due was tried; undefined when none is due */
  stepped(input: InputRecord): Promise<void> | undefined
}

export function createCheckpoints<M>({
  core,
  lifeOf,
  snapshots,
  journal,
  build,
  known,
  now,
}: CheckpointPorts<M>): Checkpoints {
  let coveredTo = known.from.n
  let coveredAt = now()
  /** count of lines of the last one */
  let lines = 0
  let isMaking = false

  /** Takes the position as it is now, between two steps. @returns resolves once the log has it, or cannot have it */
  async function take({ checkpointLines }: Pick<Snapshots<M>, 'checkpointLines'>): Promise<void> {
    const { n, seq } = journal.head()
    coveredTo = n
    coveredAt = now()
    const place: CheckpointPosition = {
      n,
      seq,
      life: lifeOf(core.model),
      at: Math.floor(coveredAt),
      build,
      transient: core.memory(),
    }
    const checkpoint = checkpointLines(place, core.model)
    lines = checkpoint.length
    const bytes = new TextEncoder().encode(checkpoint.join('\n'))
    // The journal itself reports a log that cannot be written
    const seam = await journal.seam().catch(() => undefined)
    if (seam) await journal.keep(seam, bytes).catch(() => undefined)
  }

  /** Without a checkpoint the next start takes longer, nothing else. */
  function notMade(cause: unknown): void {
    coveredTo = journal.head().n
    coveredAt = now()
    console.warn('no checkpoint was made:', cause instanceof Error ? cause.name : typeof cause)
  }

  async function make(): Promise<void> {
    isMaking = true
    await snapshots().then(take).catch(notMade)
    isMaking = false
  }

  return {
    async begin() {
      const isForeign =
        (known.build !== undefined && known.build !== build) ||
        known.facts.some(({ type, data }) => type === 'core.started' && data.build !== build)
      if (!isForeign || journal.storage !== 'durable') return
      const part = await snapshots().catch(notMade)
      // The boot does not wait for the disk
      if (part) void take(part).catch(notMade)
    },
    stepped({ n, at }) {
      if (isMaking || journal.storage !== 'durable') return undefined
      const inputs = n - coveredTo
      const isWorthIt = lines <= inputs * linesPerInput
      return inputs >= everyInputs || (at - coveredAt >= everyMs && isWorthIt) ? make() : undefined
    },
  }
}
