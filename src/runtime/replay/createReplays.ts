/** Reads what a core has written, and re-executes it. */
import { createSnapshots, type Snapshots, type SnapshotTables, type SubjectHashes } from '../log/createSnapshots.ts'
import { createDecoder, type Decoder } from '../log/createDecoder.ts'
import type { Codec } from '../log/createCodec.ts'
import {
  type ReadProgress,
  type Recorded,
  type Recording,
  readRecordingBy,
  type Sha256,
} from '../recording/recording.ts'
import type { RecordingKind } from '../recording/recordingHeader.ts'
import type { Verdict } from './verdict.ts'
import type { Definition } from '../schema/registry.ts'
import type { MachineOf } from '../core/coreMachine.ts'
import type { CoreRules, CoreTypes, DeciderOf } from '../core/coreTypes.ts'
import { reexecuteBy } from './reexecuteBy.ts'
import { type Block, restoreMachine } from './restoreMachine.ts'

/** The parts of a product that a replay needs. */
type Replayed<P extends CoreTypes> = CoreRules<P> & {
  codec: Codec
  deciders: readonly DeciderOf<P>[]
  emptyModel(): P['model']
}

/** The parts of a product that only replays need: the definition of the scratch memory, and the names in recordings. */
export type ReplayParts = { transient: Definition; recording: RecordingKind }

export type Replays<P extends CoreTypes> = {
  decoder: Decoder
  snapshots: Snapshots<P['model']>
  /** Reads and validates a recording: see `readRecordingBy`. */
  readRecording(
    text: string | AsyncIterable<string>,
    sha256: Sha256,
    heard?: ReadProgress,
    shareOf?: () => number,
  ): Promise<Recording>
  /** Restores a core from a checkpoint of a recording. @throws Fault `bad_input` when it was edited */
  restoreCore(block: Block, deciders?: readonly DeciderOf<P>[]): MachineOf<P>
  /** Steps a core with the recorded inputs and compares every line: see `reexecuteBy`. */
  reexecute(
    records: readonly Recorded[],
    options?: { cut?: boolean; build?: string; state?: SubjectHashes; deciders?: readonly DeciderOf<P>[] },
  ): Verdict
}

/** Makes the replays of a product. */
export function createReplays<P extends CoreTypes>(
  rules: Replayed<P>,
  { tables, transient, recording }: ReplayParts & { tables: SnapshotTables<P['model']> },
): Replays<P> {
  const { codec, emptyModel } = rules
  const decoder = createDecoder(codec, tables)
  const snapshots = createSnapshots(codec, { tables, emptyModel })
  const means = { rules, codec, snapshots, transient, decoder, emptyModel }
  return {
    decoder,
    snapshots,
    readRecording: (text, sha256, heard, shareOf) =>
      readRecordingBy({ decoder, lineOf: snapshots.lineOf, kind: recording }, text, sha256, heard, shareOf),
    restoreCore: (block, deciders = rules.deciders) => restoreMachine(means, block, deciders),
    reexecute: (records, { deciders = rules.deciders, ...options } = {}) =>
      reexecuteBy(means, records, deciders, options),
  }
}
