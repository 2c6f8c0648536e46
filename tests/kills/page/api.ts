/** Interface of this folder's page for its killer. */
import type { Plan } from '../plan.ts'
import type { Seen, Testimony } from '../seen.ts'

export type KillsPage = {
  /** Starts visiting at full speed. `word` seeds the wallet's keys. @returns the wallet's address */
  start(visit: { words: (string | number)[]; word: string }): string
  /** Kills the worker by plan. @returns the testimony of the next one, once joined */
  kill(plan: Plan): Promise<Testimony>
  /** Requests the log of the joined core. */
  testify(): Promise<Testimony>
  /** Stops pressing. @returns why it is not at rest yet; empty once a core is joined and no order is open */
  rest(): string
}

declare global {
  interface Window {
    kills?: KillsPage
    /** Stores an observation outside the browser, for pages that die themselves. */
    __seen?: (seen: Seen) => Promise<void>
  }
}
