/** The core about itself: which life it lives, whether its log lasts, what it could not handle. */
import { choice, define, integer, open, text, type UnionOf, v1 } from '../registry.ts'

export const coreFacts = define({
  /** A core began to run. `cause` says why: first start, a reload, or another core's death. */
  'core.started': v1({
    life: open(integer),
    build: open(text),
    cause: open(choice(['start', 'lost'])),
    storage: open(choice(['durable', 'memory'])),
  }),
  /** An input made the core throw; nothing else came of it. */
  'core.faulted': v1({ input: open(text), message: open(text) }),
  /** The log could no longer be written; nothing that costs money may start. */
  'core.storageLost': v1({ message: open(text) }),
})
export type CoreFact = UnionOf<typeof coreFacts>

export type CoreView = {
  life: number
  build: string
  cause: 'start' | 'lost'
  storage: 'unknown' | 'durable' | 'memory'
  faults: number
}
export const emptyCore: CoreView = { life: 0, build: '', cause: 'start', storage: 'unknown', faults: 0 }

export function foldCore(model: { core: CoreView }, fact: CoreFact): void {
  switch (fact.type) {
    case 'core.started':
      if (fact.data.life <= model.core.life) return
      model.core = { ...fact.data, faults: model.core.faults }
      return
    case 'core.faulted':
      model.core.faults += 1
      return
    case 'core.storageLost':
      model.core.storage = 'memory'
  }
}
