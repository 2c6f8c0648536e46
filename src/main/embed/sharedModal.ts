/** The one modal of a page and the handles of its callers. */
import { shownScreen } from '../../events/subjects/page/screenFold.ts'
import type { Screen } from '../../events/subjects/page/screen.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Later } from '../../runtime/later.ts'
import { isPhone } from '../../ui/isPhone.ts'
import { openingScreen } from '../../ui/modal/rules.ts'
import type { Surroundings } from '../../ui/react.tsx'
import type { Addresses } from '../config.ts'
import type { Page } from '../page/page.tsx'
import type { Provider, ProviderOptions } from '../provider/provider.ts'
import { languageTag } from './config/configChecks.ts'
import { guarded, hostAccount, watchAccount } from './host.ts'
import { type HostAccount, type HostEvents, type HostModal, isPlainView, type ModalState } from './hostModal.ts'
import type { OfModal } from './buttons/ButtonOf.tsx'
import { modalState, walletInfo, watchModal } from './hostState.ts'
import { destroyed, followOpening, orDestroyed } from './opening.ts'
import { type ThemeMode, wearMode, wearVariables } from './theme.ts'

/** The parts of a page's modal. */
type ModalParts = {
  page: Page
  /** carries the theme */
  element: HTMLElement
  addresses: Addresses
  themeMode: ThemeMode
  /** absent on the presale page, which has no requests but its own */
  forHosts?: ForHosts
}

/** The parts that a host's page alone offers, each loaded when it is asked for. */
type ForHosts = {
  beside: Later<Awaited<ReturnType<typeof import('../signIn/beside.tsx').drawBeside>>>
  startProvider(options?: ProviderOptions): Promise<Provider>
}

/** The one modal of a page, used by each caller of `createModal`. */
export type SharedModal = ModalParts & {
  /** listeners of all callers, each with its event */
  listeners: Set<{ event: keyof HostEvents; heard(news: unknown): void }>
  /** callers that have not called `destroy` */
  users: number
  end(): void
}

/**
 * Makes a page's modal ready for its callers.
 *
 * @param tellAccount hears the account before the listeners do
 * @param end runs when the last caller has left
 */
export function shareModal({
  tellAccount,
  end,
  ...parts
}: ModalParts & {
  tellAccount?: (event: 'connected' | 'disconnected', account: HostAccount) => void
  end: () => void
}): SharedModal {
  const listeners: SharedModal['listeners'] = new Set()
  const emit = (event: keyof HostEvents, news: unknown) => {
    for (const one of listeners) if (one.event === event) one.heard(news)
  }
  const stops = [
    watchAccount(parts.page.store, (event, account) => {
      tellAccount?.(event, account)
      emit(event, account)
    }),
    watchModal(parts.page, emit),
  ]
  return {
    ...parts,
    listeners,
    users: 0,
    end() {
      for (const stop of stops) stop()
      listeners.clear()
      end()
    },
  }
}

/** Opens the modal on a screen, or on the first that fits. */
export function openOn({ store, config, dispatch }: Surroundings, wished?: Screen): void {
  const screen = openingScreen(store.model(), config, isPhone(), wished)
  dispatch({ type: 'screen.opened', data: { screen } })
}

/** Most listeners of one event and caller before the console says so: more are rarely meant. */
const manyListeners = 10

/** A caller's handle on the page's modal. One function, because every method needs the caller's own listeners. */
export function handleOf(one: SharedModal): HostModal {
  const { page, element, addresses, forHosts } = one
  const { store, surroundings } = page
  const leaves = new Set<() => void>()
  const counts = new Map<keyof HostEvents, number>()
  let isDestroyed = false
  one.users += 1
  const mustLive = () => {
    if (isDestroyed) throw destroyed()
  }
  const inHostPage = (method: string): ForHosts => {
    mustLive()
    if (forHosts) return forHosts
    throw new Fault('unsupported', `modal.${method} expected a host’s page, the presale page does not have it`)
  }
  const state = (): ModalState => ({ ...modalState(store.model(), surroundings.config), themeMode: one.themeMode })
  const untilDestroyed = (leave: () => void) => {
    const once = () => {
      if (leaves.delete(once)) leave()
    }
    leaves.add(once)
    return once
  }

  const signAll: HostModal['signAllTransactions'] = async transactions => {
    mustLive()
    const part = await import('./signing/signTransactions.ts')
    return orDestroyed(part.signTransactions(page, addresses, transactions), untilDestroyed)
  }

  return {
    async open(request) {
      mustLive()
      const before = hostAccount(store.model()).address
      // The usual calls open within the press
      if (request === undefined) openOn(surroundings)
      else if (isPlainView(request)) openOn(surroundings, { name: request })
      else {
        const { wishedScreen } = await import('./wishedScreen.ts')
        // Nothing would end the outcome of a modal that was destroyed meanwhile
        mustLive()
        openOn(surroundings, wishedScreen(request))
      }
      const { outcome, leave } = followOpening(store, before)
      const forget = untilDestroyed(leave)
      return outcome.finally(forget)
    },
    close() {
      if (isDestroyed || !shownScreen(store.model())) return
      // A hidden attempt must not connect later
      if (store.model().connection.attempt.phase !== 'none')
        surroundings.command({ type: 'connection.abandon', data: {} })
      surroundings.dispatch({ type: 'screen.closed', data: {} })
    },
    subscribe(listener) {
      let told = JSON.stringify(state())
      const look = () => {
        const now = state()
        const text = JSON.stringify(now)
        if (text === told) return
        told = text
        guarded(() => listener(now))
      }
      return untilDestroyed(store.subscribe(look))
    },
    on(event, listener) {
      const entry = { event, heard: (news: unknown) => guarded(() => listener(news as never)) }
      const count = (counts.get(event) ?? 0) + 1
      counts.set(event, count)
      if (count === manyListeners + 1)
        console.warn(`modal.on: ${event} has more than ${manyListeners} listeners, one may never be removed`)
      one.listeners.add(entry)
      return untilDestroyed(() => {
        counts.set(event, (counts.get(event) ?? 1) - 1)
        one.listeners.delete(entry)
      })
    },
    getState: state,
    getAccount: () => hostAccount(store.model()),
    getWalletInfo: () => walletInfo(store.model(), surroundings.walletIcon),
    setThemeMode(mode) {
      mustLive()
      wearMode(element, mode)
      one.themeMode = mode
      surroundings.dispatch({ type: 'tab.themed', data: { theme: mode } })
    },
    setThemeVariables(variables) {
      mustLive()
      wearVariables(element, variables)
    },
    setLanguage(language) {
      mustLive()
      languageTag(language, 'setLanguage')
      surroundings.dispatch({ type: 'tab.languageChosen', data: { language } })
    },
    async disconnect() {
      mustLive()
      return (await import('./disconnect.ts')).disconnect(page)
    },
    async signMessage(message) {
      mustLive()
      const part = await import('./signing/signMessage.ts')
      return orDestroyed(part.signMessage(page, addresses, message), untilDestroyed)
    },
    signTransaction: async transaction => (await signAll([transaction]))[0] as Uint8Array,
    signAllTransactions: signAll,
    async signInWithSolana(input) {
      mustLive()
      const part = await import('./signing/signInWithSolana.ts')
      return orDestroyed(part.signInWithSolana({ page, addresses, here: location }, input), untilDestroyed)
    },
    async updateFeatures(features) {
      mustLive()
      ;(await import('./updateFeatures.ts')).updateFeatures(surroundings, features)
    },
    async showButton(place, button) {
      mustLive()
      const part = await import('./buttons/showButton.tsx')
      mustLive()
      const open: OfModal['open'] = name => openOn(surroundings, { name })
      return untilDestroyed(part.showButton({ page, modal: element, open, state }, place, button))
    },
    async switchNetwork(caip2) {
      mustLive()
      const part = await import('./switchNetwork.ts')
      return part.switchNetwork(surroundings, String(caip2))
    },
    provider: async options => inHostPage('provider').startProvider(options),
    async receiveLink(url) {
      await (await inHostPage('receiveLink').beside.get()).receiveLink(String(url))
    },
    async signIn(request) {
      const { ask } = await inHostPage('signIn').beside.get()
      mustLive()
      return orDestroyed(ask(request), untilDestroyed)
    },
    consent(given) {
      mustLive()
      surroundings.command({ type: 'analytics.consent', data: { given } })
    },
    destroy() {
      if (isDestroyed) return
      isDestroyed = true
      for (const leave of leaves) leave()
      one.users -= 1
      if (one.users === 0) one.end()
    },
  }
}
