/** The runtime with a product of its own: a counter whose display is a driver. */
import { createHash } from 'node:crypto'
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import type { CoreContext, CoreScratch, CoreTypes, DeciderOf } from '../../src/runtime/core/coreTypes.ts'
import { createQuarantine } from '../../src/runtime/core/createQuarantine.ts'
import { seeded } from '../../src/runtime/core/generator.ts'
import { ownFacts, ownInputs, ownScratch } from '../../src/runtime/core/ownTypes.ts'
import { createRuntime } from '../../src/runtime/createRuntime.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import { createCodec } from '../../src/runtime/log/createCodec.ts'
import type { SnapshotTable } from '../../src/runtime/log/createSnapshots.ts'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { type DataOf, define, type Definitions, integer, openField, v1 } from '../../src/runtime/schema/registry.ts'
import { tablesHash } from '../../src/runtime/schema/tablesHash.ts'
import { soon } from '../soon.ts'

type Counter = { count: number; shown: number; life: number }
const count = openField(integer)
const inputs = define({ ...ownInputs, 'counter.add': v1({ by: count }), 'counter.displayed': v1({ count }) })
const facts = define({ ...ownFacts, 'counter.added': v1({ by: count }), 'counter.shown': v1({ count }) })
const row = v1({ count, shown: count, life: count })
const tables: { 'counter.row': SnapshotTable<Counter, (typeof row)['fields']> } = {
  'counter.row': { ...row, rows: model => [model], put: (model, data) => void Object.assign(model, data) },
}

type Data<T extends Definitions> = { [K in keyof T & string]: DataOf<T[K]['fields']> }
type Types = CoreTypes & {
  model: Counter
  transient: CoreScratch
  boot: Data<typeof inputs>['core.boot']
  inputs: Data<typeof inputs>
  facts: Data<typeof facts>
  effects: { 'counter.show': { count: number } }
  timers: never
}

const show = (ctx: CoreContext<Types>, count: number) => ctx.effect('counter.show', { count }, { after: 'written' })
const counter: DeciderOf<Types> = {
  'counter.add'(ctx, { by }) {
    ctx.fact('counter.added', { by })
    show(ctx, ctx.model.count + by)
  },
  'counter.displayed': (ctx, { count }) => ctx.fact('counter.shown', { count }),
  resume: ctx => void (ctx.model.shown !== ctx.model.count && show(ctx, ctx.model.count)),
}

const emptyModel = (): Counter => ({ count: 0, shown: 0, life: 0 })
function fold(model: Counter, { type, data }: { type: string; data: Record<string, unknown> }): void {
  if (type === 'core.started') model.life = Number(data.life)
  if (type === 'counter.added') model.count += Number(data.by)
  if (type === 'counter.shown') model.shown = Number(data.count)
}

const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const runtime = createRuntime<Types>({
  codec: createCodec({ inputs, facts, pageFacts: {} }),
  emptyModel,
  fold,
  deciders: [counter],
  lifeOf: ({ life }) => life,
  freshTransient: seed => ({ random: seeded(seed), asked: {} }),
  unanswered: new Set(),
  quarantine: createQuarantine(),
  format: 1,
  tables: async () => tables,
  transient: async () => ownScratch,
})

/** A life over the log on disk; `display` is the driver. */
async function begin(build: string, display: Drive) {
  const fail = (cause: unknown) => expect.fail(String(cause))
  const ports = { failed: fail, taken: () => fail('another core writes'), shrunk: fail }
  const { journal, known, life } = await runtime.open('counter', ports, { build })
  const core = runtime.core(known)
  const checkpoints = runtime.checkpoints({ core, journal, build, known, now: () => 1000 })
  const inbox = runtime.inbox({
    core,
    journal,
    life,
    build,
    now: () => 1000 * life,
    stepped: ({ effects }) => dispatch(effects),
    broke: fail,
  })
  const dispatch = runtime.dispatcher({
    drivers: { 'counter.show': display },
    page: display,
    journal,
    needsDisk: () => false,
    answer: inbox.take,
  })
  await checkpoints.begin()
  inbox.take({ type: 'core.boot', data: { life, build, cause: 'start', storage: journal.storage, seed: `${life}` } })
  return {
    core,
    journal,
    add: (by: number) => inbox.take({ type: 'counter.add', data: { by } }),
    kill() {
      inbox.stop()
      journal.close()
    },
  }
}

test('a counter records, survives a kill, replays and is re-executed byte for byte', async () => {
  const first = await begin('a', async ({ data }, answer) => {
    if (data.count < 3) answer({ type: 'counter.displayed', data })
  })
  first.add(1)
  first.add(2)
  await first.journal.flush('strict')
  await soon(() => expect(first.core.model).toEqual({ count: 3, shown: 1, life: 1 }))
  await first.journal.flush('strict')
  first.add(4)
  first.kill()

  // Another build goes on: its first act is a checkpoint, its second is to show what nobody was shown
  const second = await begin('b', async ({ data }, answer) => answer({ type: 'counter.displayed', data }))
  await soon(() => expect(second.core.model).toEqual({ count: 3, shown: 3, life: 2 }))
  second.add(5)
  await soon(() => expect(second.core.model.shown).toBe(8))
  const lines = await soon(async () => {
    const found = await second.journal.lines()
    expect(found.some(line => line.startsWith('{"k":"c"'))).toBe(true)
    return found
  })
  second.kill()

  const builds = { appBuild: 'b', coreBuild: 'b', registryHash: tablesHash([inputs, facts]) }
  const header = { format: 'mai-recording', version: 2, logId: 'log-1', startedAt: 0, redaction: 'plain' } as const
  const text = await writeRecording({ header: { ...header, ...builds }, lines }, sha256)
  const replays = await runtime.replays()
  const { records, complete } = await replays.readRecording(text, sha256)
  const replayed = emptyModel()
  for (const { record } of records) if (record.k === 'f') fold(replayed, record)
  expect(complete).toBe(true)
  expect(replayed).toEqual(second.core.model)
  expect(replays.reexecute(records, { build: 'b' })).toEqual({ ok: true, inputs: 8, facts: 8 })
  const mistaken = { ...counter, 'counter.displayed': () => undefined }
  expect(replays.reexecute(records, { build: 'b', deciders: [mistaken] }).ok).toBe(false)
})
