import { toBigint } from '../../../events/values/amount.ts'
import type { DecodedTransaction, Difference, ExpectedTransfer } from '../../../events/values/transaction.ts'
import { programs } from './programs.ts'

/** What a signed transaction must still say. */
export type ExpectedOrder = {
  /** account that was to sign and pay the fee */
  buyer: string
  memo: string
  transfer: ExpectedTransfer
  /** given: a wallet that took a newer blockhash is refused, since its expiry could not be proved any more */
  blockhash?: string
  /** lamports; default 500 000 */
  maxPriorityFee?: string
}

export type SignedCheck =
  | { ok: true }
  | { ok: false; code: 'wallet_changed_tx' | 'account_changed'; differences: Difference[] }

/** Most lamports a wallet may add in priority fees unless the order said otherwise. */
export const defaultMaxPriorityFee = '500000'

/** What may stand beside the payment, by program: settings of the run, and assertions, which can only make it fail. */
const allowedBeside: Record<string, readonly string[]> = {
  [programs.computeBudget]: ['requestHeapFrame', 'setLoadedAccountsDataSizeLimit'],
  [programs.assertion]: ['assert'],
}

/**
 * Compares what a wallet signed with what was agreed. Payment, memo and references must be unchanged and there once;
 * nothing else may move value or authority, account creation included, for it costs the buyer rent.
 *
 * @returns every difference, so that a person can be shown them all; `account_changed` when another account pays
 * @see reference "Presale", §9
 */
export function checkSigned(decoded: DecodedTransaction, expected: ExpectedOrder): SignedCheck {
  const differences: Difference[] = []
  const { instructions } = decoded

  if (decoded.feePayer !== expected.buyer) differences.push(keys('feePayer', [expected.buyer], [decoded.feePayer]))
  if (expected.blockhash !== undefined && decoded.blockhash !== expected.blockhash)
    differences.push(word('blockhash', expected.blockhash, decoded.blockhash))

  const memos = instructions.filter(one => one.kind === 'memo')
  if (memos.length !== 1) differences.push(word('memos', '1', String(memos.length)))
  else if (memos[0]?.text !== expected.memo) differences.push(keys('memo', [expected.memo], [memos[0]?.text ?? '']))

  const transfers = instructions.filter(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
  const [transfer] = transfers
  if (transfers.length !== 1 || !transfer) differences.push(word('transfers', '1', String(transfers.length)))
  else differences.push(...transferDifferences(expected.transfer, transfer))

  for (const kind of ['computeLimit', 'computePrice'] as const) {
    const count = instructions.filter(one => one.kind === kind).length
    if (count > 1) differences.push(word(kind, '1 at most', String(count)))
  }
  const most = expected.maxPriorityFee ?? defaultMaxPriorityFee
  const fee = priorityFee(decoded)
  if (fee > toBigint(most))
    differences.push({ of: 'amount', field: 'priorityFee', expected: most, got: fee.toString() })

  for (const one of instructions) {
    if (one.kind === 'other' && !allowedBeside[one.program]?.includes(one.name ?? ''))
      differences.push(word('instruction', 'none beside the payment', nameOf(one)))
  }
  if (differences.length === 0) return { ok: true }
  const payer = transfer?.kind === 'tokenTransfer' ? transfer.owner : transfer?.from
  const another = decoded.feePayer !== expected.buyer && (payer === undefined || payer === decoded.feePayer)
  return { ok: false, code: another ? 'account_changed' : 'wallet_changed_tx', differences }
}

/**
 * What the transaction offers validators on top of the fixed fee, in lamports, rounded up as the chain does.
 * Without a limit the chain allows 200 000 units an instruction; never more than 1 400 000 units run.
 */
export function priorityFee({ instructions }: DecodedTransaction): bigint {
  const price = instructions.find(one => one.kind === 'computePrice')
  if (!price) return 0n
  const limit = instructions.find(one => one.kind === 'computeLimit')
  const units = Math.min(limit ? limit.units : 200_000 * instructions.length, 1_400_000)
  return (BigInt(units) * toBigint(price.microLamports) + 999_999n) / 1_000_000n
}

function transferDifferences(expected: ExpectedTransfer, got: ExpectedTransfer): Difference[] {
  const wanted: Parts = expected
  const came: Parts = got
  const fields = [...new Set([...Object.keys(wanted), ...Object.keys(came)])] as (keyof Parts)[]
  return fields.flatMap(field =>
    String(wanted[field]) === String(came[field]) ? [] : [transferDifference(field, wanted[field], came[field])],
  )
}

type Parts = { kind: string; [field: string]: string | number | readonly string[] | undefined }
const amounts: ReadonlySet<string> = new Set(['lamports', 'amount'])
const words: ReadonlySet<string> = new Set(['kind', 'mint', 'decimals'])

function transferDifference(name: keyof Parts, wanted: Parts[string], came: Parts[string]): Difference {
  const field = `transfer.${name}`
  if (words.has(String(name))) return word(field, String(wanted ?? 'absent'), String(came ?? 'absent'))
  if (!amounts.has(String(name))) return keys(field, [wanted ?? []].flat().map(String), [came ?? []].flat().map(String))
  return {
    of: 'amount',
    field,
    ...(wanted === undefined ? {} : { expected: String(wanted) }),
    ...(came === undefined ? {} : { got: String(came) }),
  }
}

function keys(field: string, expected: string[], got: string[]): Difference {
  return { of: 'keys', field, expected, got }
}

function word(field: string, expected: string, got: string): Difference {
  return { of: 'word', field, expected, got }
}

function nameOf(one: { program: string; name?: string }): string {
  const program = Object.entries(programs).find(([, id]) => id === one.program)?.[0] ?? one.program
  return one.name === undefined ? program : `${program} ${one.name}`
}
