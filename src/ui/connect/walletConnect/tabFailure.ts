import type { Model } from '../../../events/app.ts'
import type { FailureCode } from '../../../runtime/failure.ts'

/** @returns why this tab reaches no core, so that every attempt would fail; undefined if it reaches one */
export function tabFailure({ tab }: Pick<Model, 'tab'>): FailureCode | undefined {
  return tab.phase === 'elsewhere' ? 'elsewhere' : undefined
}
