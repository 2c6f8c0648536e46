/**
 * The visitor's account as a host page sees it.
 *
 * A page may set `window.onMaiConnected = account => …` and `window.onMaiDisconnected = account => …`. The
 * first is called when a wallet is connected, and again on every change of the account object; the second once it is known that
 * no wallet is connected, and whenever a connection ends. While a connection is being made, or restored after a reload, neither
 * is called.
 */
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import type { Store } from '../../ui/store.ts'
import type { HostAccount } from './hostModal.ts'

declare global {
  interface Window {
    onMaiConnected?: ((account: HostAccount) => void) | null
    onMaiDisconnected?: ((account: HostAccount) => void) | null
  }
}

/** @returns the visitor's account in the model */
export function hostAccount(model: Model): HostAccount {
  const active = activeConnection(model)
  const { network } = model
  if (active?.connection.phase !== 'live') {
    const connecting = model.connection.attempt.phase === 'asking' || active?.connection.phase === 'restoring'
    return {
      isConnected: false,
      address: undefined,
      caipAddress: undefined,
      status: connecting ? 'connecting' : 'disconnected',
      allAccounts: [],
      addressLabels: {},
      embeddedWalletInfo: undefined,
    }
  }
  const on = (address: string) => (network.phase === 'identified' ? `${network.caip2}:${address}` : undefined)
  return {
    isConnected: true,
    address: active.account,
    caipAddress: on(active.account),
    status: 'connected',
    allAccounts: active.connection.accounts.map(address => ({
      address,
      caipAddress: on(address),
      namespace: 'solana',
      type: 'eoa',
    })),
    addressLabels: Object.fromEntries((active.connection.labels ?? []).map(({ account, label }) => [account, label])),
    embeddedWalletInfo: undefined,
  }
}

/**
 * Reports the account whenever it is settled and differs from the last report.
 *
 * @param emit gets `connected` or `disconnected`; its errors go to the host's console
 * @returns a function that stops the reports
 */
export function watchAccount(
  store: Pick<Store, 'model' | 'subscribe'>,
  emit: (event: 'connected' | 'disconnected', account: HostAccount) => void,
): () => void {
  let told: string | undefined
  const look = () => {
    const model = store.model()
    const account = hostAccount(model)
    // Before a core has attached the account is unknown; a restart reports only changes
    if (account.status === 'connecting' || model.tab.phase !== 'attached') return
    const now = JSON.stringify(account)
    if (now === told) return
    told = now
    guarded(() => emit(account.isConnected ? 'connected' : 'disconnected', account))
  }
  const stop = store.subscribe(look)
  look()
  return stop
}

/** Calls the page's own global handler for an event, if it has one. */
export function callHandlers(page: Window, event: 'connected' | 'disconnected', account: HostAccount): void {
  const handler = event === 'connected' ? page.onMaiConnected : page.onMaiDisconnected
  if (typeof handler === 'function') guarded(() => handler.call(page, account))
}

/** Runs a host's code: its errors are reported like uncaught ones, and stop nothing here. */
export function guarded(run: () => void): void {
  try {
    run()
  } catch (cause) {
    reportError(cause)
  }
}
