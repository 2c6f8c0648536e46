/** Models of connected pages, and a local storage that counts its writes. */
import type { AppFact, Model } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import { emptyModel } from '../../../src/events/emptyModel.ts'

export const at = 1_800_000_000_000
export const account = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
export const otherAccount = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'
export const evmAccount = '0x2AAE531a81461F029CD55Cb46703211c9227Ba05'
export const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const phantomId = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
export const torchId = 'ab'.repeat(32)

type Told = AppFact extends infer F ? (F extends { at: number } ? Omit<F, 'at'> & { at?: number } : never) : never

export const identified: Told = {
  type: 'network.identified',
  data: { genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', caip2: mainnet },
}
export const attached: Told = { type: 'tab.attached', data: { life: 1 } }

/** An installed wallet was connected. */
export function made(name: string, accounts: string[], connectionId = `c-${name}`): Told {
  const wallet = { walletId: name, name }
  const features: 'signTransaction'[] = ['signTransaction']
  return {
    type: 'connection.made',
    data: { connectionId, attemptId: 'a1', connector: 'installed', wallet, accounts, features },
  }
}
export const ended = (connectionId: string): Told => ({
  type: 'connection.ended',
  data: { connectionId, by: 'person' },
})
export const read = (lamports: string, readAt = at): Told => ({
  type: 'balance.read',
  data: { account, slot: Math.floor(readAt / 1000), amounts: { SOL: lamports } },
  at: readAt,
})

/** The wallet Torch approved a session over WalletConnect for Solana and Ethereum; `link`: it was opened by its link. */
export function torch({ link, disableDeepLink }: { link?: string; disableDeepLink?: true } = {}): Told[] {
  const names = { methods: [], events: [] }
  return [
    ...(link === undefined ? [] : [{ type: 'link.chosen', data: { pairingTopic: 'p1', link } } satisfies Told as Told]),
    {
      type: 'session.settled',
      data: {
        sessionTopic: 's1',
        pairingTopic: 'p1',
        controllerKey: 'k1',
        peer: { name: 'Torch', url: 'https://torch.example', description: '', icons: [] },
        namespaces: {
          solana: { ...names, accounts: [`${mainnet}:${account}`] },
          eip155: { ...names, accounts: [`eip155:1:${evmAccount}`, `eip155:137:${evmAccount}`] },
        },
        expiresAt: at + 604_800_000,
        transport: 'relay',
        ...(disableDeepLink && { disableDeepLink }),
      },
    },
    {
      type: 'connection.made',
      data: {
        connectionId: 'c-torch',
        attemptId: 'a1',
        connector: 'walletConnect',
        wallet: { walletId: torchId, name: 'Torch' },
        peerName: 'Torch',
        accounts: [account],
        features: ['signTransaction'],
        sessionTopic: 's1',
      },
    },
  ]
}
export const torchEnded: Told[] = [
  { type: 'session.deleted', data: { sessionTopic: 's1', by: 'person' } },
  ended('c-torch'),
]

/** @returns the model after the facts */
export function modelOf(...facts: Told[]): Model {
  const model = emptyModel()
  for (const [index, fact] of facts.entries()) fold(model, { at: at + index, ...fact } as AppFact)
  return model
}

/** A page with a core's model, on the main network. */
export const page = (...facts: Told[]): Model => modelOf(attached, identified, ...facts)

/** A local storage; `writes` has the names of the values that were written or removed. */
export function createPlace(values: Record<string, string> = {}) {
  const map = new Map(Object.entries(values))
  const writes: string[] = []
  return {
    writes,
    getItem: (name: string) => map.get(name) ?? null,
    setItem(name: string, text: string) {
      writes.push(name)
      map.set(name, text)
    },
    removeItem(name: string) {
      writes.push(name)
      map.delete(name)
    },
    values: () => Object.fromEntries(map),
    json: (name: string) => JSON.parse(map.get(name) ?? 'null') as unknown,
  }
}

/** A store that shows one model after another. */
export function createShelf(first: Model) {
  let model = first
  const listeners = new Set<() => void>()
  return {
    store: {
      model: () => model,
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    show(next: Model) {
      model = next
      for (const listener of listeners) listener()
    },
    listeners: () => listeners.size,
  }
}
