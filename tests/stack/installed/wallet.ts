import { createWalletChain } from '../wallet/chain.ts'
import { describeTransaction, readableText, type TokenNames } from '../wallet/describe.ts'
import { type Manner, type Signer, signerFromWord, signTransaction } from '../wallet/signer.ts'
import { readWalletTransaction } from '../wallet/transaction.ts'
import { iconOf } from './icon.ts'
import { createKeeping } from './keeping.ts'
import type { Panel } from './panel.ts'
import { announce, type StandardAccount, type StandardWallet } from './standard.ts'

/**
 * Automatic decisions; `ask` opens the confirm window. `silent` does not answer a silent connect either, `locked`, `broken` and
 * `busy` throw, the last for a request that is open already, `empty` approves without an account.
 */
export type InstalledPolicy = {
  connect: 'ask' | 'approve' | 'decline' | 'silent' | 'locked' | 'broken' | 'busy' | 'empty'
  /** `alter` signs another amount, `other` signs with another account; both without asking. */
  sign: 'ask' | 'approve' | 'decline' | 'silent' | 'broken' | 'alter' | 'other'
}

/** Requests of a page. */
export type PromptKind = 'connect' | 'signTransaction' | 'signAndSendTransaction' | 'signMessage'

/** One installed wallet. */
export type InstalledOptions = {
  name: string
  /** Its key in `window.__wallets`; default its name. */
  key?: string
  /** `sendOnly` leaves out signTransaction and signMessage. */
  features?: 'all' | 'sendOnly'
  /** Seed word of its keys; absent: generated once and stored. */
  word?: string
  policy?: Partial<InstalledPolicy>
}

/** One question and its outcome; `open` until answered. */
export type Entry = { kind: PromptKind; outcome: string; chain?: string; txId?: string }

/** Controls for tests: `window.__wallets[key]`. */
export type InstalledControl = {
  policy: InstalledPolicy
  /** Number of questions by kind, with or without a window; silent connects do not count. */
  prompts: Record<PromptKind, number>
  /** All calls of the page, silent ones included. */
  calls: string[]
  /** Outcome of each question, in order; ids of sent transactions in base58. */
  history: Entry[]
  address(): string
  announce(): void
  unregister(): void
  /** Switches to the other account and notifies the page. */
  changeAccount(): void
  /** Revokes this site's permission to connect. */
  forget(): void
  /** Withdraws the accounts, as a person does inside the wallet. */
  lock(): void
}

const chains = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'] as const

type Input = {
  account?: { address?: string }
  transaction: Uint8Array
  message: Uint8Array
  chain?: string
  options?: object
}

/** Makes a Wallet Standard wallet that signs for real and sends to the given chain. */
export function createInstalledWallet(
  options: InstalledOptions,
  world: { rpcUrl: string; panel: Panel; tokens?: TokenNames },
) {
  const { name } = options
  const keeping = createKeeping(options.key ?? name, options.word)
  const chain = createWalletChain(world.rpcUrl)
  const listeners = new Set<(change: { accounts: readonly StandardAccount[] }) => void>()
  const sendOnly = options.features === 'sendOnly'
  let accounts: readonly StandardAccount[] = []
  let takeBack: (() => void) | undefined

  const signerAt = (index: number): Signer => signerFromWord(`${keeping.read().word} account ${index}`)
  const current = (): Signer => signerAt(keeping.read().account)
  const other = (): Signer => signerAt(1 - keeping.read().account)
  const signing = sendOnly
    ? ['solana:signAndSendTransaction']
    : ['solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signMessage']
  const accountNow = (): StandardAccount => {
    const { address, publicKey } = current()
    return Object.freeze({
      address,
      publicKey: publicKey.slice(),
      chains,
      features: signing,
      label: `${name} ${keeping.read().account + 1}`,
    })
  }
  const tell = (changed: readonly StandardAccount[]): void => {
    accounts = changed
    for (const listener of listeners) listener({ accounts })
  }

  const decide = async (
    kind: PromptKind,
    question: { title: string; lines: string[] },
  ): Promise<{ manner: Manner; entry: Entry }> => {
    control.prompts[kind] += 1
    const chosen = kind === 'connect' ? control.policy.connect : control.policy.sign
    const entry: Entry = { kind, outcome: 'open' }
    control.history.push(entry)
    const verdict =
      chosen === 'ask'
        ? await world.panel.ask({
            wallet: name,
            ...question,
            account: () => current().address,
            changeAccount: control.changeAccount,
          })
        : chosen
    entry.outcome = verdict
    if (verdict === 'silent') return never()
    if (verdict === 'decline') throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    if (verdict === 'locked') throw new Error('The wallet is locked.')
    if (verdict === 'busy') throw Object.assign(new Error('Already processing a request.'), { code: -32002 })
    if (verdict === 'broken') throw Object.assign(new Error('Internal error.'), { code: -32603 })
    return { manner: verdict === 'alter' || verdict === 'other' ? verdict : 'plain', entry }
  }
  const own = (inputs: Input[]): void => {
    if (inputs.length === 0) throw new Error(`${name} expected at least one thing to sign`)
    for (const { account } of inputs) {
      if (!accounts.some(({ address }) => address === account?.address))
        throw new Error(`${name} is not connected with ${account?.address}`)
    }
  }
  const words = (inputs: Input[]): string[] =>
    inputs.flatMap(({ transaction }) => describeTransaction(readWalletTransaction(transaction), world.tokens))
  /** Read before the question: the page asked for this account. */
  const accountsFor = (input: Input): [Signer, Signer] => {
    const [first, second] = [current(), other()]
    return input.account?.address === second.address ? [second, first] : [first, second]
  }

  const connect = async ({ silent = false }: { silent?: boolean } = {}) => {
    control.calls.push(silent ? 'silent connect' : 'connect')
    if (silent && control.policy.connect === 'silent') return never()
    if (silent && !keeping.read().trusted) return { accounts }
    if (!silent)
      await decide('connect', { title: 'connect', lines: ['See your address', 'Ask you to approve payments'] })
    if (!silent && control.policy.connect === 'empty') return { accounts: [] }
    keeping.write({ trusted: true })
    tell([accountNow()])
    return { accounts }
  }
  const sign = async (...inputs: Input[]) => {
    control.calls.push('signTransaction')
    own(inputs)
    const signers = inputs.map(accountsFor)
    const { manner } = await decide('signTransaction', { title: 'sign a transaction', lines: words(inputs) })
    return inputs.map((input, at) => ({
      signedTransaction: signTransaction(input.transaction, signers[at] as [Signer, Signer], manner).bytes,
    }))
  }
  const signAndSend = async (...inputs: Input[]) => {
    control.calls.push('signAndSendTransaction')
    own(inputs)
    for (const input of inputs) {
      if (!(chains as readonly string[]).includes(input.chain ?? ''))
        throw new Error(`${name} does not know the chain ${input.chain}`)
    }
    const signers = inputs.map(accountsFor)
    const { manner, entry } = await decide('signAndSendTransaction', {
      title: 'sign and send a transaction',
      lines: words(inputs),
    })
    const outputs: { signature: Uint8Array }[] = []
    for (const [at, input] of inputs.entries()) {
      const { bytes, txId } = signTransaction(input.transaction, signers[at] as [Signer, Signer], manner)
      Object.assign(entry, { txId, chain: input.chain })
      await chain.send(bytes, input.options)
      outputs.push({ signature: bytes.slice(1, 65) })
    }
    return outputs
  }
  const signMessage = async (...inputs: Input[]) => {
    own(inputs)
    const signers = inputs.map(accountsFor)
    const { manner } = await decide('signMessage', {
      title: 'sign a message',
      lines: inputs.map(({ message }) => readableText(message)),
    })
    return inputs.map(({ message }, at) => {
      const [asked, mixedUp] = signers[at] as [Signer, Signer]
      const signedMessage = manner === 'alter' ? Uint8Array.of(...message, 33) : message
      return {
        signedMessage,
        signature: (manner === 'other' ? mixedUp : asked).sign(signedMessage),
        signatureType: 'ed25519',
      }
    })
  }
  const on = (event: string, listener: (change: { accounts: readonly StandardAccount[] }) => void) => {
    if (event === 'change') listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const supportedTransactionVersions = ['legacy', 0]
  const signers = {
    'solana:signTransaction': { version: '1.0.0', supportedTransactionVersions, signTransaction: sign },
    'solana:signMessage': { version: '1.1.0', signMessage },
  }
  const wallet: StandardWallet = Object.freeze({
    version: '1.0.0',
    name,
    icon: iconOf(name),
    chains,
    features: Object.freeze({
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => tell([]) },
      'standard:events': { version: '1.0.0', on },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions,
        signAndSendTransaction: signAndSend,
      },
      ...(sendOnly ? {} : signers),
    }),
    get accounts() {
      return accounts
    },
  })
  const control: InstalledControl = {
    policy: { connect: 'ask', sign: 'ask', ...options.policy },
    prompts: { connect: 0, signTransaction: 0, signAndSendTransaction: 0, signMessage: 0 },
    calls: [],
    history: [],
    address: () => current().address,
    announce: () => {
      takeBack ??= announce(wallet)
    },
    unregister: () => {
      takeBack?.()
      takeBack = undefined
    },
    changeAccount: () => {
      keeping.write({ account: 1 - keeping.read().account })
      if (accounts.length > 0) tell([accountNow()])
    },
    forget: () => keeping.write({ trusted: false }),
    lock: () => tell([]),
  }
  return { wallet, control }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
