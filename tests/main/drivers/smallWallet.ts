/** A small honest Wallet Standard wallet, and a page driver that records its announcements and answers. */
import type { PageFact } from '../../../src/events/app.ts'
import type { ConnectedWallet } from '../../../src/events/effect.ts'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import { networks } from '../../../src/events/values/networks.ts'
import type { PageAnswer, PageEffect } from '../../../src/events/wire.ts'
import { stills } from './pictures/samples.ts'
import { createWallets } from '../../../src/main/drivers/wallets/wallets.ts'

export type Account = { address: string; publicKey: Uint8Array; chains: string[]; features: string[] }
type Api = { register(...wallets: unknown[]): () => void }

export const devnet = networks.find(network => network.cluster === 'devnet')?.genesisHash ?? ''
export const icon = `data:image/png;base64,${stills.interlacedPng}`

/** @returns the account whose key is 32 times this byte */
export function account(byte: number): Account {
  const publicKey = new Uint8Array(32).fill(byte)
  return { address: encodeBase58(publicKey), publicKey, chains: ['solana:devnet'], features: [] }
}

/** Properties of a small wallet; each call is answered by the function of its name. */
export type SmallOptions = {
  name?: string
  icon?: unknown
  accounts?: Account[]
  connect?: (input: { silent?: boolean } | undefined) => unknown
  signTransaction?: (input: { account: Account; transaction: Uint8Array; chain?: string }) => unknown
  signAndSendTransaction?: (input: { account: Account; chain: string; options: object }) => unknown
  disconnect?: () => unknown
  without?: string[]
}

export function smallWallet(options: SmallOptions = {}) {
  const listeners = new Set<(change: unknown) => void>()
  let accounts = options.accounts ?? []
  const calls: { method: string; input: unknown }[] = []
  const called =
    (method: string, run: (input: never) => unknown) =>
    async (input: never): Promise<unknown> => {
      calls.push({ method, input })
      return run(input)
    }
  const shared = [account(1)]
  const connect = () => {
    accounts = options.accounts ?? shared
    return { accounts }
  }
  const features: Record<string, unknown> = {
    'standard:connect': { connect: called('connect', options.connect ?? connect) },
    'standard:disconnect': { disconnect: called('disconnect', options.disconnect ?? (() => undefined)) },
    'standard:events': {
      on: (_: 'change', listener: (change: unknown) => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    'solana:signTransaction': {
      signTransaction: called(
        'signTransaction',
        options.signTransaction ??
          ((input: { transaction: Uint8Array }) => [{ signedTransaction: Uint8Array.of(1, ...input.transaction) }]),
      ),
    },
    'solana:signAndSendTransaction': {
      signAndSendTransaction: called(
        'signAndSendTransaction',
        options.signAndSendTransaction ?? (() => [{ signature: new Uint8Array(64).fill(7) }]),
      ),
    },
  }
  for (const feature of options.without ?? []) delete features[feature]
  const wallet = {
    version: '1.0.0',
    name: options.name ?? 'Quill',
    icon: 'icon' in options ? options.icon : icon,
    chains: ['solana:mainnet', 'solana:devnet'],
    features,
    get accounts() {
      return accounts
    },
  }
  return {
    wallet,
    calls,
    followers: () => listeners.size,
    times: (method: string) => calls.filter(call => call.method === method).length,
    change(next: unknown) {
      if (Array.isArray(next)) accounts = next as Account[]
      for (const listener of listeners) listener({ accounts: next })
    },
  }
}

/** The wallets of a page and their announcements, before the page listens and after. */
export function announceIn(window: EventTarget, ...wallets: unknown[]): () => void {
  let takeBack: (() => void) | undefined
  const callback = (api: Api) => {
    takeBack = api.register(...wallets)
  }
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  if (!takeBack)
    window.addEventListener('wallet-standard:app-ready', event => callback((event as CustomEvent<Api>).detail))
  return () => takeBack?.()
}

/** The driver in a page of its own, already listening. `core.up` tells whether answers arrive. */
export async function page(...early: unknown[]) {
  const window = new EventTarget()
  const said: PageFact[] = []
  const delivered: { effectId: string; answer: PageAnswer }[] = []
  const core = { up: true }
  if (early.length > 0) announceIn(window, ...early)
  const wallets = createWallets({ window, dispatch: fact => said.push(fact) })
  wallets.setDeliver(async (effectId, answer) => {
    if (!core.up) throw new Error('the core is gone')
    delivered.push({ effectId, answer })
  })
  await settled()
  let effects = 0
  const perform = (effect: Omit<PageEffect, 'id'> & { id?: string }) => {
    effects += 1
    const id = effect.id ?? `e1.${effects}.0`
    wallets.perform({ ...effect, id } as PageEffect)
    return id
  }
  return {
    window,
    wallets,
    said,
    delivered,
    core,
    perform,
    announce: (...late: unknown[]) => announceIn(window, ...late),
    /** Performs an effect and resolves with the answer to the core. */
    async ask(effect: Omit<PageEffect, 'id'> & { id?: string }): Promise<PageAnswer | undefined> {
      const id = perform(effect)
      await settled()
      return delivered.filter(one => one.effectId === id).at(-1)?.answer
    },
    messages: () => said.flatMap(fact => (fact.type === 'installed.refused' ? [fact.data.message] : [])),
    names: () => said.flatMap(fact => (fact.type === 'installed.announced' ? [fact.data.walletKey] : [])),
  }
}

export const connecting = (name = 'Quill', walletKey = name) =>
  ({ type: 'wallet.connect', data: { walletKey, name, silent: false } }) as const
export const restoring = (name = 'Quill', identity?: string) =>
  ({ type: 'wallet.connect', data: { walletKey: '', ...held(name, identity), silent: true } }) as const
export const signing = (of: Account, name = 'Quill', identity?: string) =>
  ({
    type: 'wallet.signTransaction',
    data: { ...held(name, identity), account: of.address, bytesRef: 'b1', genesisHash: devnet },
    bytes: Uint8Array.of(2, 3),
  }) as const
export const sending = (of: Account, name = 'Quill') =>
  ({ ...signing(of, name), type: 'wallet.signAndSendTransaction' }) as const
export const watching = (of: Account, connectionId = 'c1', name = 'Quill', identity?: string) =>
  ({ type: 'wallet.watch', data: { connectionId, ...held(name, identity), account: of.address } }) as const

function held(name: string, identity: string | undefined): ConnectedWallet {
  return identity === undefined ? { name } : { name, identity }
}

/** Runs all promises that can proceed. */
export function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
