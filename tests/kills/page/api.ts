/** What the page of this folder offers to whoever kills in it. */
import type { Plan } from '../plan.ts'
import type { Seen, Testimony } from '../seen.ts'

export type KillsPage = {
  /** Begins to visit at full speed. `word` makes the wallet's keys. @returns the wallet's address */
  start(visit: { words: (string | number)[]; word: string }): string
  /** Ends the worker by plan. @returns what the next one finds, once it is joined */
  kill(plan: Plan): Promise<Testimony>
  /** Asks the joined core for its log. */
  testify(): Promise<Testimony>
  /** Presses nothing more. @returns why it is not at rest yet; empty once a core is there and no order is open */
  rest(): string
}

declare global {
  interface Window {
    kills?: KillsPage
    /** Writes down outside the browser what was seen; for pages that die themselves. */
    __seen?: (seen: Seen) => Promise<void>
  }
}
