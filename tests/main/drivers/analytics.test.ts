// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageFact } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'
import type { Screen } from '../../../src/events/subjects/page/screen.ts'
import { type Analytics, watchAnalytics } from '../../../src/main/drivers/analytics/analytics.ts'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore, type Store } from '../../../src/ui/store.ts'
import { listed } from '../../ui/modalStage.ts'

let store: Store
let told: Command[]
let said: PageFact[]
let analytics: Analytics
let idle: (() => void) | undefined

beforeEach(() => {
  told = []
  said = []
  idle = undefined
  vi.stubGlobal('requestIdleCallback', (task: () => void) => void (idle = task))
  vi.stubGlobal('cancelIdleCallback', () => void (idle = undefined))
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
  analytics = watchAnalytics({
    store,
    command: command => void told.push(command),
    dispatch: fact => void said.push(fact),
  })
})
afterEach(() => {
  analytics.stop()
  vi.unstubAllGlobals()
})

const page = (fact: PageFact) => store.dispatch({ ...fact, at: 1 })
const show = (screen: Screen) => page({ type: 'screen.shown', data: { screen } })
/** The commands of an idle page, without those before. */
function atIdle(): unknown[] {
  idle?.()
  return told.splice(0).map(({ data }) => data)
}

test('the modal’s creation is told once, after the press that it may be in', () => {
  expect(told).toEqual([])
  expect(atIdle()).toEqual([{ event: 'INITIALIZE' }])
})

test('each press of a visitor is told, going back is not', () => {
  atIdle()
  page({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
  show({ name: 'WhatIsAWallet' })
  show({ name: 'GetWallet' })
  page({ type: 'screen.back', data: {} })
  page({ type: 'screen.back', data: {} })
  show({ name: 'AllWallets' })
  show({ name: 'WalletConnect', wallet: { walletId: 'w', name: 'Lantern' } })
  page({ type: 'screen.closed', data: {} })
  expect(told).toEqual([])
  expect(atIdle()).toEqual([
    { event: 'MODAL_OPEN', connected: false },
    { event: 'CLICK_WALLET_HELP' },
    { event: 'CLICK_GET_WALLET' },
    { event: 'CLICK_ALL_WALLETS' },
    { event: 'SELECT_WALLET', name: 'Lantern', platform: 'qrcode' },
    { event: 'MODAL_CLOSE', connected: false },
  ])
})

test('the ways to Send, to the activity and to the networks are told, and another network once it is active', () => {
  atIdle()
  const fact = { k: 'f', n: 1, at: 1, v: 1 } as const
  const [home, other] = ['solana:home', 'solana:other']
  const offered = (active: string) =>
    ({ type: 'network.offered', data: { home, active, networks: [home, other] } }) as const
  store.take([
    { ...fact, seq: 1, ...offered(home) },
    { ...fact, seq: 2, type: 'network.identified', data: { genesisHash: 'home', caip2: home } },
  ])
  page({ type: 'screen.opened', data: { screen: { name: 'Account' } } })
  show({ name: 'WalletSend' })
  show({ name: 'Transactions' })
  show({ name: 'Networks' })
  show({ name: 'WhatIsANetwork' })
  show({ name: 'SwitchNetwork', caip2: other })
  store.take([{ ...fact, seq: 3, ...offered(other) }])
  expect(atIdle()).toEqual([
    { event: 'MODAL_OPEN', connected: false },
    { event: 'OPEN_SEND', isSmartAccount: false, network: home },
    { event: 'CLICK_TRANSACTIONS', isSmartAccount: false },
    { event: 'CLICK_NETWORKS' },
    { event: 'CLICK_NETWORK_HELP' },
    { event: 'SWITCH_NETWORK', network: other },
  ])
})

test('a view that a host opens is no press', () => {
  atIdle()
  page({ type: 'screen.opened', data: { screen: { name: 'AllWallets' } } })
  expect(atIdle()).toEqual([{ event: 'MODAL_OPEN', connected: false }])
})

test('a wallet is told with its place among the rows, a search when it is answered', () => {
  atIdle()
  page({
    type: 'installed.announced',
    data: { walletKey: 'k', name: 'Quill', features: [], chains: [], twin: false },
  } as PageFact)
  page({ type: 'screen.opened', data: { screen: { name: 'Connect' } } })
  show({ name: 'ConnectingInstalled', wallet: { walletId: 'Quill', name: 'Quill' }, walletKey: 'k' })
  const fact = { k: 'f', n: 1, at: 1, v: 1 } as const
  const asked = { page: 1, search: 'lan', certified: true }
  const read = { ...asked, count: 1, wallets: [listed('Lantern')] }
  store.take([{ ...fact, seq: 1, type: 'listing.asked', data: asked }])
  store.take([{ ...fact, seq: 2, type: 'listing.read', data: read }])
  expect(atIdle()).toEqual([
    { event: 'MODAL_OPEN', connected: false },
    { event: 'SELECT_WALLET', name: 'Quill', platform: 'browser', displayIndex: 1 },
    { event: 'SEARCH_WALLET', badge: 'certified', search: 'lan' },
  ])
})

test('a hidden page tells at once, and a lost core is reported', () => {
  atIdle()
  page({ type: 'tab.coreLost', data: { reason: 'it did not answer a ping' } })
  document.dispatchEvent(new Event('visibilitychange'))
  expect(told.map(({ data }) => data)).toEqual([{ errorMessage: 'it did not answer a ping' }])
})

test('a refusal that begins is shown', () => {
  const failed = {
    type: 'analytics.failed',
    data: { failure: { code: 'unauthorized', message: '' }, eventIds: [] },
  } as const
  analytics.heard({ ...failed, data: { ...failed.data, eventIds: [] } })
  expect(said).toEqual([])
  analytics.heard({ ...failed, data: { ...failed.data, eventIds: [], refused: true } })
  expect(said).toMatchObject([{ type: 'toast.shown', data: { message: 'Invalid App Configuration' } }])
})
