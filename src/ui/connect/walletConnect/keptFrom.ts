import type { Model } from '../../../events/app.ts'
import type { FailureCode } from '../../../events/failure.ts'

/** @returns why this tab reaches no core, so that no attempt can come to anything here; undefined when nothing keeps it */
export function keptFrom({ tab }: Pick<Model, 'tab'>): FailureCode | undefined {
  if (tab.phase !== 'elsewhere') return undefined
  return tab.why === 'otherBuild' ? 'reload_needed' : 'elsewhere'
}
