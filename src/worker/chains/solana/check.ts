import { toBigint } from '../../../events/values/amount.ts'
import type { DecodedInstruction, DecodedTransaction, ExpectedTransfer } from '../../../events/values/transaction.ts'
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

/** One thing that is not as agreed. */
export type Difference = { field: string; expected: string; got: string }

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
  const compare = (field: string, wanted: string, got: string) => {
    if (wanted !== got) differences.push({ field, expected: wanted, got })
  }

  compare('feePayer', expected.buyer, decoded.feePayer)
  if (expected.blockhash !== undefined) compare('blockhash', expected.blockhash, decoded.blockhash)

  const { instructions } = decoded
  const memos = instructions.filter(one => one.kind === 'memo')
  if (memos.length === 1) compare('memo', expected.memo, memos[0]?.text ?? '')
  else compare('memos', '1', String(memos.length))

  const transfers = instructions.filter(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
  const [transfer] = transfers
  if (transfers.length !== 1 || !transfer) compare('transfers', '1', String(transfers.length))
  else differences.push(...transferDifferences(expected.transfer, transfer))

  for (const kind of ['computeLimit', 'computePrice'] as const) {
    const count = instructions.filter(one => one.kind === kind).length
    if (count > 1) differences.push({ field: kind, expected: '1 at most', got: String(count) })
  }
  const most = expected.maxPriorityFee ?? defaultMaxPriorityFee
  const fee = priorityFee(decoded)
  if (fee > toBigint(most)) differences.push({ field: 'priorityFee', expected: `${most} at most`, got: fee.toString() })

  for (const one of instructions) {
    if (one.kind === 'other' && !allowedBeside[one.program]?.includes(one.name ?? '')) {
      differences.push({ field: 'instruction', expected: 'none beside the payment', got: nameOf(one) })
    }
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

function transferDifferences(
  expected: ExpectedTransfer,
  got: Extract<DecodedInstruction, { kind: 'transfer' | 'tokenTransfer' }>,
): Difference[] {
  const wanted = flat(expected)
  const came = flat(got)
  const fields = [...new Set([...Object.keys(wanted), ...Object.keys(came)])]
  return fields.flatMap(field => {
    const one = { field: `transfer.${field}`, expected: wanted[field] ?? 'absent', got: came[field] ?? 'absent' }
    return one.expected === one.got ? [] : [one]
  })
}

function flat(transfer: ExpectedTransfer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(transfer).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : String(value)]),
  )
}

function nameOf(one: { program: string; name?: string }): string {
  const program = Object.entries(programs).find(([, id]) => id === one.program)?.[0] ?? one.program
  return one.name === undefined ? program : `${program} ${one.name}`
}
