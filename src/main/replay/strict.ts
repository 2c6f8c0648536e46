import { Fault } from '../../events/failure.ts'
import type { Recording } from '../../events/recording/recording.ts'
import { isForLooking } from '../../events/recording/recordingHeader.ts'
import type { Verdict } from '../../events/replay/verdict.ts'
import { deciders } from '../../worker/deciders/index.ts'
import { reexecute } from '../../worker/replay/reexecute.ts'

/**
 * Re-executes a recording's inputs on the present core and compares every line.
 *
 * @param build of the running core: checkpoints are compared in its own recordings only
 * @throws Fault `unsupported` for a recording with blanked amounts, and the faults of `reexecute`
 */
export function strict(recording: Recording, build: string): Verdict {
  refuseView(recording)
  return reexecute(recording.records, deciders, { cut: !recording.complete, build })
}

/** @throws Fault `unsupported` for a recording with blanked amounts */
export function refuseView({ header }: Recording): void {
  if (!isForLooking(header)) return
  throw new Fault('unsupported', 'this recording cannot be re-executed: its amounts are blanked; use show or at')
}
