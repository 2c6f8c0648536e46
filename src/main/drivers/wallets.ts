/**
 * The driver of wallets installed in this browser. It hears what they announce, carries out the core's wallet effects,
 * and keeps each answer until the core has it. One effect opens one prompt at most, however often it is ordered.
 */
import type { PageFact } from '../../events/app.ts'
import { Fault } from '../../events/failure.ts'
import { encodeBase58 } from '../../events/values/base58.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import type { PageAnswer, PageEffect } from '../../events/wire.ts'
import { accountsIn } from './announced.ts'
import { createRegistry, type Known } from './announcements.ts'
import { createAnswers, type Deliver } from './answers.ts'
import { createFollowing } from './follow.ts'
import { type Asked, walletFailure } from './walletErrors.ts'

export type Wallets = {
  /** Carries out an effect; its answer goes to the port of `setDeliver`. */
  perform(effect: PageEffect): void
  /** @returns a wallet's own picture as a data address, while the wallet is here */
  walletIcon(walletKey: string): string | undefined
  /** Where answers go. Called anew for each core. */
  setDeliver(deliver: Deliver): void
  /** Ids of effects a wallet has not answered yet. */
  asking(): string[]
  /** Ids of effects whose answer the core may not have. */
  answered(): string[]
  /** Hands over the answers the core may not have: after it was attached anew. */
  redeliver(): void
  /** Stops hearing announcements. */
  close(): void
}

type Ports = {
  window: EventTarget
  /** Writes a page fact: `installed.announced`, `installed.gone`, `installed.refused`. */
  say(fact: PageFact): void
  /** Opens a wallet's own link; a page without it opens none. */
  /** Has the verify service witness a message; a page without it has none witnessed. */
  attest?(effect: Extract<PageEffect, { type: 'attest.get' }>): Promise<PageAnswer>
  openLink?(effect: Extract<PageEffect, { type: 'link.open' | 'link.send' }>): Promise<PageAnswer>
}

type Signing = Extract<PageEffect, { type: 'wallet.signTransaction' | 'wallet.signAndSendTransaction' }>

/** How long a wallet of an earlier connection may take to announce itself, ms. */
const arrivalMs = 5000
/** How long a wallet may take to say without a prompt who is connected, ms. */
const silentMs = 10_000
/** Longest transaction, bytes. @see Solana, packet size */
const transactionLimit = 1232

/** Makes the driver. From the next microtask on, wallets announced before and after are written down as page facts. */
export function createWallets({ window, say, openLink, attest }: Ports): Wallets {
  const answers = createAnswers()
  /** Which of several wallets of one name the person chose in this page. */
  const chosen = new Map<string, Known>()
  const following = createFollowing({ find, wake: async wallet => (await silently(wallet)).map(one => one.address) })
  const registry = createRegistry({
    window,
    say,
    came: following.came,
    went(wallet) {
      if (chosen.get(wallet.name) === wallet) chosen.delete(wallet.name)
      following.went(wallet)
    },
  })

  function find(name: string, account: string): Known | undefined {
    const here = registry.byName(name)
    const holding = () => here.find(one => one.accounts()?.some(({ address }) => address === account))
    return chosen.get(name) ?? holding() ?? here[0]
  }

  async function connect({ data }: Extract<PageEffect, { type: 'wallet.connect' }>): Promise<PageAnswer> {
    const { walletKey, name, silent } = data
    if (silent) return restore(name)
    const wallet = registry.byKey(walletKey)
    if (!wallet) throw gone(name)
    const accounts = accountsIn(await wallet.call.connect())
    if (!accounts) throw new Fault('bad_response', `${name} expected to answer with a list of accounts`)
    if (accounts.length === 0)
      throw new Fault('bad_response', `${name} expected to share a Solana account, shared none`)
    return connected(wallet, accounts)
  }

  async function restore(name: string): Promise<PageAnswer> {
    const here = await registry.awaited(name, arrivalMs)
    const first = chosen.get(name)
    for (const wallet of first ? [first] : here) {
      const accounts = await silently(wallet)
      if (accounts.length > 0) return connected(wallet, accounts)
    }
    if (here.length === 0) throw gone(name)
    throw new Fault('wallet_gone', `${name} does not open without asking again`)
  }

  function connected(wallet: Known, accounts: readonly { address: string }[]): PageAnswer {
    chosen.set(wallet.name, wallet)
    return {
      type: 'wallet.connected',
      accounts: accounts.map(account => account.address),
      features: [...wallet.features],
    }
  }

  async function disconnect(name: string): Promise<void> {
    const followed = following.ofName(name)
    const wallet = chosen.get(name) ?? registry.byName(name)[0]
    try {
      // The wallet tells its other connections by its own event, so they are followed until it is done
      await wallet?.call.disconnect?.()
    } catch {
      // The connection is over on this side whatever the wallet says.
    }
    chosen.delete(name)
    following.stop(followed)
  }

  async function sign({ type, data, bytes }: Signing): Promise<PageAnswer> {
    const { name, account, genesisHash } = data
    const feature = type === 'wallet.signTransaction' ? 'signTransaction' : 'signAndSendTransaction'
    const wallet = find(name, account)
    if (!wallet) throw gone(name)
    const call = wallet.call[feature]
    if (!call) throw new Fault('unsupported', `${name} expected to offer ${feature}, it does not`)
    if (!bytes) throw new Fault('bad_input', `${name} expected a transaction to sign, its bytes are not here`)
    const holder = wallet.accounts()?.find(({ address }) => address === account)
    if (!holder) throw new Fault('account_changed', `${name} does not list the account the transaction is for`)
    const chain = networkOfGenesis(genesisHash).walletChain
    const listed = wallet.chains.includes(chain)
    if (!listed && feature === 'signAndSendTransaction')
      throw new Fault('unsupported', `${name} expected to know ${chain}, it knows ${wallet.chains.join(', ')}`)
    const input = { account: holder.raw, transaction: bytes.slice(), ...(listed ? { chain } : {}) }
    if (feature === 'signTransaction') {
      const signed = bytesIn(await call(input), 'signedTransaction')
      if (signed && signed.length > 0 && signed.length <= transactionLimit)
        return { type: 'wallet.signed', bytes: signed }
      throw wrong(name, `a signed transaction of at most ${transactionLimit} bytes`, signed)
    }
    const signature = bytesIn(await call({ ...input, options: { preflightCommitment: 'confirmed' } }), 'signature')
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
    const asked = effect.type.slice('wallet.'.length) as Asked
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
      else if (effect.type === 'wallet.disconnect') void disconnect(effect.data.name)
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
    close: registry.close,
  }
}

/** Connects without a prompt. @returns the Solana accounts; none when the wallet wants to ask, fails or stays silent */
async function silently(wallet: Known): Promise<{ address: string }[]> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, silentMs, undefined)
  })
  const asked = (async () => accountsIn(await wallet.call.connect({ silent: true })))().catch(() => undefined)
  const accounts = await Promise.race([asked, late])
  clearTimeout(timer)
  return accounts ?? []
}

/** The bytes under `key` in the one output of a signing feature, copied. */
function bytesIn(outputs: unknown, key: string): Uint8Array | undefined {
  try {
    const output = (outputs as unknown[])[0]
    if (!Array.isArray(outputs) || outputs.length !== 1 || typeof output !== 'object' || output === null)
      return undefined
    const found = Reflect.get(output, key) as unknown
    // A wallet may live in another frame, whose Uint8Array is another class
    if (!ArrayBuffer.isView(found) || Object.prototype.toString.call(found) !== '[object Uint8Array]') return undefined
    return new Uint8Array(found as Uint8Array)
  } catch {
    return undefined
  }
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
