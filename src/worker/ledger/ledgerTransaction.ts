import { Fault } from '../../runtime/failure.ts'
import { absentable, anything, array, looseObject, nullable, string, wholeNumber } from '../../runtime/schema/schema.ts'
import type { Notice } from '../../events/sale/payments/operatorMemos.ts'
import { encodeBase58 } from '../../events/values/solana/base58.ts'
import { readTransaction } from '../chains/solana/wire.ts'
import { blockTime, encodedBytes, loadedAddresses, readAnswer } from '../rpc/answers.ts'
import { fromBase64 } from '../walletconnect/crypto/base64.ts'
import type { SaleAccounts } from './ledgerSale.ts'
import { type TopLevel, topLevelIn } from './topLevel.ts'

/** A finalised transaction as the ledger needs it; all addresses base58. */
export type LedgerTransaction = TopLevel & {
  signature: string
  slot: number
  /** block time, Unix seconds; absent when the node does not know it */
  time?: number
  /** place in the block; absent where a node does not tell it */
  index?: number
  failed: boolean
  /** balances of the watched accounts that it names, in the order of the sale's assets */
  balances: { asset: string; before: bigint; after: bigint }[]
  /** owner of each token account that it names */
  owners: ReadonlyMap<string, string>
  /** tokens that came to the treasury in accounts that are not watched, base units */
  strays: { account: string; mint: string; units: bigint }[]
  /** the authority's notice, its signature verified */
  notice?: Notice
  /** the authority signed it under the notices' reference, and it is no notice */
  isMalformed?: true
}

const whole = wholeNumber(0)
const tokenBalances = absentable(
  nullable(
    array(
      looseObject({
        accountIndex: whole,
        mint: string(),
        owner: absentable(string()),
        uiTokenAmount: looseObject({ amount: string({ grammar: /^(0|[1-9][0-9]{0,19})$/ }) }),
      }),
    ),
  ),
)
/** a transaction with its balances */
export const landed = looseObject({
  slot: whole,
  blockTime: absentable(blockTime),
  transactionIndex: absentable(nullable(whole)),
  transaction: encodedBytes,
  meta: looseObject({
    err: anything(),
    preBalances: array(anything()),
    postBalances: array(anything()),
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
    loadedAddresses,
  }),
})

/** A transaction with its bytes. `signatures` are over `message`, in the order of its signers, not yet verified. */
export type ReadLedgerTransaction = {
  transaction: LedgerTransaction
  bytes: Uint8Array
  message: Uint8Array
  signatures: Uint8Array[]
}

/**
 * @param answer to `getTransaction` in base64, its integers exact
 * @throws Fault `bad_response` when it is not a transaction with its balances; `rpc_lying` when it is another one
 */
export function readLedgerTransaction(answer: unknown, signature: string, sale: SaleAccounts): ReadLedgerTransaction {
  const { slot, blockTime: time, transactionIndex, transaction, meta } = readAnswer(landed, answer, 'getTransaction')
  const bytes = fromBase64(transaction[0], 'a transaction')
  const wire = readTransaction(bytes)
  const [id] = wire.signatures
  if (!id || encodeBase58(id) !== signature)
    throw new Fault('rpc_lying', `getTransaction expected transaction ${signature}, got another`)
  const addresses = [
    ...wire.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ]
  const looked = wire.lookups.reduce((sum, one) => sum + one.writable.length + one.readonly.length, 0)
  const expected = wire.accountKeys.length + looked
  if ([addresses, meta.preBalances, meta.postBalances].some(list => list.length !== expected))
    throw new Fault(
      'bad_response',
      `getTransaction expected ${expected} accounts with balances, got ${addresses.length}`,
    )

  const tokens = tokensIn(addresses, meta.preTokenBalances ?? [], meta.postTokenBalances ?? [])
  const { treasury } = sale.first.terms
  const balances = sale.watched.flatMap(({ asset, address }) => {
    const at = addresses.indexOf(address)
    if (at < 0) return []
    if (address === treasury)
      return [{ asset, before: lamports(meta.preBalances[at]), after: lamports(meta.postBalances[at]) }]
    const { before = 0n, after = 0n } = tokens.get(address) ?? {}
    return [{ asset, before, after }]
  })
  const watched = new Set(sale.watched.map(({ address }) => address))
  const strays = [...tokens].flatMap(([account, { mint, owner, before, after }]) =>
    owner === treasury && !watched.has(account) && after > before ? [{ account, mint, units: after - before }] : [],
  )
  return {
    bytes,
    message: bytes.subarray(wire.messageAt),
    signatures: wire.signatures,
    transaction: {
      signature,
      slot,
      ...(typeof time === 'number' && { time }),
      ...(typeof transactionIndex === 'number' && { index: transactionIndex }),
      failed: (meta.err ?? null) !== null,
      ...topLevelIn(wire, addresses),
      balances,
      owners: new Map([...tokens].map(([account, { owner }]) => [account, owner])),
      strays,
    },
  }
}

type Tokens = { mint: string; owner: string; before: bigint; after: bigint }
type TokenBalance = {
  accountIndex: number
  mint: string
  owner?: string | undefined
  uiTokenAmount: { amount: string }
}

/** The owner before the transaction counts: a payment is made by the one who held the tokens. */
function tokensIn(
  addresses: readonly string[],
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
): Map<string, Tokens> {
  const found = new Map<string, Tokens>()
  const entryOf = ({ accountIndex, mint, owner = '' }: TokenBalance): Tokens => {
    const address = addresses[accountIndex] ?? ''
    const entry = found.get(address) ?? { mint, owner, before: 0n, after: 0n }
    found.set(address, entry)
    return entry
  }
  for (const balance of before) entryOf(balance).before = BigInt(balance.uiTokenAmount.amount)
  for (const balance of after) entryOf(balance).after = BigInt(balance.uiTokenAmount.amount)
  return found
}

function lamports(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw new Fault(
    'bad_response',
    `getTransaction expected exact balances in lamports, got ${String(value).slice(0, 30)}`,
  )
}
