/** Makes a checkpoint: the core's world in lines, kept at a seam of the log. */
import { checkpointLines } from '../events/restate.ts'
import type { CheckpointPorts, Taken } from './checkpoints.ts'

/**
 * @param taken what the core knew between two steps, and where: called right after it was taken, or with copies
 * @returns how many lines it has
 */
export async function makeCheckpoint({ journal, build, now }: CheckpointPorts, taken: Taken): Promise<number> {
  const { n, seq, model, memory, seam } = taken
  const kept = { n, seq, life: model.core.life, at: Math.floor(now()), build, transient: memory }
  const lines = checkpointLines(kept, model)
  await journal.keep(await seam, lines)
  return lines.length
}
