/** The runtime's own inputs and facts, for a product that adds nothing to them, and its scratch memory as data. */
import { choice, define, id, integer, list, map, openField, optional, shape, text, v1 } from '../schema/registry.ts'

const life = {
  life: openField(integer),
  build: openField(text),
  cause: openField(choice(['start', 'lost'])),
  storage: openField(choice(['durable', 'memory'])),
  obstacle: optional(openField(choice(['newer', 'blocked']))),
}

export const ownInputs = define({
  /** The first input of a life; it seeds the generator. */
  'core.boot': v1({ ...life, seed: openField(text) }),
  /** An input was quarantined; `timerId` is that of a timer. */
  'core.setAside': v1({ input: openField(text), timerId: optional(openField(id)) }),
  /** A driver could not carry out its effect. */
  'effect.failed': v1({ failure: shape({ code: openField(id), message: openField(text) }) }),
  /** A timer fired: the answer of `timer.set`. */
  'timer.fired': v1({ timerId: openField(id) }),
  /** The clock went back, or ahead by more than a minute between two inputs, ms. */
  'clock.jumped': v1({ byMs: openField(integer) }),
})

export const ownFacts = define({
  /** A core started. */
  'core.started': v1(life),
  /** An input made the core throw; its step has no other result. */
  'core.faulted': v1({ input: openField(text), message: openField(text) }),
  /** An input was quarantined. */
  'core.inputSetAside': v1({ input: openField(text) }),
})

/** The scratch memory that the core itself keeps. */
export const ownScratch = v1({
  random: list(openField(integer)),
  asked: map(shape({ type: openField(id), about: openField(text), tab: optional(openField(id)) })),
})
