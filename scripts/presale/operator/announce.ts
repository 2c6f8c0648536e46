/** Sends notices: memos of the authority with the next number of the chain. */
import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { Fault } from '../../../src/runtime/failure.ts'
import { type NoticeBody, noticeMemo } from '../../../src/events/sale/payments/operatorMemos.ts'
import { memoOf } from '../../../src/worker/drivers/solana/order/build.ts'
import type { PresaleExit } from '../verb.ts'
import { agreeOnNotices } from '../books/secondNode.ts'
import { publishFiles } from './published.ts'
import { noticeText, readSaleNotices, type SaleNotices } from './saleNotices.ts'
import { carryOut, type Outcome, tell, type Work } from './work.ts'

/** A notice that is final, or only simulated or exported; the notices after it, and the files that were written. */
export type Announced = { seq: number; outcome: Outcome; notices: SaleNotices; files: string[] }

/**
 * Sends the next notice, waits until it is final and counts, and writes the published files.
 *
 * @param notices as read last: the next number follows them
 * @throws Fault `elsewhere` when another notice took its number; as `carryOut`
 */
export async function announce(work: Work, notices: SaleNotices, body: NoticeBody): Promise<Announced> {
  const { sale, authority } = work
  const seq = notices.board.seq + 1
  const about = `notice ${seq} (${noticeText(body)})`
  const payer = sale.first.terms.authority
  const instructions = noticeInstructions(payer, sale.noticeRef, noticeMemo({ seq, ...body }))
  const outcome = await carryOut(work, { about, payer, instructions }, authority ? [authority] : [])
  if (typeof outcome === 'string') return { seq, outcome, notices, files: [] }
  const after = await noticesNow(work)
  if (!after.counted.some(({ signature }) => signature === outcome.signature))
    throw new Fault(
      'elsewhere',
      `${about}: expected to count, got another notice with its number before it: is another machine at work? Run the command again`,
    )
  return { seq, outcome, notices: after, files: await publishFiles(work, after) }
}

/** Tells of a notice. `done`: the sentence for one that is final. `before`: files that this command has written before it. */
export function tellNotice(
  work: Work,
  { seq, outcome, files: newest }: Announced,
  done = '',
  before: readonly string[] = [],
): PresaleExit {
  const files = [...new Set([...before, ...newest])]
  if (typeof outcome === 'string') tell(work, { outcome, seq }, `${outcome}: nothing was sent`)
  else tell(work, { outcome: 'sent', seq, ...outcome, files }, [done, ...writtenText(work, files)].join('\n'))
  return 0
}

/** Tells that nothing had to be announced, after published files that are missing were written. */
export async function tellUnchanged(work: Work, notices: SaleNotices, text: string): Promise<PresaleExit> {
  const files = await publishFiles(work, notices)
  tell(work, { outcome: 'unchanged', seq: notices.board.seq, files }, [text, ...writtenText(work, files)].join('\n'))
  return 0
}

/** @returns a line that names the written files, none without any */
export function writtenText({ out }: Work, files: readonly string[]): string[] {
  return files.length > 0 ? [`written to ${out}: ${files.join(', ')}`] : []
}

/**
 * Reads the notices, including every transaction that this command has seen.
 *
 * @throws Fault as `readSaleNotices`; `rpc_lying` when the second node has others, or an earlier time
 */
export async function noticesNow({
  node,
  second,
  sale,
  seen,
}: Pick<Work, 'node' | 'second' | 'sale' | 'seen'>): Promise<SaleNotices> {
  const notices = await readSaleNotices(node, sale, seen)
  if (!second) return notices
  const other = await readSaleNotices(second, sale, notices.slot)
  agreeOnNotices(second, notices, other)
  return { ...notices, latest: Math.max(notices.seconds, other.seconds) }
}

function noticeInstructions(authority: string, reference: string, text: string): TransactionInstruction[] {
  const self = new PublicKey(authority)
  const transfer = SystemProgram.transfer({ fromPubkey: self, toPubkey: self, lamports: 0 })
  transfer.keys.push({ pubkey: new PublicKey(reference), isSigner: false, isWritable: false })
  return [memoOf(text), transfer]
}
