import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stepsOf } from '../../steps.ts'
import { clockText, describe as told, printable, span } from '../../../src/runtime/replay/describe.ts'
import { emptyModel, emptyPageModel } from '../../../src/events/emptyModel.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import type { Recorded } from '../../../src/runtime/recording/recording.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { foldTo } from '../../../src/events/replay/foldTo.ts'
import { checkpointLines } from '../../../src/events/checkpoint/snapshot.ts'
import { storyOf } from '../../../src/runtime/story/story.ts'
import { placeAt, timelineOf } from '../../../src/events/replay/timeline.ts'
import { keptRecordings, readRecordingAt } from '../../../src/main/replay/files.ts'
import { boot, connectedLog, createLog, parsed } from '../recordedLog.ts'

const root = join(import.meta.dirname, '../../..')

const typesOf = (lines: readonly string[]) => momentsOf(parsed(lines)).map(({ record }) => record.type)
const attached = { type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't1' }

describe('a recording that begins with a checkpoint', () => {
  const log = createLog()
  log.input(boot(1))
  log.input(attached)
  log.input({ type: 'page.online', data: { online: false } })
  const { core, lines } = log
  const before = lines.length
  const world = structuredClone(core.model)
  const block = checkpointLines(
    { n: 3, seq: core.seq, life: 1, at: 1, build: 'b', transient: core.memory() },
    core.model,
  )
  log.page('screen.opened', { screen: { name: 'Connect' } }, { after: 1 })
  log.input({ type: 'page.online', data: { online: true } })
  log.page('screen.closed', {})
  const records = parsed([...block, ...lines.slice(before)])
  const moments = momentsOf(records)

  test('shows its first model before any fact', () => {
    expect(foldTo(moments, -1)).toEqual({ ...world, ...emptyPageModel() })
  })

  test('continues from there, any number of times', () => {
    expect(moments.map(({ record }) => record.type)).toEqual(['screen.opened', 'network.online', 'screen.closed'])
    for (let time = 0; time < 2; time++) {
      expect(foldTo(moments, 0).network.online).toBe(false)
      expect(foldTo(moments, 2)).toMatchObject({ network: { online: true }, core: { life: 1 } })
    }
  })

  test('has a timeline', () => {
    expect(timelineOf(storyOf(records, moments)).inputs).toHaveLength(1)
  })
})

describe('the moments of a recording', () => {
  test('are its core and page facts, page facts after what their page had folded', () => {
    expect(typesOf(connectedLog())).toEqual([
      'tab.opened',
      'core.started',
      'tab.attached',
      'screen.opened',
      'connection.requested',
      'screen.shown',
      'connection.made',
      'screen.closed',
      'network.offline',
      'network.online',
      'core.started',
    ])
  })

  test('put a late page fact where its page wrote it', () => {
    const log = createLog()
    log.input(boot(1))
    log.input(attached)
    log.input({ type: 'page.online', data: { online: false } })
    log.input({ type: 'page.online', data: { online: true } })
    log.page('screen.opened', { screen: { name: 'Connect' } }, { after: 1 })
    expect(typesOf(log.lines)).toEqual(['core.started', 'screen.opened', 'network.offline', 'network.online'])
  })

  test('never put a page fact before an earlier one of the same tab', () => {
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.online', data: { online: false } })
    log.page('screen.opened', { screen: { name: 'Connect' } }, { after: 2 })
    log.page('screen.closed', {}, { after: 1 })
    expect(typesOf(log.lines)).toEqual(['core.started', 'network.offline', 'screen.opened', 'screen.closed'])
  })

  test('clamp a page’s newest fact to the last one its dying core committed', () => {
    const log = createLog()
    log.input(boot(1))
    log.input(boot(2, 'lost'))
    log.input({ type: 'page.online', data: { online: false } })
    log.page('tab.coreLost', { reason: 'gone' }, { life: 1, after: 7 })
    expect(typesOf(log.lines)).toEqual(['core.started', 'tab.coreLost', 'core.started', 'network.offline'])
  })

  test('put page facts from before the join at their time, up to the join', () => {
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.online', data: { online: false } })
    log.page('tab.opened', { width: 390, theme: 'dark', language: 'en' }, { tab: 't2', life: 0, after: 0 })
    log.input({ type: 'page.online', data: { online: true } })
    log.page('network.late', {}, { tab: 't2', life: 0, after: 0, at: 60_000 })
    log.page('tab.attached', { life: 1 }, { tab: 't2', after: 3 })
    log.input({ type: 'page.online', data: { online: false } })
    expect(typesOf(log.lines)).toEqual([
      'core.started',
      'network.offline',
      'tab.opened',
      'network.online',
      'network.late',
      'tab.attached',
      'network.offline',
    ])
  })

  test('put page facts from before the join behind the life before it', () => {
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.online', data: { online: false } })
    log.page('tab.opened', { width: 390, theme: 'dark', language: 'en' }, { tab: 't2', life: 0, after: 0, at: 10 })
    log.input(boot(2))
    log.page('tab.attached', { life: 2 }, { tab: 't2', life: 2 })
    expect(typesOf(log.lines).slice(0, 4)).toEqual(['core.started', 'network.offline', 'tab.opened', 'core.started'])
  })

  test('merge tabs by time, each in its own order', () => {
    const log = createLog()
    log.input(boot(1))
    const opened = { width: 390, theme: 'dark', language: 'en' }
    log.page('tab.opened', opened, { tab: 't1', at: 5000 })
    log.page('screen.closed', {}, { tab: 't1', at: 4000 })
    log.page('tab.opened', opened, { tab: 't2', at: 3000 })
    log.page('screen.closed', {}, { tab: 't2', at: 6000 })
    const pages = momentsOf(parsed(log.lines)).flatMap(({ record }) => (record.k === 'p' ? [record] : []))
    expect(pages.map(({ tab, p }) => `${tab} ${p}`)).toEqual(['t2 1', 't1 1', 't1 2', 't2 2'])
  })

  test('of a purchase in a second tab follow the clock', async () => {
    const { records } = await readRecordingAt(join(keptRecordings(root), 'bought-in-a-second-tab.jsonl'))
    const story = storyOf(records, momentsOf(records))
    const times = story.map(({ record }) => record.at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    const timeline = timelineOf(story)
    const firstCore = story.findIndex(({ record }) => record.k === 'f')
    const second = story.findIndex(({ record }) => record.k === 'p' && record.tab === timeline.pages[1]?.tab)
    expect(firstCore).toBeLessThan(second)
    expect(new Set(timeline.inputs).size).toBeGreaterThan(20)
  })
})

describe('the model at a moment', () => {
  const lines = connectedLog()
  const moments = momentsOf(parsed(lines))
  const at = (type: string) => moments.findIndex(({ record }) => record.type === type)

  test('before all facts is the empty model', () => {
    expect(foldTo(moments, -1)).toEqual(emptyModel())
  })

  test('has the facts up to it and none after', () => {
    expect(foldTo(moments, at('screen.shown'))).toMatchObject({
      screen: { open: true, history: [{ name: 'Connect' }, { name: 'ConnectingInstalled' }] },
      connection: { attempt: { phase: 'asking', wallet: { name: 'Lantern' } }, made: {} },
    })
    const later = foldTo(moments, at('connection.made'))
    expect(Object.values(later.connection.made)).toMatchObject([{ phase: 'live', wallet: { name: 'Lantern' } }])
    expect(foldTo(moments, moments.length + 5)).toEqual(foldTo(moments, moments.length - 1))
  })

  test('has the page of the tab with the last fact, and a new tab begins anew', () => {
    const log = createLog()
    log.page('tab.opened', { width: 1280, theme: 'light', language: 'en' }, { life: 0, after: 0 })
    log.input(boot(1))
    log.page('screen.opened', { screen: { name: 'Connect' } })
    log.page('tab.opened', { width: 390, theme: 'dark', language: 'de' }, { tab: 't2' })
    const story = momentsOf(parsed(log.lines))
    expect(foldTo(story, 2)).toMatchObject({ tab: { width: 1280 }, screen: { open: true } })
    expect(foldTo(story, 3)).toMatchObject({ tab: { width: 390 }, screen: { open: false }, core: { life: 1 } })
  })

  test('before and after a moment share nothing', () => {
    const [before, after] = [foldTo(moments, at('network.offline') - 1), foldTo(moments, at('network.offline'))]
    expect([before.network.online, after.network.online]).toEqual([true, false])
    expect(before.connection.made).not.toBe(after.connection.made)
  })

  test('of ten times as many facts takes ten times as many steps', () => {
    const fact = (seq: number): FactRecord => ({
      k: 'f',
      seq,
      n: seq,
      at: seq,
      type: seq % 2 ? 'network.offline' : 'network.online',
      v: 1,
      data: {},
    })
    const many = Array.from({ length: 20_000 }, (_, index) => ({ record: fact(index + 1), index }))
    const few = many.slice(0, 2000)
    foldTo(few, 10)
    const steps = stepsOf(() => foldTo(few, few.length))
    expect(steps).toBeGreaterThan(few.length)
    expect(stepsOf(() => foldTo(many, many.length))).toBeLessThan(11 * steps)
  })
})

test('the moments of many lives and pages take steps by their number, and no more', () => {
  const visits = (count: number): Recorded[] => {
    const boots = Array.from({ length: count }, (_, at) => ({
      k: 'i',
      n: at + 1,
      type: 'core.boot',
      data: { life: at + 1 },
    }))
    const pages = Array.from({ length: count }, (_, p) => ({
      k: 'p',
      p,
      life: count,
      after: 0,
      tab: `t${p}`,
      type: 'x',
    }))
    return [...boots, ...pages].map((record, at) => ({ record, line: '', number: at }) as unknown as Recorded)
  }
  const [few, many] = [visits(200), visits(2000)]
  momentsOf(visits(1))
  const steps = stepsOf(() => momentsOf(few))
  expect(steps).toBeGreaterThan(few.length)
  expect(stepsOf(() => momentsOf(many))).toBeLessThan(11 * steps)
})

describe('the timeline', () => {
  const told = (lines: readonly string[]) => {
    const records = parsed(lines)
    return storyOf(records, momentsOf(records))
  }

  test('counts inputs, marks commands and shows screens as stretches', () => {
    const line = timelineOf(told(connectedLog()))
    expect(line.inputs).toHaveLength(7)
    expect(line.commands).toHaveLength(1)
    expect(line.core).toHaveLength(6)
    expect(line.pages.map(({ tab }) => tab)).toEqual(['t1'])
    expect(line.pages[0]?.screens.map(({ label }) => label)).toEqual(['Page', 'Connect', 'ConnectingInstalled', 'Page'])
    expect([...line.x]).toEqual([...line.x].sort((a, b) => a - b))
    expect(line.x.at(-1)).toBe(1)
  })

  test('has a lane for each tab', () => {
    const log = createLog()
    log.input(boot(1))
    for (const tab of ['t1', 't2']) {
      log.page('tab.opened', { width: 390, theme: 'dark', language: 'en' }, { tab })
      log.page('screen.opened', { screen: { name: 'Connect' } }, { tab })
    }
    expect(timelineOf(told(log.lines)).pages.map(({ tab, screens }) => [tab, screens.length])).toEqual([
      ['t1', 2],
      ['t2', 2],
    ])
  })

  test('draws an idle night as a short pause', () => {
    const line = timelineOf(told(connectedLog().map(line => line.replace(/"at":18000000(0[6-8])/, '"at":18000900$1'))))
    expect(line.to - line.from).toBeGreaterThan(80_000)
    expect(line.drawnMs).toBeLessThan(40_000)
    expect(line.x.at(8)).toBeGreaterThan(0.05)
  })

  test('finds the last entry at or before a point, the first one before all', () => {
    const line = timelineOf(told(connectedLog()))
    expect([placeAt(line, -1), placeAt(line, 2)]).toEqual([0, line.x.length - 1])
    const middle = placeAt(line, 0.5)
    expect(line.x[middle]).toBeLessThanOrEqual(0.5)
    expect(line.x[middle + 1]).toBeGreaterThan(0.5)
  })

  test('of a log without facts is empty', () => {
    expect(timelineOf([])).toMatchObject({ inputs: [], core: [], pages: [] })
  })
})

describe('a fact in one line', () => {
  const fact = (data: Record<string, unknown>) =>
    ({ k: 'f', seq: 1, n: 1, at: 1_800_000_000_123, type: 'a.b', v: 1, data }) as const

  test('has its time in UTC, its type and the fields that matter', () => {
    expect(told(fact({ orderId: 'order-1', units: '5', wallet: { name: 'Lantern' }, accounts: ['x', 'y'] }))).toBe(
      '08:00:00.123  a.b  orderId order-1, units 5, wallet Lantern, accounts 2 entries',
    )
  })

  test('keeps both ends of a long id and the code of a failure', () => {
    expect(told(fact({ signature: `4kQmVh${'x'.repeat(70)}Zt7B` }))).toContain('signature 4kQmVh…Zt7B')
    expect(told(fact({ failure: { code: 'expired', message: 'too late' } }))).toContain('failure expired (too late)')
  })

  test('has no terminal control characters', () => {
    expect(told(fact({ name: 'a\u001b[2Jb\u202ec\n' }))).toContain('name a·[2Jb·c·')
    expect(printable('plain – é 漢')).toBe('plain – é 漢')
  })

  test('counts its spans from zero', () => {
    expect([clockText(0), span(72_300), span(3_672_300), span(-1)]).toEqual([
      '00:00:00.000',
      '01:12.300',
      '01:01:12.300',
      '00:00.000',
    ])
  })
})
