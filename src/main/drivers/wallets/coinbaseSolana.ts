/**
 * `window.coinbaseSolana` as a wallet of the Wallet Standard. Coinbase's own browser, and versions of its extension, put it into a
 * page and announce no wallet. All checks of announced wallets follow.
 *
 * 1. The account is read anew each time, as the provider tells of no change.
 * 2. Transactions are objects of web3.js for it, which is loaded with the first one.
 */
import { later } from '../../../runtime/later.ts'
import { decodeBase58 } from '../../../events/values/solana/base58.ts'
import type { Store } from '../../../ui/store.ts'
import type { announceWallet } from './announceWallet.ts'

type Ask<In, Out> = (input: In, options?: object) => Promise<Out>
type Transaction = { serialize(options?: object): Uint8Array }
/** The provider; what is optional may be absent in a version of the wallet. */
type CoinbaseSolana = {
  publicKey?: unknown
  connect: () => Promise<unknown>
  disconnect?: () => Promise<unknown>
  signMessage?: Ask<Uint8Array, { signature: unknown }>
  signTransaction?: Ask<Transaction, Transaction>
  signAllTransactions?: Ask<Transaction[], Transaction[]>
  signAndSendTransaction?: Ask<Transaction, { signature: unknown }>
}
type Account = { address: string; publicKey: Uint8Array; chains: readonly string[]; features: readonly string[] }
type TransactionInput = { transaction: Uint8Array; options?: object }

/** The name that the wallet announces where it does. */
const name = 'Coinbase Wallet'
const chains = ['solana:mainnet'] as const
const version = '1.0.0'
const supportedTransactionVersions = ['legacy', 0] as const

/**
 * Announces the provider's wallet, unless one of its name is here. It leaves for one that comes later, as long as it is not in use.
 *
 * @param provider anything that stands at `window.coinbaseSolana`
 * @param announce comes with the page's runtime
 */
export function announceCoinbase(provider: unknown, store: Store, announce: typeof announceWallet): void {
  const named = () => store.model().installed.filter(one => one.name === name).length
  if (typeof (provider as Partial<CoinbaseSolana> | null)?.connect !== 'function' || named() > 0) return
  const { wallet, isInUse } = coinbaseSolana(provider as CoinbaseSolana)
  const takeBack = announce(wallet)
  const stop = store.subscribe(() => {
    if (named() < 2) return
    stop()
    if (!isInUse()) takeBack()
  })
}

/** One function, because the features share the provider and its listeners. */
function coinbaseSolana(provider: CoinbaseSolana) {
  const listeners = new Set<(change: { accounts: readonly Account[] }) => void>()
  const web3 = later('asking a wallet to sign', () => import('@solana/web3.js'))
  let isAsked = false

  function accounts(): Account[] {
    const { publicKey } = provider
    if (!publicKey) return []
    const address = String(publicKey)
    const bytes = decodeBase58(address)
    return bytes?.length === 32 ? [{ address, publicKey: bytes, chains, features: Object.keys(signing) }] : []
  }

  function tell(): void {
    for (const listener of listeners) listener({ accounts: accounts() })
  }

  async function connect({ silent = false }: { silent?: boolean } = {}) {
    if (!silent) {
      isAsked = true
      await provider.connect()
      tell()
    }
    return { accounts: accounts() }
  }

  async function disconnect(): Promise<void> {
    isAsked = false
    await provider.disconnect?.()
    tell()
  }

  async function read({ transaction }: TransactionInput): Promise<Transaction> {
    const { Transaction, VersionedTransaction } = await web3.get()
    const versioned = VersionedTransaction.deserialize(transaction)
    return versioned.version === 'legacy' ? Transaction.from(transaction) : versioned
  }

  async function signTransaction(...inputs: TransactionInput[]) {
    const transactions = await Promise.all(inputs.map(read))
    if (transactions.length > 1 && provider.signAllTransactions)
      return (await provider.signAllTransactions(transactions)).map(written)
    const signed = []
    for (const one of transactions) signed.push(written(await provider.signTransaction?.(one)))
    return signed
  }

  async function signAndSendTransaction(...inputs: TransactionInput[]) {
    const sent = []
    for (const input of inputs) {
      const answer = await provider.signAndSendTransaction?.(await read(input), input.options)
      const signature = answer?.signature
      sent.push({ signature: typeof signature === 'string' ? decodeBase58(signature) : signature })
    }
    return sent
  }

  async function signMessage(...inputs: { message: Uint8Array }[]) {
    const signed = []
    for (const { message } of inputs)
      signed.push({ signedMessage: message, signature: (await provider.signMessage?.(message))?.signature })
    return signed
  }

  const signing = {
    ...(provider.signTransaction && {
      'solana:signTransaction': { version, supportedTransactionVersions, signTransaction },
    }),
    ...(provider.signAndSendTransaction && {
      'solana:signAndSendTransaction': { version, supportedTransactionVersions, signAndSendTransaction },
    }),
    ...(provider.signMessage && { 'solana:signMessage': { version, signMessage } }),
  }
  const wallet = Object.freeze({
    version,
    name,
    // The directory has its picture
    icon: '',
    chains,
    get accounts() {
      return accounts()
    },
    features: Object.freeze({
      'standard:connect': { version, connect },
      'standard:disconnect': { version, disconnect },
      'standard:events': {
        version,
        on(_event: 'change', listener: (change: { accounts: readonly Account[] }) => void) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      ...signing,
    }),
  })
  return { wallet, isInUse: () => isAsked || accounts().length > 0 }
}

/** A transaction with several signers has only some of their signatures yet. */
function written(transaction: Transaction | undefined) {
  return { signedTransaction: transaction?.serialize({ requireAllSignatures: false, verifySignatures: false }) }
}
