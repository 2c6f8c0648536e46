/** A product of its own over the runtime: a counter whose display is a driver. */
import type { CoreContext, CoreScratch, CoreTypes, DeciderOf } from '../../src/runtime/core/coreTypes.ts'
import { createQuarantine } from '../../src/runtime/core/createQuarantine.ts'
import { seeded } from '../../src/runtime/core/generator.ts'
import { ownFacts, ownInputs, ownScratch } from '../../src/runtime/core/ownTypes.ts'
import { createRuntime } from '../../src/runtime/createRuntime.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import type { KnownLog } from '../../src/runtime/journal/known.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { createCodec } from '../../src/runtime/log/createCodec.ts'
import type { SnapshotTable } from '../../src/runtime/log/createSnapshots.ts'
import { type DataOf, define, type Definitions, integer, openField, v1 } from '../../src/runtime/schema/registry.ts'

export type Counter = { count: number; shown: number; life: number }
const count = openField(integer)
export const inputs = define({ ...ownInputs, 'counter.add': v1({ by: count }), 'counter.displayed': v1({ count }) })
export const facts = define({ ...ownFacts, 'counter.added': v1({ by: count }), 'counter.shown': v1({ count }) })
const row = v1({ count, shown: count, life: count })
export const tables: { 'counter.row': SnapshotTable<Counter, (typeof row)['fields']> } = {
  'counter.row': { ...row, rows: model => [model], put: (model, data) => void Object.assign(model, data) },
}

type Data<T extends Definitions> = { [K in keyof T & string]: DataOf<T[K]['fields']> }
export type Types = CoreTypes & {
  model: Counter
  transient: CoreScratch
  boot: Data<typeof inputs>['core.boot']
  inputs: Data<typeof inputs>
  facts: Data<typeof facts>
  effects: { 'counter.show': { count: number } }
  timers: never
}

const show = (ctx: CoreContext<Types>, count: number) => ctx.effect('counter.show', { count }, { after: 'written' })
export const counter: DeciderOf<Types> = {
  'counter.add'(ctx, { by }) {
    ctx.fact('counter.added', { by })
    show(ctx, ctx.model.count + by)
  },
  'counter.displayed': (ctx, { count }) => ctx.fact('counter.shown', { count }),
  resume: ctx => void (ctx.model.shown !== ctx.model.count && show(ctx, ctx.model.count)),
}

export const emptyModel = (): Counter => ({ count: 0, shown: 0, life: 0 })
export function fold(model: Counter, { type, data }: { type: string; data: Record<string, unknown> }): void {
  if (type === 'core.started') model.life = Number(data.life)
  if (type === 'counter.added') model.count += Number(data.by)
  if (type === 'counter.shown') model.shown = Number(data.count)
}

export const codec = createCodec({ inputs, facts, pageFacts: {} })
export const runtime = createRuntime<Types>({
  codec,
  emptyModel,
  fold,
  deciders: [counter],
  lifeOf: ({ life }) => life,
  freshTransient: seed => ({ random: seeded(seed), asked: {} }),
  unanswered: new Set(),
  quarantine: createQuarantine(),
  format: 1,
  tables: async () => tables,
  replayed: async () => ({ transient: ownScratch, recording: { format: 'counter-recording', redactions: ['plain'] } }),
})

/** Where a life stands: its open log, its build, the driver of the display. */
type Place = {
  journal: Journal
  known: KnownLog<Counter>
  life: number
  build: string
  now(): number
  display: Drive
  broke(cause: unknown): void
  /** hears the facts of each step */
  told?(facts: readonly FactRecord[]): void
}

/** Makes a core over an open log. */
export function live({ journal, known, life, build, now, display, broke, told }: Place) {
  const core = runtime.core(known)
  const checkpoints = runtime.checkpoints({ core, journal, build, known, now })
  const inbox = runtime.inbox({
    core,
    journal,
    life,
    build,
    now,
    stepped({ input, facts, effects }) {
      told?.(facts)
      dispatch(effects)
      void checkpoints.stepped(input)
    },
    broke,
  })
  const dispatch = runtime.dispatcher({
    drivers: { 'counter.show': display },
    page: display,
    journal,
    needsDisk: () => false,
    answer: inbox.take,
  })
  return {
    core,
    inbox,
    journal,
    async boot() {
      await checkpoints.begin()
      inbox.take({
        type: 'core.boot',
        data: { life, build, cause: 'start', storage: journal.storage, seed: `${life}` },
      })
    },
    add: (by: number, ref?: string) =>
      inbox.take({ type: 'counter.add', data: { by }, ...(ref !== undefined && { ref }) }),
    kill() {
      inbox.stop()
      journal.close()
    },
  }
}
