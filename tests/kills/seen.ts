/** Observations from outside the core: its acknowledgements, its effects, its own statements. */
import type { CoreModel } from '../../src/events/app.ts'

export type Seen =
  /** A command's call returned: it is persisted. */
  | { saw: 'command'; ref: string; type: string }
  /** An answer was offered to the core, perhaps repeatedly. */
  | { saw: 'offered'; effectId: string; type: string }
  /** An answer's call returned: it is persisted. */
  | { saw: 'answer'; effectId: string; type: string }
  /** A page fact's call returned: it is persisted. */
  | { saw: 'pageFact'; tab: string; p: number; type: string }
  /** An effect reached the page that carries it out. */
  | { saw: 'performed'; effectId: string; type: string }
  /** The wallet prompted the person for this order. */
  | { saw: 'prompted'; orderKey: string }
  /** The core's worker, browser or process was killed. */
  | { saw: 'killed' }
  /** A page attached and received this model. */
  | { saw: 'attached'; life: number; seq: number; model: CoreModel }

/** A log returned by the next life, and the number of observations when it was requested. */
export type Testimony = { recording: string; before: number; seen: Seen[] }
