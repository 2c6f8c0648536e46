import { toBigint } from '../../../events/values/amount.ts'
import type {
  DecodedTransaction,
  TransactionDifference,
  ExpectedTransfer,
} from '../../../events/values/solana/transaction.ts'
import { lamportsPerSignature, maxPriorityFee } from '../../../events/values/solana/fees.ts'
import { programs } from './programs.ts'

/** The expected content of an order's transaction: derived from the order, never from a transaction. */
export type ExpectedOrder = {
  /** account that signs and pays the fee */
  buyer: string
  /** empty: none */
  memo: string
  transfer: ExpectedTransfer
  /** owner of the transfer's destination, where the transaction creates it */
  createdFor?: string
  /** lamports, as shown to the person */
  fee: string
  /** the built transaction may carry assertions, which can only make it fail */
  mayAssert?: true
  /** when set, a newer blockhash is refused, since its expiry could no longer be proved */
  blockhash?: string
}

/** The verdict on a transaction, with every difference. */
export type OrderCheck =
  | { ok: true }
  | { ok: false; code: 'wallet_changed_tx' | 'account_changed'; differences: TransactionDifference[] }

/** Most by which a wallet may multiply the shown fee. */
const feeFactor = 10n

/** Instructions allowed beside the payment, by program: compute settings, and assertions, which can only make it fail. */
const allowedBeside: Record<string, readonly string[]> = {
  [programs.computeBudget]: ['requestHeapFrame', 'setLoadedAccountsDataSizeLimit'],
  [programs.assertion]: ['assert'],
}

/**
 * Compares a built transaction with the order, before the wallet request: these instructions, in this order, at the shown fee.
 *
 * @returns every difference, for display
 * @see reference "Presale", §6
 */
export function checkBuilt(decoded: DecodedTransaction, expected: ExpectedOrder): OrderCheck {
  const differences = differencesOf(decoded, expected)
  const { memo, createdFor, transfer, mayAssert } = expected
  const before = [memo && 'memo ', createdFor && 'createTokenAccount '].filter(Boolean).join('')
  const wanted = `computeLimit computePrice ${before}${transfer.kind}`
  const kinds = decoded.instructions
    .flatMap(one => (mayAssert && one.kind === 'other' && one.program === programs.assertion ? [] : one.kind))
    .join(' ')
  if (kinds !== wanted) differences.push(word('instructions', wanted, kinds))
  const fee = lamportsPerSignature + priorityFee(decoded)
  if (fee !== toBigint(expected.fee) || fee > lamportsPerSignature + maxPriorityFee)
    differences.push({ of: 'amount', field: 'fee', expected: expected.fee, got: fee.toString() })
  return verdictOf(decoded, expected, differences)
}

/**
 * Compares a signed transaction with the order. Payment, memo and references must be unchanged and unique; a wallet may add
 * assertions and compute settings, and raise the priority fee up to `mostPriority`. Nothing else may move value or authority;
 * an account creation that was not agreed is refused too, as it costs the buyer rent.
 *
 * @returns every difference; `account_changed` when another account pays
 * @see reference "Presale", §9
 */
export function checkSigned(decoded: DecodedTransaction, expected: ExpectedOrder): OrderCheck {
  const differences = differencesOf(decoded, expected)
  const most = mostPriority(expected.fee)
  const fee = priorityFee(decoded)
  if (fee > most)
    differences.push({ of: 'amount', field: 'priorityFee', expected: most.toString(), got: fee.toString() })
  return verdictOf(decoded, expected, differences)
}

/** @returns the highest priority fee in lamports for an order whose total fee was shown as `fee` */
function mostPriority(fee: string): bigint {
  const most = toBigint(fee) * feeFactor
  return most < maxPriorityFee ? most : maxPriorityFee
}

/**
 * The priority fee in lamports, rounded up as the chain does.
 * Without a limit the chain allows 200 000 units an instruction, and never more than 1 400 000 in all.
 */
export function priorityFee({ instructions }: DecodedTransaction): bigint {
  const price = instructions.find(one => one.kind === 'computePrice')
  if (!price) return 0n
  const limit = instructions.find(one => one.kind === 'computeLimit')
  const units = Math.min(limit ? limit.units : 200_000 * instructions.length, 1_400_000)
  return (BigInt(units) * toBigint(price.microLamports) + 999_999n) / 1_000_000n
}

/** The differences checked for built and signed transactions alike; the fee is checked separately. */
function differencesOf(decoded: DecodedTransaction, expected: ExpectedOrder): TransactionDifference[] {
  const differences: TransactionDifference[] = []
  const { instructions, signers = [], tables = 0 } = decoded

  if (decoded.feePayer !== expected.buyer) differences.push(keys('feePayer', [expected.buyer], [decoded.feePayer]))
  if (signers.join() !== expected.buyer) differences.push(keys('signers', [expected.buyer], signers))
  if (tables > 0) differences.push(word('lookup tables', '0', String(tables)))
  if (expected.blockhash !== undefined && decoded.blockhash !== expected.blockhash)
    differences.push(word('blockhash', expected.blockhash, decoded.blockhash))

  const memos = instructions.filter(one => one.kind === 'memo')
  const wanted = expected.memo === '' ? 0 : 1
  if (memos.length !== wanted) differences.push(word('memos', String(wanted), String(memos.length)))
  else if (wanted === 1 && memos[0]?.text !== expected.memo)
    differences.push(keys('memo', [expected.memo], [memos[0]?.text ?? '']))

  const transfers = instructions.filter(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
  const [transfer] = transfers
  if (transfers.length !== 1 || !transfer) differences.push(word('transfers', '1', String(transfers.length)))
  else differences.push(...partDifferences('transfer', expected.transfer, transfer))
  differences.push(...creationDifferences(decoded, expected))

  const settings = instructions.map(one =>
    one.kind === 'other' && one.program === programs.computeBudget ? one.name : one.kind,
  )
  for (const kind of ['computeLimit', 'computePrice', ...(allowedBeside[programs.computeBudget] ?? [])]) {
    const count = settings.filter(setting => setting === kind).length
    if (count > 1) differences.push(word(kind, '1 at most', String(count)))
  }
  for (const one of instructions) {
    if (one.kind === 'other' && !allowedBeside[one.program]?.includes(one.name ?? ''))
      differences.push(word('instruction', 'none beside the payment', nameOf(one)))
  }
  return differences
}

function verdictOf(
  decoded: DecodedTransaction,
  expected: ExpectedOrder,
  differences: TransactionDifference[],
): OrderCheck {
  if (differences.length === 0) return { ok: true }
  const transfer = decoded.instructions.find(one => one.kind === 'transfer' || one.kind === 'tokenTransfer')
  const payer = transfer?.kind === 'tokenTransfer' ? transfer.owner : transfer?.from
  const another = decoded.feePayer !== expected.buyer && (payer === undefined || payer === decoded.feePayer)
  return { ok: false, code: another ? 'account_changed' : 'wallet_changed_tx', differences }
}

/** A transfer may create its destination, for the agreed owner and token, and nothing else. */
function creationDifferences(
  { instructions }: DecodedTransaction,
  { buyer, createdFor, transfer }: ExpectedOrder,
): TransactionDifference[] {
  const made = instructions.filter(one => one.kind === 'createTokenAccount')
  const [first] = made
  if (createdFor === undefined || transfer.kind !== 'tokenTransfer')
    return made.map(() => word('instruction', 'none beside the payment', 'associatedToken createIdempotent'))
  if (!first || made.length > 1) return [word('created accounts', '1', String(made.length))]
  const { destination: account, mint, program = programs.token } = transfer
  const wanted = { kind: first.kind, payer: buyer, account, owner: createdFor, mint, program }
  return partDifferences('account', wanted, first)
}

function partDifferences(of: string, wanted: Parts, came: Parts): TransactionDifference[] {
  const fields = [...new Set([...Object.keys(wanted), ...Object.keys(came)])] as (keyof Parts)[]
  return fields.flatMap(field =>
    String(wanted[field]) === String(came[field])
      ? []
      : [partDifference(`${of}.${field}`, field, wanted[field], came[field])],
  )
}

type Parts = { kind: string; [field: string]: string | number | readonly string[] | undefined }
const amounts: ReadonlySet<string> = new Set(['lamports', 'amount'])
const words: ReadonlySet<string> = new Set(['kind', 'mint', 'decimals', 'program'])

function partDifference(
  field: string,
  name: keyof Parts,
  wanted: Parts[string],
  came: Parts[string],
): TransactionDifference {
  if (words.has(String(name))) return word(field, String(wanted ?? 'absent'), String(came ?? 'absent'))
  if (!amounts.has(String(name))) return keys(field, [wanted ?? []].flat().map(String), [came ?? []].flat().map(String))
  return {
    of: 'amount',
    field,
    ...(wanted === undefined ? {} : { expected: String(wanted) }),
    ...(came === undefined ? {} : { got: String(came) }),
  }
}

function keys(field: string, expected: string[], got: string[]): TransactionDifference {
  return { of: 'keys', field, expected, got }
}

function word(field: string, expected: string, got: string): TransactionDifference {
  return { of: 'word', field, expected, got }
}

function nameOf(one: { program: string; name?: string }): string {
  const program = Object.entries(programs).find(([, id]) => id === one.program)?.[0] ?? one.program
  return one.name === undefined ? program : `${program} ${one.name}`
}
