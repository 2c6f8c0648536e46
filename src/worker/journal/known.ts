import type { CoreModel } from '../../events/app.ts'
import type { FactRecord } from '../../events/log/record.ts'
import type { Head } from './journal.ts'

/** What was known when the last life ended. */
export type Known = {
  head: Head
  /** the world at the newest checkpoint, and the core's build that made it; without one an empty world */
  model: CoreModel
  build?: string
  /** the numbers of the checkpoint */
  from: { n: number; seq: number }
  /** every fact since, in order */
  facts: FactRecord[]
  /** the checkpoint's lines and all since */
  lines: readonly string[]
  /** how many records were damaged and are cut off */
  lost?: { records: number }
}
