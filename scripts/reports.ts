import { readFileSync } from 'node:fs'
import type { Count } from './runCheck.ts'

/**
 * What a vitest JSON report adds up to. A file that did not even load has no failed test in it and counts as one.
 *
 * @throws when the file is missing or not a report
 */
export function vitestCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
    testResults: { status: string; assertionResults: { status: string }[] }[]
  }
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every(test => test.status !== 'failed'),
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

/**
 * What a Playwright JSON report adds up to; an error outside any test counts as one.
 *
 * @throws when the file is missing or not a report
 */
export function playwrightCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number }
    errors: unknown[]
  }
  const { expected, unexpected, flaky } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length }
}
