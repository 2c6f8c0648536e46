import { expect, test } from 'vitest'
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
