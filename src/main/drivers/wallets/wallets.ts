/**
 * The driver of wallets installed in this browser. It listens to their announcements, carries out the core's wallet effects,
 * and holds each answer until the core has committed it.
 *
 * 1. One effect opens one prompt at most, however often it is ordered.
 * 2. A connection's wallet is the object whose row was pressed in this page, else the only one here with the recorded name and
 *    picture and without a lookalike. Without a press no other wallet is called.
 */
import { withinTime } from '../../../runtime/withinTime.ts'
import type { PageFact } from '../../../events/app.ts'
import type { ConnectedWallet } from '../../../events/effect.ts'
import { Fault } from '../../../runtime/failure.ts'
import { encodeBase58 } from '../../../events/values/solana/base58.ts'
import { networkOfGenesis } from '../../../events/values/networks.ts'
import type { PageAnswer, PageEffect } from '../../../events/wire.ts'
import { accountsIn, labelsOf, outputBytes, lacks, type WalletAccount } from './announced.ts'
import { createRegistry, type KnownWallets } from './announcements.ts'
import { createAnswers, type Deliver } from '../answers.ts'
import { createFollowing } from './follow.ts'
import { type WalletCall, walletFailure } from './walletErrors.ts'

/** The driver of installed wallets. */
export type BrowserWallets = {
  /** Carries out an effect; its answer goes to the port of `setDeliver`. */
  perform(effect: PageEffect): void
  /** @returns a wallet's own picture as a data address, while the wallet is here */
  walletIcon(walletKey: string): string | undefined
  /** Sets the receiver of answers, anew for each core. */
  setDeliver(deliver: Deliver): void
  /** Ids of effects a wallet has not answered yet. */
  asking(): string[]
  /** Ids of effects whose answer may not be committed. */
  answered(): string[]
  /** Delivers uncommitted answers, after the core was attached anew. */
  redeliver(): void
  /** @throws Fault when the wallet of a connection is not here, or is ambiguous */
  walletOf(wanted: ConnectedWallet): KnownWallets
  /** Stops listening for announcements. */
  close(): void
}

type Ports = {
  window: EventTarget
  /** Writes a page fact: `installed.announced`, `installed.gone`, `installed.refused`. */
  dispatch(fact: PageFact): void
  /** Fetches the verify service's attestation of a message; without this port messages go unattested. */
  attest?(effect: Extract<PageEffect, { type: 'attest.get' }>): Promise<PageAnswer>
  /** Opens a wallet's own link; a page without this port opens none. */
  openLink?(effect: Extract<PageEffect, { type: 'link.open' | 'link.send' }>): Promise<PageAnswer>
}

type Signing = Extract<PageEffect, { type: 'wallet.signTransaction' | 'wallet.signAndSendTransaction' }>

/** Time for a wallet of an earlier connection to announce itself, ms. */
const arrivalMs = 5000
/** Time for a wallet to list its accounts without a prompt, ms. */
const silentMs = 10_000
/** Longest transaction, bytes. @see Solana, packet size */
const transactionLimit = 1232

/**
 * Makes the driver. From the next microtask on, it records all announcements, earlier ones too, as page facts. Holds the
 * answers, the chosen wallets, the watches and the registry; one function, because every effect needs several of them.
 */
export function createWallets({ window, dispatch, openLink, attest }: Ports): BrowserWallets {
  const answers = createAnswers()
  /** Wallets whose row the person pressed in this page, the latest last. */
  const chosen = new Set<KnownWallets>()
  const following = createFollowing({ find, wake: silently })
  const registry = createRegistry({
    window,
    dispatch,
    changed: following.changed,
    went(wallet) {
      chosen.delete(wallet)
      following.went(wallet)
    },
  })

  /** A connection's wallet: the one that was pressed here, else the only candidate. */
  function walletOf(wanted: ConnectedWallet): KnownWallets {
    return pressed(wanted) ?? sole(wanted)
  }

  function pressed({ name, identity }: ConnectedWallet): KnownWallets | undefined {
    const fits = (wallet: KnownWallets) =>
      wallet.name === name && (identity === undefined || wallet.identity === identity)
    return [...chosen].filter(fits).at(-1)
  }

  /** @throws Fault when the wallet is not here, or is ambiguous: then the person has to choose */
  function sole({ name, identity }: ConnectedWallet): KnownWallets {
    const here = registry.alike(name)
    if (!here) throw new Fault('unauthorized', `${name} expected to be compared with the other wallets, it is not yet`)
    if (here.length > 1)
      throw new Fault('unauthorized', `${name} expected to be alone with its name, ${here.length} wallets look alike`)
    const [wallet] = here
    if (wallet?.name !== name) throw gone(name)
    if (identity !== undefined && wallet.identity !== identity)
      throw new Fault('unauthorized', `${name} expected the picture that it was connected with, it has another`)
    return wallet
  }

  function find(wanted: ConnectedWallet): KnownWallets | undefined {
    try {
      return walletOf(wanted)
    } catch {
      return undefined
    }
  }

  async function connect({ data }: Extract<PageEffect, { type: 'wallet.connect' }>): Promise<PageAnswer> {
    const { walletKey, name, silent } = data
    if (silent) return restore(data)
    const wallet = registry.byKey(walletKey)
    if (!wallet) throw gone(name)
    const accounts = accountsIn(await wallet.call.connect())
    if (!accounts) throw new Fault('bad_response', `${name} expected to answer with a list of accounts`)
    if (accounts.length === 0)
      throw new Fault('bad_response', `${name} expected to share a Solana account, shared none`)
    chosen.delete(wallet)
    chosen.add(wallet)
    return connected(wallet, accounts)
  }

  async function restore(wanted: ConnectedWallet): Promise<PageAnswer> {
    const { name } = wanted
    await registry.awaited(name, arrivalMs)
    const wallet = walletOf(wanted)
    const accounts = await silently(wallet)
    if (accounts.length === 0) throw new Fault('wallet_gone', `${name} does not open without asking again`)
    // Another wallet of this name may have come meanwhile
    if (walletOf(wanted) !== wallet) throw gone(name)
    return connected(wallet, accounts)
  }

  function connected(wallet: KnownWallets, accounts: readonly WalletAccount[]): PageAnswer {
    return {
      type: 'wallet.connected',
      accounts: accounts.map(account => account.address),
      ...labelsOf(accounts),
      features: [...wallet.features],
      identity: wallet.identity,
    }
  }

  async function disconnect(wanted: ConnectedWallet): Promise<void> {
    const followed = following.to(wanted)
    const wallet = find(wanted)
    try {
      // The wallet notifies its other connections by its own event, so follow them until it is done
      await wallet?.call.disconnect?.()
    } catch {
      // The connection is over on this side, whatever the wallet answers
    }
    if (wallet) chosen.delete(wallet)
    following.stop(followed)
  }

  async function sign({ type, data, bytes }: Signing): Promise<PageAnswer> {
    const { name, account, genesisHash } = data
    const feature = type === 'wallet.signTransaction' ? 'signTransaction' : 'signAndSendTransaction'
    if (!pressed(data)) await registry.compared()
    const wallet = walletOf(data)
    const call = wallet.call[feature]
    if (!call) throw lacks(feature)
    if (!bytes) throw new Fault('bad_input', `${name} expected a transaction to sign, its bytes are not here`)
    const holder = wallet.accounts()?.find(({ address }) => address === account)
    if (!holder) throw new Fault('account_changed', `${name} does not list the account the transaction is for`)
    const chain = networkOfGenesis(genesisHash).walletChain
    const listed = wallet.chains.includes(chain)
    if (!listed && feature === 'signAndSendTransaction')
      throw new Fault(
        'unsupported',
        `Invalid chain id: ${name} expected to know ${chain}, it knows ${wallet.chains.join(', ')}`,
      )
    const input = { account: holder.raw, transaction: bytes.slice(), ...(listed ? { chain } : {}) }
    if (feature === 'signTransaction') {
      const signed = outputBytes(await call(input), 'signedTransaction')
      if (signed && signed.length > 0 && signed.length <= transactionLimit)
        return { type: 'wallet.signed', bytes: signed }
      throw wrong(name, `a signed transaction of at most ${transactionLimit} bytes`, signed)
    }
    const signature = outputBytes(await call({ ...input, options: { preflightCommitment: 'confirmed' } }), 'signature')
    if (signature?.length === 64) return { type: 'wallet.sent', signature: encodeBase58(signature) }
    throw wrong(name, 'a signature of 64 bytes', signature)
  }

  async function answerTo(effect: Exclude<PageEffect, { type: 'wallet.watch' | 'wallet.disconnect' }>): Promise<void> {
    if (effect.type === 'attest.get') {
      const none: PageAnswer = { type: 'attest.got', messageRef: effect.data.messageRef, jwt: '' }
      return answers.settle(effect.id, (await attest?.(effect).catch(() => none)) ?? none)
    }
    if (effect.type === 'link.open' || effect.type === 'link.send') {
      const refused: PageAnswer = { type: 'link.skipped', why: 'refused' }
      return answers.settle(effect.id, (await openLink?.(effect).catch(() => refused)) ?? refused)
    }
    const asked = effect.type.slice('wallet.'.length) as WalletCall
    const doing = effect.type === 'wallet.connect' ? connect(effect) : sign(effect)
    const failed = (cause: unknown): PageAnswer => ({
      type: 'wallet.failed',
      failure: walletFailure(effect.data.name, asked, cause),
    })
    answers.settle(effect.id, await doing.catch(failed))
  }

  return {
    perform(effect) {
      if (effect.type === 'wallet.watch') following.watch(effect)
      else if (effect.type === 'wallet.disconnect') void disconnect(effect.data)
      else if (answers.begin(effect.id)) void answerTo(effect)
    },
    walletIcon: walletKey => registry.byKey(walletKey)?.icon,
    setDeliver(deliver) {
      answers.setDeliver(deliver)
      following.setDeliver(deliver)
    },
    asking: answers.asking,
    answered: answers.answered,
    redeliver() {
      answers.redeliver()
      following.redeliver()
    },
    walletOf,
    close: registry.close,
  }
}

/** Connects without a prompt. @returns the Solana accounts; none when the wallet needs a prompt, fails or stays silent */
async function silently(wallet: KnownWallets): Promise<WalletAccount[]> {
  const asked = (async () => accountsIn(await wallet.call.connect({ silent: true })))().catch(() => undefined)
  const accounts = await withinTime(asked, silentMs, () => undefined)
  return accounts ?? []
}

function gone(name: string): Fault {
  return new Fault('wallet_gone', `${name} is not in this page`)
}

function wrong(name: string, expected: string, got: Uint8Array | undefined): Fault {
  return new Fault(
    'bad_response',
    `${name} expected to answer with ${expected}, got ${got ? `${got.length} bytes` : 'none'}`,
  )
}
