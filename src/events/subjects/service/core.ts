/** The core about itself: its life, whether its log is durable, which inputs it could not handle. */
import {
  choice,
  define,
  integer,
  openField,
  optional,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'

/** Why this device keeps no log: a later version of this page has it, or a tab of an earlier one does not release it. */
export const obstacle = openField(choice(['newer', 'blocked']))

export const coreFacts = define({
  /** A core started. `cause`: a start or reload, or the loss of another core. */
  'core.started': v1({
    life: openField(integer),
    build: openField(text),
    cause: openField(choice(['start', 'lost'])),
    storage: openField(choice(['durable', 'memory'])),
    obstacle: optional(obstacle),
  }),
  /** An input made the core throw; its step has no other result. */
  'core.faulted': v1({ input: openField(text), message: openField(text) }),
  /** An input ended a core in the middle of its step and was quarantined. */
  'core.inputSetAside': v1({ input: openField(text) }),
  /** The log could no longer be written; nothing that costs money may start. */
  'core.storageLost': v1({ message: openField(text) }),
  /** The log was damaged: repair cut off this many of its newest records. */
  'core.logCut': v1({ records: openField(integer) }),
  /** This device has little room: retention keeps at most this many records. */
  'core.logShrunk': v1({ records: openField(integer) }),
})
export type CoreFact = UnionOf<typeof coreFacts>

export function coreState() {
  const { life, build, cause } = coreFacts['core.started'].fields
  return shape({
    life,
    build,
    cause,
    storage: openField(choice(['unknown', 'durable', 'memory'])),
    obstacle: optional(obstacle),
    /** records lost from the log when this life began */
    cut: optional(shape(coreFacts['core.logCut'].fields)),
    faults: openField(integer),
    /** inputs that could not be handled, faults among them: their number, and the type of the newest */
    dropped: optional(shape({ count: openField(integer), input: openField(text) })),
  })
}
export type CoreView = StateOf<typeof coreState>

export function foldCore(
  model: { core: CoreView; invoice?: { refused?: unknown; refusedAt?: unknown } | undefined },
  fact: CoreFact,
): void {
  const { dropped } = model.core
  switch (fact.type) {
    case 'core.started':
      if (fact.data.life <= model.core.life) return
      // A life's own state goes with it; the device's history stays
      model.core = { ...fact.data, faults: model.core.faults, ...(dropped ? { dropped } : {}) }
      // It answered a press of the life before
      delete model.invoice?.refused
      delete model.invoice?.refusedAt
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
