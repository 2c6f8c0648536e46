/**
 * The operator's notices, read from transactions that anyone can attach to their reference key. A notice counts only by the
 * authority's signature over the transaction's bytes: a node can withhold notices but cannot forge one.
 * @see reference "Presale", §6 and §8
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeBase58 } from '../../events/values/solana/base58.ts'
import { type Checkpoint, checkCheckpoint, readCheckpoint } from '../../events/sale/notices/checkpoint.ts'
import type { NoticeChange, Unlisted } from '../../events/subjects/sale/saleFacts.ts'
import { canonicalJson } from '../../runtime/json/canonicalJson.ts'
import type { Json } from '../../runtime/json/readJson.ts'
import { type Notice, parseNotice } from '../../events/sale/payments/operatorMemos.ts'
import { type NoticeList, readNoticeList } from '../../events/sale/notices/noticeList.ts'
import { emptyBoard, type NoticeBoard, pinNotice } from '../../events/sale/notices/notices.ts'
import type { Terms } from '../../events/sale/terms/terms.ts'
import { programs } from '../chains/solana/programs.ts'
import { readTransaction, type WireTransaction } from '../chains/solana/wire.ts'
import { Fault } from '../../runtime/failure.ts'
import { isSignedBy, type Verify } from './signatures.ts'

/**
 * A notice, its slot, and its block's time where the node knows it, Unix seconds. `place`: in the block, known where others share the
 * slot.
 */
export type PlacedNotice = { slot: number; time?: number; place?: number; notice: Notice }

/**
 * @param bytes a transaction that succeeded, listed under the notices' reference
 * @param from base58 of the authority, and of the sale's notice reference
 * @returns its notice; `malformed` when the authority signed another text, or in another way; undefined of another signer
 * @throws Fault of `verify`: an unchecked notice is not the same as none
 */
export async function readNotice(
  bytes: Uint8Array,
  from: { authority: string; noticeRef: string },
  verify: Verify,
): Promise<Notice | 'malformed' | undefined> {
  const transaction = wireOf(bytes)
  const signature = transaction?.signatures[transaction.accountKeys.indexOf(from.authority)]
  if (!transaction || !signature) return undefined
  const isSigned = await isSignedBy(from.authority, bytes.subarray(transaction.messageAt), signature, verify)
  return isSigned ? (noticeIn(transaction, from) ?? 'malformed') : undefined
}

/** Anyone may attach anything to this reference; a transaction we cannot read has no notice. */
function wireOf(bytes: Uint8Array): WireTransaction | undefined {
  try {
    return readTransaction(bytes)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** The data of a transfer of 0 lamports. */
const emptyTransfer = '2,0,0,0,0,0,0,0,0,0,0,0'

/** A key from a lookup table marks nothing: the signed bytes do not contain it. */
function noticeIn(
  { accountKeys, instructions }: WireTransaction,
  { authority, noticeRef }: { authority: string; noticeRef: string },
): Notice | undefined {
  const memos = instructions.filter(one => accountKeys[one.program] === programs.memo)
  const isMarked = instructions.some(({ program, accounts, data }) => {
    const [source, to, ...references] = accounts.map(index => accountKeys[index])
    const isEmpty = accountKeys[program] === programs.system && data.join() === emptyTransfer
    return isEmpty && source === authority && to === authority && references.includes(noticeRef)
  })
  const [memo] = memos
  if (!isMarked || !memo || memos.length > 1) return undefined
  return parseNotice(new TextDecoder('utf-8', { ignoreBOM: true }).decode(memo.data))
}

/**
 * A board, and the notices that change how payments are treated, in chain order. `unlisted` is the range of slots where
 * further notices, no longer in force, may exist. `first`: hash of the terms that were announced first, once that is certain.
 */
export type PlacedBoard = NoticeBoard & { changes: NoticeChange[]; unlisted?: Unlisted; first?: string }

/**
 * Folds notices in order. Within one slot their places in the block order them, as in the ledger; their numbers where these are not
 * known.
 *
 * @param listed the notices of the authority's list, and the sequence number it covers: the authority vouches that no other
 *   notice up to there is in force, so these may have gaps
 */
export function boardOf(
  placed: readonly PlacedNotice[],
  listed: { placed: readonly PlacedNotice[]; seq: number } = { placed: [], seq: 0 },
): PlacedBoard {
  const changes: NoticeChange[] = []
  let last = { seq: 0, slot: 0 }
  let unlisted: Unlisted | undefined
  let first: string | undefined
  const leaveOut = (seq: number, to?: number) => {
    if (seq > last.seq) unlisted = { from: unlisted?.from ?? last.slot, ...(to === undefined ? {} : { to }) }
  }
  const put = (before: NoticeBoard, { slot, notice }: PlacedNotice): NoticeBoard => {
    const board = pinNotice(before, notice)
    if (board.seq === before.seq) return board
    leaveOut(notice.seq - 1, slot)
    if (board.published.length === 1 && !unlisted) first ??= board.terms
    last = { seq: notice.seq, slot }
    changes.push(...changeOf(slot, notice))
    return board
  }
  const base = [...listed.placed]
    .filter(({ notice }) => notice.seq <= listed.seq)
    .sort((a, b) => a.notice.seq - b.notice.seq)
    .reduce((board, one) => put({ ...board, seq: one.notice.seq - 1 }, one), emptyBoard())
  const board = [...placed]
    .filter(({ notice }) => notice.seq > listed.seq)
    .sort((a, b) => a.slot - b.slot || (a.place ?? 0) - (b.place ?? 0) || a.notice.seq - b.notice.seq)
    .reduce(put, { ...base, seq: listed.seq })
  leaveOut(board.seq)
  return { ...board, changes, ...(unlisted && { unlisted }), ...(first !== undefined && { first }) }
}

/** A notice's effect on later payments; most have none. */
function changeOf(slot: number, notice: Notice): NoticeChange[] {
  if (notice.verb === 'terms') return [{ slot, verb: 'terms', hash: notice.hash }]
  const { verb } = notice
  return verb === 'pause' || verb === 'resume' || verb === 'close' ? [{ slot, verb }] : []
}

/**
 * @param text the published file
 * @returns the list, undefined when it is malformed, another sale's, or not signed by the authority
 * @throws Fault of `verify`
 */
export async function trustedList(
  text: string,
  { authority, presaleRef }: { authority: string; presaleRef: string },
  verify: Verify,
): Promise<NoticeList | undefined> {
  const read = listIn(text)
  if (read?.list.presale !== presaleRef) return undefined
  const signature = decodeBase58(read.list.sig)
  return (await isSignedBy(authority, utf8ToBytes(read.signedText), signature, verify)) ? read.list : undefined
}

function listIn(text: string): ReturnType<typeof readNoticeList> | undefined {
  try {
    return readNoticeList(text)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/**
 * Expectations of a checkpoint, from notices and terms. `checkpoints` and `published`: announced hashes of checkpoints and
 * of terms.
 */
type ExpectedCheckpoint = {
  checkpoints: readonly string[]
  authority: string
  presaleRef: string
  terms: Terms
  published: readonly string[]
}

/**
 * @param text the published file
 * @returns the checkpoint, undefined when it is not announced, not signed by the authority, or another sale's
 * @throws Fault of `verify`
 */
export async function trustedCheckpoint(
  text: string,
  expected: ExpectedCheckpoint,
  verify: Verify,
): Promise<Checkpoint | undefined> {
  const announced = announcedCheckpoint(text, expected)
  if (!announced) return undefined
  const { checkpoint, signedText } = announced
  const signature = decodeBase58(checkpoint.sig)
  return (await isSignedBy(expected.authority, utf8ToBytes(signedText), signature, verify)) ? checkpoint : undefined
}

/** The checkpoint if its hash is announced and it fits this sale; its signature is not verified here. */
function announcedCheckpoint(
  text: string,
  expected: ExpectedCheckpoint,
): ReturnType<typeof readCheckpoint> | undefined {
  try {
    const read = readCheckpoint(text)
    if (!expected.checkpoints.includes(noticeHash(read.checkpoint))) return undefined
    checkCheckpoint(read.checkpoint, {
      terms: expected.terms,
      presale: expected.presaleRef,
      publishedTerms: expected.published,
    })
    return read
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** @returns the hash by which a notice announces a checkpoint, 64 lower-case hex characters */
export function noticeHash(checkpoint: Checkpoint): string {
  return hashText(canonicalJson(checkpoint as unknown as Json))
}

/** @returns sha256 of the text's UTF-8 bytes, 64 lower-case hex characters */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
