import { Fault } from '../../runtime/failure.ts'
import type { Recording } from '../../runtime/recording/recording.ts'
import { isForLooking } from '../../events/recording/recordingKind.ts'
import type { Verdict } from '../../runtime/replay/verdict.ts'
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
  const { header, records, complete } = recording
  // Another build may fold otherwise, and a cut recording ends elsewhere
  const state = complete && header.coreBuild === build ? header.state : undefined
  return reexecute(records, deciders, { cut: !complete, build, ...(state && { state }) })
}

/** @throws Fault `unsupported` for a recording with blanked amounts */
export function refuseView({ header }: Recording): void {
  if (!isForLooking(header)) return
  throw new Fault('unsupported', 'this recording cannot be re-executed: its amounts are blanked; use show or at')
}
