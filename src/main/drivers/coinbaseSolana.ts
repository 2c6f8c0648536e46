/**
 * Coinbase Wallet's own provider for Solana as a wallet of the Wallet Standard, for versions that announce none. The provider
 * takes transactions as objects of web3.js.
 */
import { decodeBase58 } from '../../events/values/base58.ts'
import { isSolanaAddress } from '../../events/values/address.ts'

/** The name in the directory, and of its own announcements. */
const coinbaseName = 'Coinbase Wallet'

/** `window.coinbaseSolana`, as far as it is used. */
export type CoinbaseSolana = {
  publicKey?: { toString(): string } | null
  connect(): Promise<unknown>
  disconnect(): Promise<unknown>
  signMessage(message: Uint8Array): Promise<{ signature: Uint8Array }>
  signTransaction(transaction: object): Promise<{ serialize(): Uint8Array }>
  signAllTransactions(transactions: object[]): Promise<{ serialize(): Uint8Array }[]>
  signAndSendTransaction(transaction: object, options?: object): Promise<{ signature: string }>
}
type Input = { transaction: Uint8Array; message: Uint8Array; options?: object }
type Account = { address: string; publicKey: Uint8Array; chains: readonly string[]; features: readonly string[] }

const chains = ['solana:mainnet', 'solana:devnet', 'solana:testnet'] as const
const signing = ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage']
const versions = ['legacy', 0]

/** @param parse makes an object of web3.js of wire bytes */
export function coinbaseWallet(provider: CoinbaseSolana, parse: (bytes: Uint8Array) => Promise<object>) {
  const listeners = new Set<(change: { accounts: readonly Account[] }) => void>()
  let accounts: readonly Account[] = []

  function look(): void {
    const address = provider.publicKey?.toString()
    const publicKey = isSolanaAddress(address) ? decodeBase58(address) : undefined
    accounts = address !== undefined && publicKey ? [{ address, publicKey, chains, features: signing }] : []
    for (const listener of listeners) listener({ accounts })
  }

  async function sign(...inputs: Input[]) {
    const parsed = await Promise.all(inputs.map(({ transaction }) => parse(transaction)))
    const [only, ...more] = parsed
    const signed =
      only && more.length === 0 ? [await provider.signTransaction(only)] : await provider.signAllTransactions(parsed)
    return signed.map(one => ({ signedTransaction: one.serialize() }))
  }

  async function signAndSend(...inputs: Input[]) {
    const outputs: { signature: Uint8Array | undefined }[] = []
    for (const { transaction, options } of inputs) {
      const { signature } = await provider.signAndSendTransaction(await parse(transaction), options)
      outputs.push({ signature: decodeBase58(signature) })
    }
    return outputs
  }

  async function signMessage(...inputs: Input[]) {
    const outputs: { signedMessage: Uint8Array; signature: Uint8Array }[] = []
    for (const { message } of inputs)
      outputs.push({ signedMessage: message, signature: (await provider.signMessage(message)).signature })
    return outputs
  }

  return Object.freeze({
    version: '1.0.0',
    name: coinbaseName,
    icon: '',
    chains,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        async connect({ silent = false }: { silent?: boolean } = {}) {
          if (!silent) await provider.connect()
          look()
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        async disconnect() {
          await provider.disconnect()
          look()
        },
      },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: (change: { accounts: readonly Account[] }) => void) {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions: versions, signTransaction: sign },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: versions,
        signAndSendTransaction: signAndSend,
      },
      'solana:signMessage': { version: '1.0.0', signMessage },
    },
  })
}

/** @returns the wallet of this page; undefined when a newer version has announced itself */
export function coinbaseHere(installed: readonly { name: string }[], provider: CoinbaseSolana): object | undefined {
  if (installed.some(({ name }) => name === coinbaseName)) return undefined
  return coinbaseWallet(provider, async bytes =>
    (await import('../../worker/drivers/solana/order/parsed.ts')).parsedTransaction(bytes),
  )
}
