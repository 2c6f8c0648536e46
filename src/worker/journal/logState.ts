import type { CoreModel } from '../../events/app.ts'
import type { KnownLog } from '../../runtime/journal/known.ts'

/** The state of this product's log at the end of the last life. */
export type LogState = KnownLog<CoreModel>
