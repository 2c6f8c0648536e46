/** Transactions that the connected wallet signs for the host, and does not send. Those of an installed wallet leave no trace. */
import { installedWallet, walletName } from '../../../events/subjects/wallet/connection.ts'
import { decodeBase58 } from '../../../events/values/solana/base58.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { Fault } from '../../../runtime/failure.ts'
import { readTransaction, signatureOf, withSignature } from '../../../worker/chains/solana/wire.ts'
import { fromBase64 } from '../../../worker/walletconnect/crypto/base64.ts'
import { toBase64 } from '../../../worker/walletconnect/crypto/encoding.ts'
import type { Addresses } from '../../config.ts'
import type { Page } from '../../page/page.tsx'
import { activeSigner, approves, askWallet, chainsOf, type HostSigner } from './signer.ts'

/** Most transactions of one call: wallets show each to the person. */
const most = 100

/**
 * A wallet may sign other content than it was given, such as with a priority fee: compare before sending.
 *
 * @param transactions serialised, legacy or version 0, each with a slot for the account's signature
 * @returns them signed by the account, in the same order
 * @throws Fault `bad_input` for another list, `unauthorized` without a connected wallet, `unsupported` when the wallet cannot
 *   sign without sending, or not on this page's network; `user_rejected`, `account_changed`, `bad_response`, …
 */
export async function signTransactions(page: Page, addresses: Addresses, transactions: unknown): Promise<Uint8Array[]> {
  const signer = activeSigner(page, 'signAllTransactions')
  const { connection, account } = signer
  const all = checked(transactions, account)
  if (connection.connector === 'installed') {
    const signing = await (await page.started).signing()
    const signed = await signing.signAllTransactions({ ...installedWallet(connection), account }, all)
    return signed.map(bytes => signedBy(bytes, account, walletName(connection)))
  }
  if (!connection.features.includes('signTransaction'))
    throw new Fault(
      'unsupported',
      `${walletName(connection)} expected to sign transactions, its session does not allow it`,
    )
  const [chain] = chainsOf(page.store.model(), signer).ofPage
  if (chain === undefined)
    throw new Fault('unsupported', `${walletName(connection)} expected to have its account on this network`)
  return overSession({ page, addresses, chain, signer }, all)
}

function checked(transactions: unknown, account: string): Uint8Array[] {
  const isList = Array.isArray(transactions) && transactions.length > 0 && transactions.length <= most
  if (!isList) throw new Fault('bad_input', `signAllTransactions expected a list of 1 to ${most} transactions`)
  return transactions.map((one: unknown, at) => {
    if (!(one instanceof Uint8Array))
      throw new Fault('bad_input', `signAllTransactions expected a Uint8Array at ${at}, got ${typeof one}`)
    try {
      signatureOf(readTransaction(one), account)
    } catch (cause) {
      const why = cause instanceof Fault ? cause.message : 'cannot be read'
      throw new Fault('bad_input', `signAllTransactions expected a transaction to sign at ${at}: it ${why}`)
    }
    return one
  })
}

type Session = { page: Page; addresses: Addresses; chain: string; signer: HostSigner }

async function overSession({ page, addresses, chain, signer }: Session, all: Uint8Array[]): Promise<Uint8Array[]> {
  const { connection, account } = signer
  const ask = (method: string, params: object) =>
    askWallet(page, addresses, chain, { method, params: { ...params, pubkey: account } })
  const name = walletName(connection)
  if (all.length > 1 && approves(page.store.model(), signer, 'solana_signAllTransactions')) {
    const answer = await ask('solana_signAllTransactions', { transactions: all.map(toBase64) })
    const texts: unknown[] = isRecord(answer) && Array.isArray(answer.transactions) ? answer.transactions : []
    if (texts.length !== all.length)
      throw new Fault('bad_response', `${name} expected to answer with ${all.length} transactions, got ${texts.length}`)
    return texts.map(text => signedBy(transactionIn(text, name), account, name))
  }
  const found: Uint8Array[] = []
  for (const one of all) {
    const answer = await ask('solana_signTransaction', { transaction: toBase64(one) })
    const { transaction, signature } = isRecord(answer) ? answer : {}
    const bytes =
      transaction === undefined
        ? withSignature(one, account, (typeof signature === 'string' && decodeBase58(signature)) || new Uint8Array())
        : transactionIn(transaction, name)
    found.push(signedBy(bytes, account, name))
  }
  return found
}

/** Wallets write a transaction in base64, some in base58, whose text may be base64 by chance. */
function transactionIn(text: unknown, name: string): Uint8Array {
  if (typeof text !== 'string') throw new Fault('bad_response', `${name} expected to answer with a transaction as text`)
  for (const decode of [fromBase64, decodeBase58]) {
    try {
      const bytes = decode(text) ?? new Uint8Array()
      readTransaction(bytes)
      return bytes
    } catch {
      // The other form may fit
    }
  }
  throw new Fault('bad_response', `${name} expected to answer with a transaction in base64 or base58`)
}

/** @throws Fault `bad_response` for anything but a transaction with the account's signature */
function signedBy(bytes: Uint8Array, account: string, name: string): Uint8Array {
  if (signatureOf(readTransaction(bytes), account) === undefined)
    throw new Fault('bad_response', `${name} expected to answer with a signed transaction, its signature is missing`)
  return bytes
}
