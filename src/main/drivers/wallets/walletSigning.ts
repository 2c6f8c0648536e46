/**
 * Signatures that a host asks an installed wallet for. They go to the host alone: no input and no fact holds a message, a
 * transaction of a host or its signature. The page's own payments go through the core.
 */
import { Fault } from '../../../runtime/failure.ts'
import type { ConnectedWallet } from '../../../events/effect.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { accountsIn, outputBytes, bytesOf, lacks, type WalletAccount } from './announced.ts'
import type { KnownWallets } from './announcements.ts'
import { walletFailure } from './walletErrors.ts'

type Ports = {
  /** The wallet of a connection. @throws Fault when it is not here, or is ambiguous */
  walletOf(wanted: ConnectedWallet): KnownWallets
  /** The page's network by its name in the Wallet Standard. */
  chain(): string
}
/** A wallet and the account of it that signs. */
type Signer = ConnectedWallet & { account: string }
/** A statement after Sign-In with Solana; the wallet fills in what is absent. */
type SignInInput = { domain?: string; statement?: string; uri?: string; nonce?: string; [field: string]: unknown }
type SignedStatement = { account: string; signedMessage: Uint8Array; signature: Uint8Array }

/** Longest message, bytes; wallets show it to the person. */
const messageLimit = 64 * 1024
const transactionLimit = 1232

export type WalletSigning = ReturnType<typeof createWalletSigning>

/** Errors are Faults without the wallet's own words: `user_rejected`, `unsupported`, `account_changed`, `bad_response`, … */
export function createWalletSigning({ walletOf, chain }: Ports) {
  function prepare({ account, ...wanted }: Signer, method: 'signMessage' | 'signTransaction') {
    const wallet = walletOf(wanted)
    const call = wallet.call[method]
    if (!call) throw lacks(method)
    const holder = wallet.accounts()?.find(({ address }) => address === account)
    if (!holder) throw new Fault('account_changed', `${wallet.name} does not list the account that is to sign`)
    return { wallet, holder, ask: (...inputs: object[]) => asked(wallet, call, inputs) }
  }

  async function signMessage(signer: Signer, message: Uint8Array): Promise<Uint8Array> {
    if (message.length === 0 || message.length > messageLimit)
      throw new Fault('bad_input', `a message expected 1 to ${messageLimit} bytes, got ${message.length}`)
    const { wallet, holder, ask } = prepare(signer, 'signMessage')
    const signature = outputBytes(await ask({ account: holder.raw, message: message.slice() }), 'signature')
    if (signature?.length === 64) return signature
    throw new Fault('bad_response', `${wallet.name} expected to answer with a signature of 64 bytes`)
  }

  /** Signs all at once, or one by one where the wallet takes one at a time. The transactions are not sent. */
  async function signAllTransactions(signer: Signer, transactions: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const wrong = transactions.find(({ length }) => length === 0 || length > transactionLimit)
    if (transactions.length === 0 || wrong)
      throw new Fault(
        'bad_input',
        `transactions expected 1 to ${transactionLimit} bytes each, got ${wrong?.length ?? 'none'}`,
      )
    const { wallet, holder, ask } = prepare(signer, 'signTransaction')
    const name = chain()
    if (!wallet.chains.includes(name)) throw new Fault('unsupported', 'Invalid chain id')
    const inputs = transactions.map(bytes => ({ account: holder.raw, transaction: bytes.slice(), chain: name }))
    const together = await ask(...inputs).catch((cause: unknown) => {
      if (inputs.length === 1 || (cause instanceof Fault && cause.code !== 'unknown')) throw cause
      return undefined
    })
    const signed = signedIn(together, inputs.length)
    if (signed) return signed
    const found: Uint8Array[] = []
    for (const input of inputs) {
      const [one] = signedIn(inputs.length === 1 ? together : await ask(input), 1) ?? []
      if (!one) throw new Fault('bad_response', `${wallet.name} expected to answer with a signed transaction`)
      found.push(one)
    }
    return found
  }

  /** Has a wallet sign a statement that proves its account, connecting it if it is not. */
  async function signIn(wanted: ConnectedWallet, input: SignInInput): Promise<SignedStatement> {
    const wallet = walletOf(wanted)
    const { signIn: call } = wallet.call
    if (!call) throw lacks('signIn')
    const outputs = await asked(wallet, call, [{ ...input }])
    const [output] = Array.isArray(outputs) && outputs.length === 1 ? (outputs as unknown[]) : []
    const account = accountOf(output)
    const [signedMessage, signature] = [bytesOf(output, 'signedMessage'), bytesOf(output, 'signature')]
    if (account && signedMessage && signature?.length === 64)
      return { account: account.address, signedMessage, signature }
    throw new Fault('bad_response', `${wallet.name} expected to answer with an account and its signature`)
  }

  return { signMessage, signAllTransactions, signIn }
}

async function asked(
  wallet: KnownWallets,
  call: (...inputs: unknown[]) => unknown,
  inputs: object[],
): Promise<unknown> {
  try {
    return await call(...inputs)
  } catch (cause) {
    const { code, message } = walletFailure(wallet.name, 'signTransaction', cause)
    throw new Fault(code, message)
  }
}

function signedIn(outputs: unknown, count: number): Uint8Array[] | undefined {
  if (!Array.isArray(outputs) || outputs.length !== count) return undefined
  const found = outputs.flatMap(one => bytesOf(one, 'signedTransaction') ?? [])
  const isWhole = found.length === count && found.every(({ length }) => length > 0 && length <= transactionLimit)
  return isWhole ? found : undefined
}

function accountOf(output: unknown): WalletAccount | undefined {
  try {
    const account = Reflect.get(Object(output) as object, 'account') as unknown
    return accountsIn({ accounts: [account] })?.find(({ address }) => isSolanaAddress(address))
  } catch {
    return undefined
  }
}
