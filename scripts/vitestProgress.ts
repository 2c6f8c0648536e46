import { MinimalReporter, type TestModule, type TestSpecification } from 'vitest/node'
import { createProgress, type Progress } from './progress.ts'

/** A Vitest reporter: progress lines while tests run, and the errors of failed tests at the end. */
export default class VitestProgress extends MinimalReporter {
  #progress: Progress | undefined

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    const name = specifications[0]?.project.name ?? 'tests'
    this.#progress = createProgress({ name, unit: 'files', total: specifications.length })
  }

  override onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()]
    const passed = tests.filter(test => test.result().state === 'passed').length
    const failed = tests.filter(test => test.result().state === 'failed').map(({ fullName }) => fullName)
    const place = module.relativeModuleId
    if (failed.length === 0 && module.state() === 'failed') failed.push('the file itself')
    this.#progress?.over(
      passed,
      failed.map(test => `${place} › ${test}`),
    )
  }
}
