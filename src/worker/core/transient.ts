/** The core's scratch memory. Everything here may vanish at any moment; what must survive is a fact. */
import type { DataOf } from '../../runtime/schema/registry.ts'
import { seeded } from '../../runtime/core/generator.ts'
import { emptyMemory } from '../../events/values/memory.ts'
import type { transientFields } from './transientShape.ts'

/** Members and their meanings: `transientShape.ts`. */
export type Transient = Writable<DataOf<typeof transientFields>>
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T

/** The memory of one life about one kind of reading. */
export type SlotWatch = Transient['balance'][string]
export type RelayCall = Transient['relay']['calls'][string]
export type OrderScratch = Transient['order'][string]
export type RpcPool = Transient['rpc']['pools'][string]
export type NodeMemory = NonNullable<Transient['node']>
export type RpcJob = Transient['rpc']['jobs'][string]
export type SealingMessage = Transient['sealing'][string]

/** Scratch memory of a core that begins with this seed. */
export function freshTransient(seed: string, at: number): Transient {
  return {
    random: seeded(seed),
    asked: {},
    lastPayloadId: 0,
    lastCallId: '0',
    pages: {},
    relay: {
      attempt: 0,
      open: false,
      opens: [],
      openedAt: 0,
      heardAt: at,
      probedAt: 0,
      calls: {},
      seen: emptyMemory(),
    },
    wire: {
      url: '',
      counted: false,
      offline: false,
      refused: [],
      errors: {},
      early: [],
      missed: [],
      fetching: '',
      pages: 0,
    },
    sealing: {},
    sale: { failures: 0, noticeRef: '', polls: 0 },
    balance: {},
    network: { failures: 0 },
    order: {},
    rpc: { lastJob: 0, shared: 0, pools: {}, jobs: {}, sharers: {} },
    http: {},
  }
}
