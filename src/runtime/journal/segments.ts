/**
 * How lines lie on disk. A segment is some whole groups, one line each with a 32-bit check before it; each segment's sha256
 * goes over its bytes and over the one before it, so that none can be changed, missing or moved unseen.
 */
import { toHex } from '../hex.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { shortHash } from '../log/shortHash.ts'

/** Up to so many bytes are hashed synchronously, which is faster than WebCrypto there. */
const few = 8192

/** `before` is the link of the segment before it, empty for the first of a log. */
export type Segment = { before: string; records: number; bytes: Uint8Array }

/** @returns the segment that holds these lines, and its link */
export async function sealSegment(
  before: string,
  lines: readonly string[],
): Promise<{ segment: Segment; link: string }> {
  let text = ''
  for (const line of lines) text += `${shortHash(line)} ${line}\n`
  const segment = { before, records: lines.length, bytes: new TextEncoder().encode(text) }
  return { segment, link: await linkOf(segment) }
}

/** @returns sha256 over the link before and the bytes, as 64 hex digits */
export async function linkOf({ before, bytes }: Pick<Segment, 'before' | 'bytes'>): Promise<string> {
  const head = new TextEncoder().encode(before)
  const whole = new Uint8Array(head.length + bytes.length)
  whole.set(head)
  whole.set(bytes, head.length)
  // Of a few lines it is made here and now: another thread's answer would take longer than the sum
  const digest = whole.length <= few ? sha256(whole) : new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
  return toHex(digest)
}
