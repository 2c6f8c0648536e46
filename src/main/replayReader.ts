/**
 * The replayer's worker: reads one file, posts its records in pieces that do not block the page, then re-executes it. It lives
 * for one file and has no drivers.
 */
import { type Failure, toFailure } from '../runtime/failure.ts'
import type { Recorded, Recording } from '../runtime/recording/recording.ts'
import { checkWork } from '../events/recording/recordingWork.ts'
import type { Verdict } from '../runtime/replay/verdict.ts'
import { readRecordingFile } from './page/redaction/recordingFile.ts'
import { strict } from './replay/strict.ts'

/** The reader's messages, in this order. The last one is a verdict or a failure. */
export type ReaderMessage =
  | { k: 'heard'; lines: number; share: number }
  | { k: 'records'; records: Recorded[] }
  | { k: 'read'; rest: Omit<Recording, 'records'> }
  | { k: 'verdict'; verdict: Verdict }
  | { k: 'failed'; failure: Failure }

/** Records in one message: receiving them takes the page a few ms. */
const piece = 1000

const page = self as unknown as { postMessage(said: ReaderMessage): void }

addEventListener('message', (event: MessageEvent<Blob>) => void read(event.data))

async function read(file: Blob): Promise<void> {
  try {
    const heard = (lines: number, share: number) => page.postMessage({ k: 'heard', lines, share })
    const { records, ...rest } = await readRecordingFile(file, heard)
    checkWork(records)
    for (let from = 0; from < records.length; from += piece) {
      page.postMessage({ k: 'records', records: records.slice(from, from + piece) })
    }
    page.postMessage({ k: 'read', rest })
    const build = import.meta.env.VITE_CORE_BUILD ?? ''
    page.postMessage({ k: 'verdict', verdict: strict({ ...rest, records }, build) })
  } catch (fault) {
    page.postMessage({ k: 'failed', failure: toFailure(fault) })
  }
}
