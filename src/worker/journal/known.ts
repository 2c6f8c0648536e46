import type { CoreModel } from '../../events/app.ts'
import type { FactRecord } from '../../events/log/record.ts'
import type { Head } from './journal.ts'

/** The state at the end of the last life. */
export type LogState = {
  head: Head
  /** model at the newest checkpoint, and the build that made it; an empty model without one */
  model: CoreModel
  build?: string
  /** the numbers of the checkpoint */
  from: { n: number; seq: number }
  /** every fact since, in order */
  facts: FactRecord[]
  /** the checkpoint's lines and all since */
  lines: readonly string[]
  /** count of damaged records that are cut off */
  lost?: { records: number }
}
