import { recordingKind } from '../../events/recording/recordingKind.ts'
import type { ReplayParts } from '../../runtime/replay/createReplays.ts'
import { transientDefinition } from '../core/transientShape.ts'

/** The parts of this product that only replays need. */
export const replayParts: ReplayParts = { transient: transientDefinition, recording: recordingKind }
