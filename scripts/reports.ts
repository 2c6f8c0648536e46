import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Count } from './runCheck.ts'

type VitestReport = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    assertionResults: { status: string; fullName: string }[]
  }[]
}

/**
 * Counts a Vitest JSON report. A file that failed to load has no failed tests, so it counts as one failure.
 *
 * @throws when the file is missing or not a report
 */
export function vitestCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const place = relative(process.cwd(), name)
    const tests = assertionResults.filter(test => test.status === 'failed').map(({ fullName }) => fullName)
    return (status === 'failed' && tests.length === 0 ? ['the file itself'] : tests).map(test => `${place} › ${test}`)
  })
  return { passed: report.numPassedTests, failed: failures.length, failures }
}

type PlaywrightSuite = {
  title: string
  suites?: PlaywrightSuite[]
  specs: { title: string; file: string; tests: { status: string }[] }[]
}

/**
 * Counts a Playwright JSON report; an error outside any test counts as one failure, a flaky test too.
 *
 * @throws when the file is missing or not a report
 */
export function playwrightCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number }
    errors: unknown[]
    suites: PlaywrightSuite[]
  }
  const { expected, unexpected, flaky } = report.stats
  const failures = [...report.suites.flatMap(failedIn), ...report.errors.map(() => 'an error outside any journey')]
  return { passed: expected, failed: unexpected + flaky + report.errors.length, failures }
}

function failedIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  return [...failed.map(({ file, title }) => `${file} › ${title}`), ...suites.flatMap(failedIn)]
}
