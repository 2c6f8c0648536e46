/**
 * A modal that is used before its code is here: calls wait for it, listeners and the theme are handed over. Loading begins when
 * the page is idle or at the first call that needs it, so that it delays nothing of the host's own. Imports nothing that touches
 * a browser, so that a server may load it.
 */
import { later } from '../../runtime/later.ts'
import { atIdle } from '../../ui/atIdle.ts'
import type { ModalConfig } from '../embed/config/hostConfig.ts'
import type { HostEvents, HostModal, ModalState } from '../embed/hostModal.ts'

/**
 * The modal of the package and of the classic script. Before its code is here, `setThemeMode`, `setThemeVariables` and
 * `setLanguage` do not throw for a wrong value: the console says so once it is.
 */
export type DeferredModal = HostModal & {
  /** Resolves once the modal is created. @throws what `createModal` throws, and Fault `reload_needed` when a file is missing */
  ready(): Promise<void>
}

declare global {
  interface Window {
    /** Set by the presale page, by the embed and by its classic script. */
    MaiModal?: { createModal(config: ModalConfig): DeferredModal }
  }
}

type ModalPart = { createModal(config: ModalConfig): HostModal }

const nobody: ModalState = {
  open: false,
  view: undefined,
  account: {
    isConnected: false,
    address: undefined,
    caipAddress: undefined,
    status: 'disconnected',
    allAccounts: [],
    addressLabels: {},
    embeddedWalletInfo: undefined,
  },
  network: undefined,
  balance: undefined,
  themeMode: 'system',
}

/**
 * Holds the calls and listeners until the modal is created. One function, because each method hands them over.
 *
 * @param load brings the modal's code; called again after a failure by the next call
 */
export function deferModal(load: () => Promise<ModalPart>, config: ModalConfig): DeferredModal {
  let state = nobody
  let modal: HostModal | undefined
  let isDestroyed = false
  /** calls of `close` before the modal is created: they take back the openings before */
  let closings = 0
  const watchers = new Set<(state: ModalState) => void>()
  const attached = new Map<object, (to: HostModal) => () => void>()
  const detach = new Map<object, () => void>()
  const cancel = typeof document === 'undefined' ? () => undefined : atIdle(() => void begin())

  const created = later('the modal', async () => {
    const { createModal } = await load()
    if (isDestroyed) return undefined
    // A second attempt never creates a second modal
    modal ??= createModal(config)
    const made = modal
    state = made.getState()
    made.subscribe(tell)
    for (const [key, attach] of attached) detach.set(key, attach(made))
    tell(state)
    return made
  })
  /** A listener that throws costs no other one its news. */
  function tell(now: ModalState): void {
    state = now
    for (const watch of watchers)
      try {
        watch(now)
      } catch (cause) {
        reportError(cause)
      }
  }
  /** Starts loading; a failure stands in the console, and with the next call that returns a promise. */
  function begin(): void {
    created.get().catch((cause: unknown) => console.error(String((cause as Error).message)))
  }
  async function live(): Promise<HostModal> {
    const made = isDestroyed ? undefined : await created.get()
    if (made) return made
    throw Object.assign(new Error('this modal expected to be in use, it was destroyed'), { code: 'unsupported' })
  }
  /** Runs a call now, or once the modal is created. */
  function soon(call: (on: HostModal) => void): void {
    if (modal) call(modal)
    else
      live()
        .then(call)
        .catch((cause: unknown) => console.error(String((cause as Error).message)))
  }

  return {
    ready: async () => void (await live()),
    async open(request) {
      // At once, so that a `close` right after it is the later one
      if (modal) return modal.open(request)
      const before = closings
      const made = await live()
      return closings === before ? made.open(request) : { outcome: 'dismissed' }
    },
    close() {
      if (modal) modal.close()
      else closings += 1
    },
    subscribe(listener) {
      const watch = (now: ModalState) => listener(now)
      watchers.add(watch)
      return () => void watchers.delete(watch)
    },
    on<E extends keyof HostEvents>(event: E, listener: (news: HostEvents[E]) => void) {
      const key = {}
      const attach = (to: HostModal) => to.on(event, listener)
      attached.set(key, attach)
      if (modal) detach.set(key, attach(modal))
      return () => {
        attached.delete(key)
        detach.get(key)?.()
        detach.delete(key)
      }
    },
    getState: () => state,
    getAccount: () => state.account,
    getWalletInfo: () => modal?.getWalletInfo(),
    setThemeMode: mode => soon(on => on.setThemeMode(mode)),
    setThemeVariables: variables => soon(on => on.setThemeVariables(variables)),
    disconnect: async () => (await live()).disconnect(),
    switchNetwork: async caip2 => (await live()).switchNetwork(caip2),
    signMessage: async message => (await live()).signMessage(message),
    signTransaction: async transaction => (await live()).signTransaction(transaction),
    signAllTransactions: async transactions => (await live()).signAllTransactions(transactions),
    signInWithSolana: async input => (await live()).signInWithSolana(input),
    updateFeatures: async features => (await live()).updateFeatures(features),
    showButton: async (place, button) => (await live()).showButton(place, button),
    provider: async options => (await live()).provider(options),
    signIn: async request => (await live()).signIn(request),
    receiveLink: async url => (await live()).receiveLink(url),
    setLanguage: language => soon(on => on.setLanguage(language)),
    consent: given => soon(on => on.consent(given)),
    destroy() {
      isDestroyed = true
      cancel()
      watchers.clear()
      modal?.destroy()
    },
  }
}
