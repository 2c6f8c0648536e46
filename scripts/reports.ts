import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Count } from './runCheck.ts'

type VitestReport = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[]
  }[]
}

/**
 * Counts a Vitest JSON report. A file that failed to load has no failed tests, so it counts as one failure.
 *
 * @throws when the file is missing or not a report
 */
export function vitestCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const place = relative(process.cwd(), name)
    const tests = assertionResults
      .filter(test => test.status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}${reasonOf(failureMessages)}`)
    const isWhole = status === 'failed' && tests.length === 0
    return (isWhole ? [`the file itself${reasonOf([message])}`] : tests).map(test => `${place} › ${test}`)
  })
  return { passed: report.numPassedTests, failed: failures.length, failures }
}

/** Characters of a reason's beginning and end in the summary, which CI may show alone. */
const beginning = 300
const end = 500

/** @returns the messages in one line after a colon, long ones without their middle; empty without one */
function reasonOf(messages: readonly (string | undefined)[] = []): string {
  const lines = messages
    .flatMap(message => stripVTControlCharacters(message ?? '').split('\n'))
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('at '))
  const text = lines.join(' ')
  if (text === '') return ''
  return `: ${text.length <= beginning + end ? text : `${text.slice(0, beginning)} … ${text.slice(-end)}`}`
}

type PlaywrightError = { message?: string }
type PlaywrightSuite = {
  title: string
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: { status: string; results?: { errors?: PlaywrightError[] }[] }[]
  }[]
}

/**
 * Counts a Playwright JSON report; an error outside any test counts as one failure, a flaky test too.
 *
 * @throws when the file is missing or not a report
 */
export function playwrightCount(file: string): Count {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number }
    errors: PlaywrightError[]
    suites: PlaywrightSuite[]
  }
  const { expected, unexpected, flaky } = report.stats
  const failures = [
    ...report.suites.flatMap(failedIn),
    ...report.errors.map(({ message }) => `an error outside any journey${reasonOf([message])}`),
  ]
  return { passed: expected, failed: unexpected + flaky + report.errors.length, failures }
}

function failedIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
  const lines = failed.map(({ file, title, tests }) => {
    const errors = tests.flatMap(({ results = [] }) => results.flatMap(result => result.errors ?? []))
    return `${file} › ${title}${reasonOf(errors.map(({ message }) => message))}`
  })
  return [...lines, ...suites.flatMap(failedIn)]
}
