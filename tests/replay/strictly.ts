/** Reads a whole recording and re-executes it strictly, in any engine, down to the model at its end where it states that. */
import { momentsOf } from '../../src/runtime/story/moments.ts'
import { foldTo } from '../../src/events/replay/foldTo.ts'
import { type Verdict, differenceReport } from '../../src/runtime/replay/verdict.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { judgeWish, readWishText, type WishVerdict } from '../../src/main/replay/wish.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'

/**
 * @returns the verdict, with a report in place of the difference
 * @throws Error when the recording is incomplete, holds unknown types, or shows nothing
 */
export async function strictly(text: string): Promise<Verdict | { ok: false; report: string }> {
  const { header, records, complete, unknownTypes } = await readRecordingFile(new Blob([text]))
  if (!complete) throw new Error('the recording is truncated')
  const unknown = Object.keys(unknownTypes)
  if (unknown.length > 0) throw new Error(`the recording holds types of another build: ${unknown.join(', ')}`)
  const moments = momentsOf(records)
  if (foldTo(moments, moments.length).core.life === 0) throw new Error('the recording shows no core that began')
  const verdict = reexecute(records, deciders, header.state ? { state: header.state } : {})
  return verdict.ok ? verdict : { ok: false, report: differenceReport(verdict.difference) }
}

/** @returns the verdict on a recording's wish: it holds once the recorded bug is fixed */
export async function wishedFor(text: string, wishText: string): Promise<WishVerdict> {
  const { records } = await readRecordingFile(new Blob([text]))
  return judgeWish(records, readWishText(wishText))
}
