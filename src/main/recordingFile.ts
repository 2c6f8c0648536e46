/** A recording as a file, the same in a browser and in Node: unpacked under a cap, hashed by WebCrypto, read. */
import { Fault } from '../events/failure.ts'
import { type Heard, largestRecording, readRecording, type Recording, type Sha256 } from '../events/recording.ts'

/** @returns 64 hex digits over the text's UTF-8 bytes @throws Fault `unsupported` on a page without WebCrypto */
export const sha256Hex: Sha256 = async text => {
  if (!globalThis.crypto?.subtle) {
    throw new Fault('unsupported', 'reading a recording needs WebCrypto: open this page over https or on localhost')
  }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Reads a recording's bytes, gzipped or not: their first two bytes tell.
 *
 * @throws Fault `bad_input` for everything `readRecording` refuses, for more than 64 MB and for gzip that does not unpack
 */
export async function readRecordingFile(file: Blob, heard?: Heard): Promise<Recording> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const text = first === 0x1f && second === 0x8b ? await inflate(file) : await plain(file)
  return readRecording(text, sha256Hex, heard)
}

async function plain(file: Blob): Promise<string> {
  if (file.size > largestRecording) throw tooLarge(`${file.size} bytes`)
  const bytes = await file.arrayBuffer()
  return asText(() => strictly().decode(bytes))
}

/** Any other decoder reads damaged bytes as question marks, and passes over a byte order mark. */
function strictly(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}

function asText(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new Fault('bad_input', 'this is not a recording: it expected UTF-8, some of its bytes are none')
  }
}

/** Stops as soon as the cap is passed, so a small file that unpacks to gigabytes costs 64 MB at most. */
async function inflate(file: Blob): Promise<string> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader()
  const decoder = strictly()
  const parts: string[] = []
  let size = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const chunk = read.value as Uint8Array
      size += chunk.byteLength
      if (size > largestRecording) throw tooLarge('more after gunzip')
      parts.push(asText(() => decoder.decode(chunk, { stream: true })))
    }
  } catch (cause) {
    await reader.cancel().catch(() => undefined)
    if (cause instanceof Fault) throw cause
    throw new Fault('bad_input', 'this is not a recording: it looks like gzip, but it does not unpack to its end')
  }
  return parts.join('') + asText(() => decoder.decode())
}

function tooLarge(got: string): Fault {
  return new Fault('bad_input', `the recording expected at most ${largestRecording} bytes, got ${got}`)
}
