/**
 * The operator's notices, read from transactions that anybody can attach to their reference key. What counts is the
 * authority's own signature over the transaction's bytes, so a node can hold notices back but cannot make one up.
 * @see reference "Presale", §6 and §8
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeBase58 } from '../../events/values/base58.ts'
import { type Checkpoint, checkCheckpoint, readCheckpoint } from '../../events/values/checkpoint.ts'
import { canonicalJson, type Json } from '../../events/values/json.ts'
import { type Notice, parseNotice } from '../../events/values/memo.ts'
import { emptyBoard, type NoticeBoard, pinNotice } from '../../events/values/notices.ts'
import type { Terms } from '../../events/values/terms.ts'
import { decode } from '../chains/solana/decode.ts'
import { messageBytes, readTransaction, signatureOf } from '../chains/solana/wire.ts'
import { Fault } from '../../events/failure.ts'

/** A notice and the slot it stands in. */
export type PlacedNotice = { slot: number; notice: Notice }

/**
 * @param bytes a transaction that succeeded
 * @param from base58 of the authority, and of the sale's notice reference
 * @returns the notice in it, undefined when it is somebody else's or no notice
 */
export function readNotice(bytes: Uint8Array, from: { authority: string; noticeRef: string }): Notice | undefined {
  try {
    const { authority, noticeRef } = from
    const transaction = readTransaction(bytes)
    const { instructions } = decode(transaction)
    const memos = instructions.filter(one => one.kind === 'memo')
    const marked = instructions.some(
      one => one.kind === 'transfer' && one.from === authority && one.references.includes(noticeRef),
    )
    const notice = memos.length === 1 ? parseNotice(memos[0]?.text ?? '') : undefined
    if (!notice || !marked) return undefined
    const signature = decodeBase58(signatureOf(transaction, authority) ?? '')
    return signature && isSignedBy(authority, messageBytes(bytes), signature) ? notice : undefined
  } catch (cause) {
    // Anybody may put anything under this reference; what is no transaction of ours is no notice.
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/**
 * Puts notices in order. Inside one slot their own numbers order them: the authority signed those, and a signature list
 * does not tell the place in a block reliably.
 */
export function boardOf(placed: readonly PlacedNotice[]): NoticeBoard {
  return [...placed]
    .sort((a, b) => a.slot - b.slot || a.notice.seq - b.notice.seq)
    .reduce((board, { notice }) => pinNotice(board, notice), emptyBoard())
}

/**
 * @param text the published file
 * @param expected `hash` from the newest notice, `published` every terms hash announced so far
 * @returns the checkpoint, undefined when it is not the announced one, not signed by the authority, or not this sale's
 */
export function trustedCheckpoint(
  text: string,
  expected: { hash: string; authority: string; presaleRef: string; terms: Terms; published: readonly string[] },
): Checkpoint | undefined {
  try {
    const { checkpoint, signedText } = readCheckpoint(text)
    const canonical = canonicalJson(checkpoint as unknown as Json)
    if (hashText(canonical) !== expected.hash) return undefined
    const signature = decodeBase58(checkpoint.sig)
    if (!signature || !isSignedBy(expected.authority, utf8ToBytes(signedText), signature)) return undefined
    checkCheckpoint(checkpoint, {
      terms: expected.terms,
      presale: expected.presaleRef,
      publishedTerms: expected.published,
    })
    return checkpoint
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** @returns sha256 of the text's UTF-8 bytes, 64 lower-case hex characters */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}

function isSignedBy(publicKey: string, message: Uint8Array, signature: Uint8Array): boolean {
  const key = decodeBase58(publicKey)
  if (key?.length !== 32 || signature.length !== 64) return false
  try {
    return ed25519.verify(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}
