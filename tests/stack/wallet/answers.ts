import bs58 from 'bs58'
import { base64Text, bytesOfBase64 } from './bytes.ts'
import type { WalletChain } from './chain.ts'
import { describeTransaction, readableText, type TokenNames } from './describe.ts'
import { type Manner, type Signer, signTransaction } from './signer.ts'
import { readWalletTransaction } from './transaction.ts'

/** Supported Solana methods over WalletConnect. */
export const solanaMethods = [
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
  'solana_signMessage',
  'solana_getAccounts',
  'solana_requestAccounts',
]

/** A request in words: a title and one sentence per line. */
export type Described = { title: string; lines: string[] }

/** A request's method and raw params, not yet checked. */
export type Asked = { method: string; params: unknown }

/** Describes a request; an unreadable one is described as such. */
export function describeRequest({ method, params }: Asked, names: TokenNames = {}): Described {
  try {
    if (method === 'solana_signMessage') {
      return { title: 'Sign a message', lines: [readableText(bs58.decode(text(params, 'message')))] }
    }
    if (method === 'solana_signTransaction' || method === 'solana_signAndSendTransaction') {
      const transaction = readWalletTransaction(bytesOfBase64(text(params, 'transaction')))
      const title = method === 'solana_signTransaction' ? 'Sign a transaction' : 'Sign and send a transaction'
      return { title, lines: describeTransaction(transaction, names) }
    }
    if (method === 'solana_signAllTransactions') {
      const all = transactionsOf(params).map(one =>
        describeTransaction(readWalletTransaction(bytesOfBase64(one)), names),
      )
      return { title: `Sign ${all.length} transactions`, lines: all.flat() }
    }
    return { title: 'Tell the accounts', lines: [method] }
  } catch (error) {
    return {
      title: 'A request that cannot be read',
      lines: [method, error instanceof Error ? error.message : String(error)],
    }
  }
}

/** Signers and manner of an answer. `accounts`: the approved one, then the one a confused wallet would use. */
export type Answering = { accounts: [Signer, Signer]; chain: WalletChain; manner: Manner }

/** Carries a request out. @throws Error with a sentence when it cannot be done */
export async function answerRequest(
  { method, params }: Asked,
  { accounts, chain, manner }: Answering,
): Promise<unknown> {
  const signer = manner === 'other' ? accounts[1] : accounts[0]
  const sign = (base64: string) => signTransaction(bytesOfBase64(base64), accounts, manner)
  switch (method) {
    case 'solana_signMessage':
      return { signature: bs58.encode(signer.sign(bs58.decode(text(params, 'message')))) }
    case 'solana_signTransaction': {
      const { signature, bytes } = sign(text(params, 'transaction'))
      return { signature, transaction: base64Text(bytes) }
    }
    case 'solana_signAllTransactions':
      return { transactions: transactionsOf(params).map(one => base64Text(sign(one).bytes)) }
    case 'solana_signAndSendTransaction': {
      const options = (params as { sendOptions?: object }).sendOptions ?? {}
      return { signature: await chain.send(sign(text(params, 'transaction')).bytes, options) }
    }
    case 'solana_getAccounts':
    case 'solana_requestAccounts':
      return [{ pubkey: accounts[0].address }]
    default:
      throw new Error(`this wallet does not know ${method}`)
  }
}

function text(params: unknown, name: string): string {
  const value = params !== null && typeof params === 'object' ? (params as Record<string, unknown>)[name] : undefined
  if (typeof value !== 'string') throw new Error(`params expected ${name} as text`)
  return value
}

function transactionsOf(params: unknown): string[] {
  const list = (params as { transactions?: unknown } | null)?.transactions
  if (!Array.isArray(list) || !list.every(one => typeof one === 'string')) {
    throw new Error('params expected transactions as a list of text')
  }
  return list
}
