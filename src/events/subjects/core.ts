/** The core about itself: which life it lives, whether its log lasts, what it could not handle. */
import { choice, define, integer, open, optional, text, type UnionOf, v1 } from '../schema/registry.ts'

/** Why this device keeps no log: a later version of this page has it, or a tab of an earlier one does not let go. */
export const obstacle = open(choice(['newer', 'blocked']))

export const coreFacts = define({
  /** A core began to run. `cause` says why: first start, a reload, or another core's death. */
  'core.started': v1({
    life: open(integer),
    build: open(text),
    cause: open(choice(['start', 'lost'])),
    storage: open(choice(['durable', 'memory'])),
    obstacle: optional(obstacle),
  }),
  /** An input made the core throw; nothing else came of it. */
  'core.faulted': v1({ input: open(text), message: open(text) }),
  /** An input ended a core in the middle of its step, so it was not taken again. */
  'core.inputSetAside': v1({ input: open(text) }),
  /** The log could no longer be written; nothing that costs money may start. */
  'core.storageLost': v1({ message: open(text) }),
  /** The log was damaged: so many of its newest records are gone. */
  'core.logCut': v1({ records: open(integer) }),
  /** This device has little room: the log keeps at most so many records. */
  'core.logShrunk': v1({ records: open(integer) }),
})
export type CoreFact = UnionOf<typeof coreFacts>

export type CoreView = {
  life: number
  build: string
  cause: 'start' | 'lost'
  storage: 'unknown' | 'durable' | 'memory'
  obstacle?: 'newer' | 'blocked'
  /** what was lost of the log when this life began */
  cut?: { records: number }
  faults: number
  /** inputs that could not be handled, faults among them: how many, and the newest one's type */
  dropped?: { count: number; input: string }
}
export const emptyCore: CoreView = { life: 0, build: '', cause: 'start', storage: 'unknown', faults: 0 }

export function foldCore(model: { core: CoreView }, fact: CoreFact): void {
  const { dropped } = model.core
  switch (fact.type) {
    case 'core.started':
      if (fact.data.life <= model.core.life) return
      // What is true of a life goes with it; what this device went through stays
      model.core = { ...fact.data, faults: model.core.faults, ...(dropped ? { dropped } : {}) }
      return
    case 'core.faulted':
      model.core.faults += 1
      drop(model, fact.data.input)
      return
    case 'core.inputSetAside':
      drop(model, fact.data.input)
      return
    case 'core.storageLost':
      model.core.storage = 'memory'
      return
    case 'core.logCut':
      model.core.cut ??= fact.data
  }
}

function drop({ core }: { core: CoreView }, input: string): void {
  core.dropped = { count: (core.dropped?.count ?? 0) + 1, input }
}
