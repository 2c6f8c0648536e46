/** What was seen from outside the core: what it acknowledged, what it handed out, what it said it knows. */
import type { CoreModel } from '../../src/events/app.ts'

export type Seen =
  /** A command's call came back: it is kept. */
  | { saw: 'command'; ref: string; type: string }
  /** An answer was given to the core, perhaps not for the first time. */
  | { saw: 'offered'; effectId: string; type: string }
  /** An answer's call came back: it is kept. */
  | { saw: 'answer'; effectId: string; type: string }
  /** A page fact's call came back: it is kept. */
  | { saw: 'pageFact'; tab: string; p: number; type: string }
  /** An effect reached the page that carries it out. */
  | { saw: 'performed'; effectId: string; type: string }
  /** The person was asked to sign this order. */
  | { saw: 'prompted'; orderKey: string }
  /** What ran the core was killed. */
  | { saw: 'killed' }
  /** A page joined, and was given this model. */
  | { saw: 'attached'; life: number; seq: number; model: CoreModel }

/** A log as the next life gives it away, and how much had been seen when it was asked to. */
export type Testimony = { recording: string; before: number; seen: Seen[] }
