import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { aboutText, estimate, keepDurations, readDurations } from '../../scripts/durations.ts'
import PlaywrightProgress, { stageVariable } from '../../scripts/playwrightProgress.ts'
import { createProgress, isProgress } from '../../scripts/progress.ts'
import { runCheck } from '../../scripts/runCheck.ts'
import { createSteps } from '../../scripts/startText.ts'

test('progress counts, estimates the time left, and names failures at once', () => {
  const lines: string[] = []
  let time = 0
  const progress = createProgress(
    { name: 'unit', unit: 'files', total: 20 },
    { print: line => lines.push(line), now: () => time },
  )
  const over = (ms: number, failed: string[] = []) => {
    time += ms
    progress.over(3, failed)
  }
  over(6_000)
  over(6_000, ['a.test.ts › breaks'])
  for (let file = 0; file < 16; file++) over(10)
  over(20_000)
  over(10)
  expect(lines).toEqual([
    '· unit: FAILED a.test.ts › breaks',
    '· unit: 2 of 20 files, 6 passed, 1 failed, about 2 min left',
    '· unit: 19 of 20 files, 57 passed, 1 failed, about 2 s left',
    '· unit: 20 of 20 files, 60 passed, 1 failed',
  ])
  expect(lines.every(isProgress)).toBe(true)
})

test('runner: a failure’s output has no warnings of absent native bindings', async () => {
  const told: string[] = []
  const { log } = console
  console.log = (line: string) => told.push(line)
  try {
    const script = `console.error('bigint: Failed to load bindings, pure JS will be used'); console.error('it broke'); process.exit(1)`
    const command = [process.execPath, '-e', script]
    await runCheck({ name: 'broken', cwd: '.', command, limitMs: 60_000, env: {} })
  } finally {
    console.log = log
  }
  expect(told.join('\n')).toContain('it broke')
  expect(told.join('\n')).not.toContain('bindings')
})

test.each([
  [undefined, 'journeys', 'journeys'],
  ['engines', 'engines', 'journeys'],
  ['pictures', 'pictures', 'pictures'],
])('progress of Playwright in the stage %s counts as that of %s', (stage, name, unit) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  vi.stubEnv(stageVariable, stage)
  const { onBegin, onTestEnd } = PlaywrightProgress.prototype
  const reporter = new PlaywrightProgress()
  const journey = { outcome: () => 'expected', titlePath: () => [] } as unknown as Parameters<typeof onTestEnd>[0]
  const suite = { allTests: () => [journey] } as unknown as Parameters<typeof onBegin>[1]
  try {
    reporter.onBegin({} as Parameters<typeof onBegin>[0], suite)
    reporter.onTestEnd(journey, { status: 'passed', errors: [] } as unknown as Parameters<typeof onTestEnd>[1])
    expect(log.mock.calls).toEqual([[`· ${name}: 1 of 1 ${unit}, 1 passed, 0 failed`]])
  } finally {
    log.mockRestore()
    vi.unstubAllEnvs()
  }
})

test('runner: the next run is estimated by the slowest lane, once each of its stages has run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mai-durations-'))
  const file = join(folder, 'cache', 'some.json')
  const stages = [
    { name: 'lint', lane: 2 },
    { name: 'unit', lane: 1 },
    { name: 'browser', lane: 2 },
  ]
  const expected = () => estimate(stages, readDurations(file))
  try {
    expect(expected()).toBeUndefined()
    keepDurations(file, { lint: 40, unit: 300 })
    expect(expected()).toBeUndefined()
    keepDurations(file, { browser: 390.4 })
    expect(expected()).toBe(430.4)
    keepDurations(file, { unit: 3, browser: 4, lint: 5 })
    expect(expected()).toBe(9)
    writeFileSync(file, 'cut')
    expect(expected()).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  [0.2, 'about 1 s'],
  [59.4, 'about 59 s'],
  [430, 'about 7 min'],
])('runner: %d seconds are %s', (seconds, words) => {
  expect(aboutText(seconds)).toBe(words)
})

test('start: the first one says that it has no estimate, the next one tells the time left before each part', () => {
  const parts = ['local chain', 'relay', 'page']
  const lines: string[] = []
  let time = 0
  const start = (before: Record<string, number>, ...spent: number[]) => {
    const { begins, ended } = createSteps(parts, before, { print: line => lines.push(line), now: () => time })
    for (const [at, part] of parts.entries()) {
      begins(part)
      time += spent[at] ?? 0
    }
    return ended()
  }
  const first = start({}, 9_000, 400, 3_000)
  expect(first).toEqual({ 'local chain': 9, relay: 0.4, page: 3 })
  expect(lines.splice(0)).toEqual([
    'The first start has no estimate; the next one tells the time left.',
    '  1 of 3  local chain',
    '  2 of 3  relay',
    '  3 of 3  page',
  ])
  start(first)
  expect(lines).toEqual([
    '  1 of 3  local chain, about 12 s left',
    '  2 of 3  relay, about 3 s left',
    '  3 of 3  page, about 3 s left',
  ])
})
