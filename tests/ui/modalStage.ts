/** A model to look at and press on without a core: facts go in, commands and page facts come out. */
import type { ReactElement } from 'react'
import type { AppFact, CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { Command } from '../../src/events/command.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import type { ListedWallet } from '../../src/events/subjects/service/listingFacts.ts'
import type { Surroundings, WalletLink } from '../../src/ui/react.tsx'
import { foldBatch } from '../../src/ui/foldBatch.ts'
import { createStore } from '../../src/ui/store.ts'

export const start = 1_800_000_000_000
export const account = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
export const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** An entry of the directory. */
export function listed(name: string, more: Partial<ListedWallet> = {}): ListedWallet {
  return { walletId: `id-${name}`, name, certified: false, ...more }
}

/** A page with a model of its own. Time stands still at `start` unless `clock.now` is set. */
export function stage(over: Partial<Surroundings> = {}) {
  const clock = { now: start }
  const commands: Command[] = []
  const said: PageFact[] = []
  const copied: string[] = []
  const opened: WalletLink[] = []
  const saved = { count: 0 }
  const store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
  let seq = 0
  const surroundings: Surroundings = {
    store,
    config: {
      appName: 'MAI',
      termsUrl: 'https://mai.example/terms',
      privacyUrl: 'https://mai.example/privacy',
      solanaRpcUrl: 'http://127.0.0.1:8899',
      allWallets: 'SHOW',
      featured: [],
    },
    command: command => commands.push(command),
    dispatch: fact => {
      said.push(fact)
      store.dispatch({ ...fact, at: clock.now } as AppFact & PageFact)
    },
    pairingUri: async topic => `wc:${topic}@2?symKey=00`,
    walletImage: async () => undefined,
    picture: async () => undefined,
    walletIcon: () => undefined,
    walletLink: async () => undefined,
    walletOpened: () => undefined,
    open: link => {
      opened.push(link)
    },
    device: { recall: () => undefined, remember: () => undefined },
    copy: async text => {
      copied.push(text)
      return true
    },
    saveRecording: async () => {
      saved.count += 1
      return 'report.replay.jsonl'
    },
    takeOver: async () => undefined,
    erase: async () => true,
    ready: async () => true,
    now: () => clock.now,
    ...over,
  }
  return {
    store,
    surroundings,
    commands,
    said,
    copied,
    opened,
    saved,
    clock,
    /** Facts of the core, folded at once. */
    facts(...facts: CoreSideFact[]) {
      store.take(facts.map(fact => ({ k: 'f', seq: ++seq, n: seq, at: clock.now, v: 1, ...fact })) as never)
    },
    /** Facts of the page, as if a press had written them. */
    page(...facts: PageFact[]) {
      for (const fact of facts) store.dispatch({ ...fact, at: clock.now } as AppFact & PageFact)
    },
    types: () => commands.map(command => command.type),
    names: () => said.map(fact => fact.type),
  }
}
export type Stage = ReturnType<typeof stage>
/** Facts of a state to look at. @returns the elements on show; without any, the modal */
export type GalleryState = (on: Stage) => ReactElement | void

export const announced = (name: string, walletKey = `key-${name}`, twin = false): PageFact => ({
  type: 'installed.announced',
  data: { walletKey, name, features: ['signTransaction'], chains: ['solana:mainnet'], twin },
})
export const opened = (name: 'Connect' | 'Account' = 'Connect'): PageFact => ({
  type: 'screen.opened',
  data: { screen: { name } },
})
export const read = (wallets: ListedWallet[], count = wallets.length, page = 1, search = ''): CoreSideFact[] => [
  { type: 'listing.asked', data: { page, search } },
  { type: 'listing.read', data: { page, search, count, wallets } },
]
export const connected = (name = 'Phantom', connectionId = 'c1'): CoreSideFact => ({
  type: 'connection.made',
  data: {
    connectionId,
    attemptId: 'a1',
    connector: 'installed',
    wallet: { walletId: name, name },
    accounts: [account],
    features: ['signTransaction'],
  },
})
/** A session of the wallet Torch with its connection; `said` is the known validation of its origin. */
export const connectedTorch = (said: Partial<CoreSideFactOf<'session.settled'>> = {}): CoreSideFact[] => [
  {
    type: 'session.settled',
    data: {
      sessionTopic: 's1',
      pairingTopic: 'p1',
      controllerKey: 'k1',
      peer: { name: 'Torch', url: 'https://torch.example/app', description: '', icons: [] },
      namespaces: {},
      expiresAt: start + 604_800_000,
      transport: 'relay',
      ...said,
    },
  },
  {
    type: 'connection.made',
    data: {
      connectionId: 'c1',
      attemptId: 'a1',
      connector: 'walletConnect',
      wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
      peerName: 'Torch',
      accounts: [account],
      features: ['signTransaction'],
      sessionTopic: 's1',
    },
  },
]
type CoreSideFactOf<T extends CoreSideFact['type']> = Extract<CoreSideFact, { type: T }>['data']

export const requested = (
  connector: 'installed' | 'walletConnect',
  name: string,
  walletId = name,
  attemptId = 'a1',
): CoreSideFact => ({
  type: 'connection.requested',
  data: { attemptId, connector, wallet: { walletId, name } },
})
export const paired = (pairingTopic: string, at = start, attemptId = 'a1'): CoreSideFact => ({
  type: 'pairing.created',
  data: {
    pairingTopic,
    attemptId,
    proposalId: 'p1',
    publicKey: 'k1',
    renewAt: at + 192_000,
    expiresAt: at + 300_000,
  },
})
export const failed = (code: FailureCode): CoreSideFact => ({
  type: 'connection.failed',
  data: { attemptId: 'a1', failure: { code, message: `it ended with ${code}` } },
})
