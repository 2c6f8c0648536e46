/** Runs of a world, whose promises go on between two events. */
import { sha256 } from '@noble/hashes/sha2.js'
import { inVirtualTime } from './virtualTime.ts'

/** A run that stops behind every event, with the promises that have to settle before it goes on. */
export type Played<Outcome> = Generator<Promise<unknown>[], Outcome>

/** Runs a world on the real journal: between two events everything that it awaits goes on. */
export async function playOnPromises<Outcome>(run: Played<Outcome>): Promise<Outcome> {
  const patch = inVirtualTime(sha256)
  try {
    for (;;) {
      const { done, value } = run.next()
      if (done) return value
      await patch.turn()
      while (value.length > 0) {
        await Promise.all(value.splice(0))
        await patch.turn()
      }
    }
  } finally {
    patch.undo()
  }
}
