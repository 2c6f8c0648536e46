import { Fault } from '../../runtime/failure.ts'
import type { Recording } from '../../runtime/recording/recording.ts'
import { isForLooking } from '../../runtime/recording/recordingHeader.ts'
import type { Verdict } from '../../runtime/replay/verdict.ts'
import { deciders } from '../../worker/deciders/index.ts'
import { reexecute } from '../../worker/replay/reexecute.ts'

/**
 * Runs a recording's inputs through the core as it stands.
 *
 * @param build of the core that runs: the checkpoints of its own recordings, and the model at their end, are compared too
 * @throws Fault `unsupported` for a recording that is for looking only, and what `reexecute` refuses
 */
export function strict(recording: Recording, build: string): Verdict {
  refuseView(recording)
  const { header, records, complete } = recording
  // Another build may fold otherwise, and a cut recording ends elsewhere
  const state = complete && header.coreBuild === build ? header.state : undefined
  return reexecute(records, deciders, { cut: !complete, build, ...(state && { state }) })
}

/** @throws Fault `unsupported` for a recording whose measures are blanked */
export function refuseView({ header }: Recording): void {
  if (!isForLooking(header)) return
  throw new Fault(
    'unsupported',
    'this recording is for looking only: its amounts are blanked, so it cannot be re-executed; show and at read it',
  )
}
