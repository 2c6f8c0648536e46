import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { createProgress, type Progress } from './progress.ts'

/** Environment variable with the name of the stage that runs. */
export const stageVariable = 'MAI_STAGE'

/** A Playwright reporter: progress lines while journeys run, and each error as it happens. */
export default class PlaywrightProgress implements Reporter {
  #progress: Progress | undefined

  onBegin(_config: FullConfig, suite: Suite): void {
    const name = process.env[stageVariable] ?? 'journeys'
    const unit = name === 'pictures' ? name : 'journeys'
    this.#progress = createProgress({ name, unit, total: suite.allTests().length })
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    const isFine = test.outcome() === 'expected'
    this.#progress?.over(isFine && status === 'passed' ? 1 : 0, isFine ? [] : [test.titlePath().slice(2).join(' › ')])
    if (!isFine) for (const { stack, message } of errors) console.log(stack ?? message)
  }

  onError({ stack, message }: { stack?: string; message?: string }): void {
    console.log(stack ?? message)
  }

  printsToStdio(): boolean {
    return true
  }
}
