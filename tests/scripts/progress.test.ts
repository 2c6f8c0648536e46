import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { estimateText, keepDurations, readDurations } from '../../scripts/durations.ts'
import PlaywrightProgress, { stageVariable } from '../../scripts/playwrightProgress.ts'
import { createProgress, isProgress } from '../../scripts/progress.ts'
import { runCheck } from '../../scripts/runCheck.ts'

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
  const estimate = () => estimateText(stages, readDurations(file))
  try {
    expect(estimate()).toBeUndefined()
    keepDurations(file, { lint: 40, unit: 300 })
    expect(estimate()).toBeUndefined()
    keepDurations(file, { browser: 390.4 })
    expect(estimate()).toBe('about 7 min in all')
    keepDurations(file, { unit: 3, browser: 4, lint: 5 })
    expect(estimate()).toBe('about 9 s in all')
    writeFileSync(file, 'cut')
    expect(estimate()).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
