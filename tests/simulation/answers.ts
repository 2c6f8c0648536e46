import type { Queue } from './runtime/queue.ts'

/** The reactions of people with a wallet in hand. */
export function createAnswers(queue: Queue) {
  let last = 0
  return {
    after(inMs: number, run: () => void): void {
      last = Math.max(last, queue.now() + inMs)
      queue.after(inMs, 'outside', run)
    },
    /** The moment of the last one. */
    last: () => last,
  }
}
export type Answers = ReturnType<typeof createAnswers>
