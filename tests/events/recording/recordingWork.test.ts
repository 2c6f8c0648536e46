/** Recordings with valid lines that would keep a view busy for minutes: each is refused by name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyPageModel } from '../../../src/events/emptyModel.ts'
import { foldPageFact } from '../../../src/events/pageFolds.ts'
import type { Recorded } from '../../../src/runtime/recording/recording.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { checkWork, workLimits } from '../../../src/events/recording/recordingWork.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { foldTo, storyFolds } from '../../../src/events/replay/foldTo.ts'
import { storyOf } from '../../../src/runtime/story/story.ts'
import { timelineOf } from '../../../src/events/replay/timeline.ts'
import { createWalk } from '../../../src/runtime/story/walk.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { boot, createLog, header, parsed, recordingOf } from '../recordedLog.ts'

const folder = join(import.meta.dirname, '../../replay/recordings')

type Said = { k: 'f' | 'p'; type: string; data: Record<string, unknown>; tab?: string }

/** Facts in the form the reader passes on. */
function recorded(said: Iterable<Said>): Recorded[] {
  return [...said].map(({ k, type, data, tab = 't1' }, at) => {
    const own = k === 'f' ? { seq: at + 1, n: 1 } : { p: at, life: 1, after: 0, tab }
    const record = { k, ...own, at, type, v: 1, data } as Recorded['record']
    return { record, line: JSON.stringify(record), number: at + 2 }
  })
}

function* many(count: number, ...makes: ((at: number) => Said)[]): Iterable<Said> {
  for (const make of makes) for (let at = 0; at < count; at++) yield make(at)
}

const f = (type: string, data: Record<string, unknown>): Said => ({ k: 'f', type, data })
const p = (type: string, data: Record<string, unknown>, tab?: string): Said => ({
  k: 'p',
  type,
  data,
  ...(tab === undefined ? {} : { tab }),
})
const wallet = (at: number) => ({ walletKey: `wallet ${at}`, name: 'x', features: [], chains: [], twin: false })
const failure = { code: 'unknown', message: '' }

describe('a recording whose facts grow', () => {
  test.each<[string, Iterable<Said>]>([
    ['wallets that never go', many(10_000, at => p('installed.announced', wallet(at)))],
    [
      'a way through screens without an end',
      many(10_000, at => p(at === 0 ? 'screen.opened' : 'screen.shown', { name: at % 2 ? 'Account' : 'Connect' })),
    ],
    [
      'purchases',
      many(10_000, at => f('purchase.read', { account: 'a', purchases: [{ signature: `s${at}`, slot: at }] })),
    ],
    [
      'requests that all end at last',
      many(
        10_000,
        at => f('request.sent', { requestId: `r${at}`, method: 'm', purpose: 'p' }),
        at => f('request.failed', { requestId: `r${at}`, failure }),
      ),
    ],
    [
      'pages of the directory',
      many(10_000, at =>
        f('listing.read', { page: at + 1, search: '', count: 1, wallets: [{ walletId: `w${at}`, name: 'n' }] }),
      ),
    ],
  ])('by %s is refused at a line', (_name, said) => {
    expect(() => checkWork(recorded(said), 500_000)).toThrow(
      /^recording, line \d+: expected at most 500000 steps through long lists, got more$/,
    )
  })

  test('is refused long before the last line', () => {
    const said = many(10_000, at => p('installed.announced', wallet(at)))
    expect(() => checkWork(recorded(said))).toThrow(/^recording, line 3\d{3}: expected at most 5000000 steps/)
  })

  test('by tabs is refused by its line', () => {
    const said = many(workLimits.tabs + 1, at => p('screen.closed', {}, `t${at}`))
    expect(() => checkWork(recorded(said))).toThrow('recording, line 5002: expected at most 5000 tabs, got more')
  })

  test('as in a real recording is accepted: its work is under a hundredth of the budget', async () => {
    const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
    for (const name of names) {
      const { records } = await readRecording(readFileSync(join(folder, name), 'utf8'), sha256Hex)
      const before = records.map(({ record }) => JSON.stringify(record))
      expect(() => checkWork(records, workLimits.steps / 100)).not.toThrow()
      expect(records.map(({ record }) => JSON.stringify(record))).toEqual(before)
    }
  })
})

test('a fact that marks wallets reads each key a few times, for any number of wallets', () => {
  const model = emptyPageModel()
  for (let at = 0; at < 100; at++) foldPageFact(model, { ...p('installed.announced', wallet(at)), at })
  let reads = 0
  const walletKeys = new Proxy(
    Array.from({ length: 1000 }, (_, at) => `wallet ${at}`),
    { get: (keys, name) => ((reads += 1), Reflect.get(keys, name) as unknown) },
  )
  foldPageFact(model, { ...p('installed.alike', { walletKeys }), at: 0 })
  expect(model.installed.every(({ twin }) => twin)).toBe(true)
  expect(reads).toBeLessThan(5000)
})

describe('facts of an unknown version', () => {
  test('are kept, counted and never folded, with any data', async () => {
    const log = createLog()
    log.input(boot(1))
    // The input's effect record would end the group of its facts
    const lines = log.lines.filter(line => !line.startsWith('{"k":"e"'))
    const seq = parsed(lines).filter(({ record }) => record.k === 'f').length
    const strange = ['purchase.read', 'listing.read', 'order.drafted', 'request.failed', 'session.settled', 'sale.read']
    for (const [at, type] of strange.entries())
      lines.push(`{"k":"f","seq":${seq + at + 1},"n":1,"at":1,"type":"${type}","v":99,"data":{"wallets":5}}`)
    for (const [at, type] of ['tab.restated', 'installed.alike', 'screen.shown', 'toast.shown'].entries())
      lines.push(`{"k":"p","p":${at},"life":1,"after":1,"tab":"t","at":1,"type":"${type}","v":99,"data":{}}`)
    const { records, unknownTypes } = await readRecording(await recordingOf(lines), sha256Hex)
    expect(Object.keys(unknownTypes)).toHaveLength(10)
    const moments = momentsOf(records)
    const story = storyOf(records, moments)
    const known = foldTo(momentsOf(records.filter(({ unknown }) => !unknown)), moments.length)
    expect(() => checkWork(records)).not.toThrow()
    expect(timelineOf(story).pages).toHaveLength(1)
    expect(foldTo(moments, moments.length)).toEqual(known)
    expect(createWalk(storyFolds, story).at(story.length - 1)).toEqual(known)
  })

  test('are not part of the model of a recording’s first checkpoint', async () => {
    const lines = [
      '{"k":"c","format":2,"n":1,"seq":1,"life":1,"at":1,"build":"b","state":"00000000","transient":{},"rows":1}',
      '{"k":"r","type":"connection.restated","v":99,"data":{}}',
      '{"k":"p","p":1,"life":1,"after":1,"tab":"t","at":1,"type":"screen.closed","v":1,"data":{}}',
    ]
    const { records } = await readRecording(await recordingOf(lines), sha256Hex)
    expect(() => checkWork(records)).not.toThrow()
    expect(foldTo(momentsOf(records), 0).connection.made).toEqual({})
    expect(header.format).toBe('mai-recording')
  })
})
