/**
 * The texts that the sale's operator writes on the chain: a notice, and a batch of payouts.
 * @see reference "Presale", §6 and §11
 */
import { Fault } from '../../../runtime/failure.ts'

/** A notice without its number; hashes are 64 lower-case hex characters. */
export type NoticeBody =
  | { verb: 'terms' | 'checkpoint' | 'ledger' | 'plan'; hash: string }
  | { verb: 'pause' | 'resume' | 'close' }
  | { verb: 'result'; result: 'success' | 'failed' }

/** A notice: `seq` counts 1, 2, 3 … */
export type Notice = { seq: number } & NoticeBody

const noticePattern =
  /^mai1n:([1-9][0-9]{0,8}):(?:(terms|checkpoint|ledger|plan):([0-9a-f]{64})|(pause|resume|close):-|result:(success|failed))$/

/** @returns the notice that `memo` writes, or undefined when it is not in the grammar */
export function parseNotice(memo: string): Notice | undefined {
  if (memo.length > 100) return undefined
  const match = noticePattern.exec(memo)
  if (!match) return undefined
  const [, number, hashed, hash = '', plain, result] = match
  const seq = Number(number)
  if (hashed) return { seq, verb: hashed as 'terms' | 'checkpoint' | 'ledger' | 'plan', hash }
  if (plain) return { seq, verb: plain as 'pause' | 'resume' | 'close' }
  return { seq, verb: 'result', result: result as 'success' | 'failed' }
}

/** @returns the notice's part after number and verb: a hash, a result, or `-` */
export function noticeArgument(notice: NoticeBody): string {
  return 'hash' in notice ? notice.hash : 'result' in notice ? notice.result : '-'
}

/**
 * @returns the memo, ASCII, at most 100 characters
 * @throws Fault `bad_input` when a part is outside the grammar
 */
export function noticeMemo(notice: Notice): string {
  const memo = `mai1n:${notice.seq}:${notice.verb}:${noticeArgument(notice)}`
  if (!parseNotice(memo))
    throw new Fault('bad_input', `a notice expected parts of its grammar, got ${memo.length} characters`)
  return memo
}

/** A batch of a plan of payouts. `presale` and `plan`: the first 16 hex characters of the presale's reference and of the plan's hash. */
type PayMemo = { presale: string; plan: string; batch: number }

const payPattern = /^maid1:([0-9a-f]{16}):([0-9a-f]{16}):(0|[1-9][0-9]{0,8})$/

/** @returns the memo of a batch, ASCII */
export function payMemo({ presale, plan, batch }: PayMemo): string {
  return `maid1:${presale}:${plan}:${batch}`
}

/** @returns the batch that `memo` names, or undefined when it is not in the grammar */
export function parsePayMemo(memo: string): PayMemo | undefined {
  if (memo.length > 60) return undefined
  const [, presale, plan, batch] = payPattern.exec(memo) ?? []
  return presale === undefined || plan === undefined ? undefined : { presale, plan, batch: Number(batch) }
}
