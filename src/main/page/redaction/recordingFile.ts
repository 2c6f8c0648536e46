/** Reads a recording's file, in a browser and in Node. Unpacking is limited to 64 MB. */
import { sha256Hex } from '../../../worker/drivers/digest.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { ReadProgress, Recording } from '../../../runtime/recording/recording.ts'
import { readRecording } from '../../../events/recording/readRecording.ts'
import { recordingLimits } from '../../../runtime/recording/recordingBudget.ts'

/**
 * Reads a recording as a stream; gzip is recognised by its first two bytes. Reading stops at the first refusal, so a small
 * file that unpacks to gigabytes costs no more than the part before it.
 *
 * @throws Fault `bad_input` for everything `readRecording` refuses, for more than 64 MB and for gzip that does not unpack;
 * `facts.bytes` is the number of bytes read, unpacked
 */
export async function readRecordingFile(file: Blob, heard?: ReadProgress): Promise<Recording> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isPacked = first === 0x1f && second === 0x8b
  if (!isPacked && file.size > recordingLimits.bytes) throw tooLarge(`${file.size} bytes`, 0)
  const sizes = { packed: 0, bytes: 0 }
  try {
    const text = textOf(file, isPacked, sizes)
    return await readRecording(text, sha256Hex, heard, () => Math.min(1, sizes.packed / file.size))
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, cause.message, { ...cause.facts, bytes: sizes.bytes })
  }
}

/** Yields the text in parts, and counts bytes. */
async function* textOf(
  file: Blob,
  isPacked: boolean,
  sizes: { packed: number; bytes: number },
): AsyncGenerator<string> {
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        sizes.packed += chunk.byteLength
        out.enqueue(chunk)
      },
    }),
  )
  const reader = (isPacked ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader()
  // By default a decoder replaces damaged bytes and drops a byte order mark
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for (let read = await next(reader); !read.done; read = await next(reader)) {
      sizes.bytes += read.value.byteLength
      if (sizes.bytes > recordingLimits.bytes) throw tooLarge('more after gunzip', sizes.bytes)
      yield decoded(() => decoder.decode(read.value, { stream: true }))
    }
    yield decoded(() => decoder.decode())
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch {
    throw new Fault('bad_input', 'this is not a recording: it starts like gzip, but cannot be unpacked to its end')
  }
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new Fault('bad_input', 'this is not a recording: expected UTF-8, got bytes that are not')
  }
}

function tooLarge(got: string, bytes: number): Fault {
  return new Fault('bad_input', `the recording expected at most ${recordingLimits.bytes} bytes, got ${got}`, { bytes })
}
