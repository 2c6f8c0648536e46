/**
 * Watches the modal of a page for analytics. A chunk of its own, loaded for hosts that want analytics. An event is told when the
 * page is idle, after the press that it is about, or as the page is hidden. The core decides what is queued and sent.
 */
import type { Model, PageFact } from '../../../events/app.ts'
import type { Command } from '../../../events/command.ts'
import type { AnalyticsFact } from '../../../events/subjects/service/analytics.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import type { Screen } from '../../../events/subjects/page/screen.ts'
import { closedScreen, shownScreen } from '../../../events/subjects/page/screenFold.ts'
import { isPhone } from '../../../ui/isPhone.ts'
import { walletRows } from '../../../ui/connect/list/rows.ts'
import { atIdle } from '../../../ui/atIdle.ts'
import type { UiConfig } from '../../../ui/react.tsx'
import type { Store } from '../../../ui/store.ts'
import { languageOf, textsIn } from '../../../ui/texts/language.tsx'
import { noticesArea } from '../../../ui/texts/notices/en.ts'

type Told = Extract<Command, { type: 'analytics.track' }>['data']

export type AnalyticsPorts = {
  store: Pick<Store, 'model' | 'subscribe'>
  command(command: Command): void
  dispatch(fact: PageFact): void
  /** of the rows of Connect */
  order?: Order
}

type Order = UiConfig['order']
type Seen = Pick<Model, 'screen' | 'tab' | 'listing' | 'installed' | 'connection' | 'network'>

export type Analytics = {
  /** Takes a fact of analytics: the page's store folds none of them. */
  heard(fact: AnalyticsFact): void
  stop(): void
}

/** Starts watching, and tells that the modal was created. */
export function watchAnalytics({ store, command, dispatch, order }: AnalyticsPorts): Analytics {
  const untold: Command[] = []
  // A modal that is open already was opened before this file came
  let before: Seen = { ...store.model(), screen: closedScreen() }
  let cancel = (): void => undefined
  const ended = new AbortController()

  function flush(): void {
    for (const told of untold.splice(0)) command(told)
  }

  function tell(...told: Command[]): void {
    if (told.length === 0) return
    untold.push(...told)
    cancel()
    cancel = atIdle(flush)
  }

  function watch(): void {
    const now = store.model()
    tell(...eventsBetween(before, now, order).map(data => ({ type: 'analytics.track', data }) as const))
    const error = errorBetween(before, now)
    if (error !== undefined) tell({ type: 'analytics.report', data: { errorMessage: error } })
    // A core on another network tells first what it offers
    before = { ...now, network: now.network.offer ? now.network : before.network }
  }

  const unsubscribe = store.subscribe(watch)
  // Before the core hears that the page is hidden, and sends what waits
  document.addEventListener('visibilitychange', flush, { signal: ended.signal, capture: true })
  tell({ type: 'analytics.track', data: { event: 'INITIALIZE' } })
  watch()

  return {
    heard({ type, data }) {
      if (type !== 'analytics.failed' || !data.refused) return
      const message = textsIn(noticesArea, languageOf(store.model().tab.language)).analyticsRefused
      console.error(
        `APKT002: the analytics service refused this page. Add ${location.origin} to the project’s domains.`,
      )
      dispatch({ type: 'toast.shown', data: { toastId: 'analytics', variant: 'error', message, autoClose: true } })
    },
    stop() {
      unsubscribe()
      cancel()
      ended.abort()
    },
  }
}

/** The visitor's steps between two states of the page, oldest first. */
function eventsBetween(before: Seen, now: Seen, order: Order): Told[] {
  const connected = activeConnection(now) !== undefined
  const [was, is] = [before.screen.open, now.screen.open]
  const events: Told[] = []
  if (was && !is) events.push({ event: 'MODAL_CLOSE', connected })
  if (!was && is) events.push({ event: 'MODAL_OPEN', connected })
  const screen = shownScreen(now)
  // The first screen of a modal is no press of the visitor
  const isPress = now.screen.history.length > Math.max(1, before.screen.history.length)
  if (screen && isPress) events.push(...eventOf(screen, before, order))
  const { found, search, certified } = now.listing
  const isFound = found.phase === 'idle' && found.pages === 1 && found !== before.listing.found
  if (isFound && before.listing.found.pages === 0)
    events.push({ event: 'SEARCH_WALLET', badge: certified ? 'certified' : '', search })
  const [left, active] = [before.network.offer?.active, now.network.offer?.active]
  if (left !== undefined && active !== undefined && left !== active)
    events.push({ event: 'SWITCH_NETWORK', network: active })
  return events
}

/** The press that leads to a screen. */
function eventOf(screen: Screen, before: Seen, order: Order): Told[] {
  switch (screen.name) {
    case 'AllWallets':
      return [{ event: 'CLICK_ALL_WALLETS' }]
    case 'WhatIsAWallet':
      return [{ event: 'CLICK_WALLET_HELP' }]
    case 'GetWallet':
      return [{ event: 'CLICK_GET_WALLET' }]
    case 'ConnectingInstalled':
      return [selected(screen.wallet.name, 'browser', before, order)]
    case 'Networks':
      return [{ event: 'CLICK_NETWORKS' }]
    case 'WhatIsANetwork':
      return [{ event: 'CLICK_NETWORK_HELP' }]
    case 'Transactions':
      return [{ event: 'CLICK_TRANSACTIONS', isSmartAccount: false }]
    case 'WalletSend': {
      const { network } = before
      const on = network.phase === 'identified' && { network: network.caip2 }
      return [{ event: 'OPEN_SEND', isSmartAccount: false, ...on }]
    }
    case 'WalletConnect':
      return [selected(screen.wallet?.name ?? 'WalletConnect', isPhone() ? 'mobile' : 'qrcode', before, order)]
    default:
      return []
  }
}

function selected(name: string, platform: Told['platform'] & string, before: Seen, order: Order): Told {
  const rows = shownScreen(before)?.name === 'Connect' ? rowsOf(before, order) : []
  const displayIndex = rows.findIndex(({ wallet }) => wallet.name === name)
  return { event: 'SELECT_WALLET', name, platform, ...(displayIndex >= 0 && { displayIndex }) }
}

function rowsOf({ installed, connection, listing }: Seen, order: Order) {
  return walletRows(installed, connection.recent, listing, isPhone(), order)
}

/** @returns why this page lost its core between two states, or has none */
function errorBetween(before: Seen, { tab }: Seen): string | undefined {
  if (tab === before.tab || tab.phase === before.tab.phase) return undefined
  if (tab.phase === 'lost') return tab.reason
  return tab.phase === 'blocked' ? tab.message : undefined
}
