import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { playwrightCount, vitestCount } from '../../scripts/reports.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mai-reports-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function file(report: unknown): string {
  const place = join(folder, 'report.json')
  writeFileSync(place, JSON.stringify(report))
  return place
}

describe('the summary of a run', () => {
  test('names a failed unit test with the beginning and the end of its reason, in one line and without colours', () => {
    const message = `\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n\n    at tests/one.test.ts:4:5\n${'x'.repeat(999)}\nlast`
    const assertionResults = [
      { status: 'passed', fullName: 'adds' },
      { status: 'failed', fullName: 'takes away', failureMessages: [message] },
    ]
    const testResults = [{ name: resolve('tests/one.test.ts'), status: 'failed', assertionResults }]
    const { failures, ...count } = vitestCount(file({ numPassedTests: 1, testResults }))
    expect(count).toEqual({ passed: 1, failed: 1 })
    expect(failures?.[0]?.startsWith('tests/one.test.ts › takes away: AssertionError: expected 1 to be 2 xxx')).toBe(
      true,
    )
    expect(failures?.[0]?.endsWith('x last')).toBe(true)
    expect(failures?.[0]?.length).toBeLessThan(900)
  })

  test('counts a file that does not load as one failure, with its reason', () => {
    const one = { name: resolve('tests/two.test.ts'), status: 'failed', message: 'no such file', assertionResults: [] }
    expect(vitestCount(file({ numPassedTests: 0, testResults: [one] }))).toEqual({
      passed: 0,
      failed: 1,
      failures: ['tests/two.test.ts › the file itself: no such file'],
    })
  })

  test('names every error of a failed journey, in nested suites too, and one outside any journey', () => {
    const errors = [{ message: 'Error: one.png\nexpected 0 pixels, got 90' }, { message: 'Error: two.png' }]
    const specs = [
      { title: 'looks', file: 'a.journey.ts', tests: [{ status: 'unexpected', results: [{ errors }] }] },
      { title: 'works', file: 'a.journey.ts', tests: [{ status: 'expected', results: [{}] }] },
    ]
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 0 },
      errors: [{ message: 'no server' }],
      suites: [{ title: 'a', specs: [], suites: [{ title: 'b', specs }] }],
    }
    expect(playwrightCount(file(report))).toEqual({
      passed: 1,
      failed: 2,
      failures: [
        'a.journey.ts › looks: Error: one.png expected 0 pixels, got 90 Error: two.png',
        'an error outside any journey: no server',
      ],
    })
  })
})
