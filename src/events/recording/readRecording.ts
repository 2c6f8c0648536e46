import { decoder } from '../log/decode.ts'
import { lineOf } from '../log/lineOf.ts'
import { recordingKind } from './recordingKind.ts'
import { type ReadProgress, type Recording, readRecordingBy, type Sha256 } from '../../runtime/recording/recording.ts'

const means = { decoder, lineOf, kind: recordingKind }

/**
 * Reads a recording of this product: see `readRecordingBy`.
 *
 * @param text the file's text, already unpacked, whole or in parts
 * @param heard progress; of a text in parts `shareOf` gives the share
 * @throws Fault `bad_input`, one sentence with the line and the key
 */
export function readRecording(
  text: string | AsyncIterable<string>,
  sha256: Sha256,
  heard?: ReadProgress,
  shareOf?: () => number,
): Promise<Recording> {
  return readRecordingBy(means, text, sha256, heard, shareOf)
}
