/** The modal, the network and the wallet as a host sees them, and their events. */
import type { Model } from '../../events/app.ts'
import { activeConnection, walletName } from '../../events/subjects/connection.ts'
import { shownScreen } from '../../events/subjects/screen.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import type { Store } from '../../ui/store.ts'
import { hostAccount } from './host.ts'
import type { HostEvents, HostNetwork, ModalState, WalletInfo } from './hostModal.ts'

/** @returns the network of the page's RPC once it is known */
function hostNetwork({ network }: Model): HostNetwork | undefined {
  if (network.phase !== 'identified') return undefined
  const { name, test } = networkOfGenesis(network.genesisHash)
  return { caipNetworkId: network.caip2, name, test }
}

/** @returns the wallet of the live connection */
export function walletInfo(model: Model): WalletInfo | undefined {
  const connection = activeConnection(model)?.connection
  if (connection?.phase !== 'live') return undefined
  const { connector, wallet } = connection
  return { name: walletName(connection), connector, walletId: wallet.walletId }
}

/** @returns the modal and the account as a host sees them */
export function modalState(model: Model): Omit<ModalState, 'themeMode'> {
  return {
    open: model.screen.open,
    view: shownScreen(model)?.name,
    account: hostAccount(model),
    network: hostNetwork(model),
  }
}

/**
 * Reports openings, closings, failed attempts and the network.
 *
 * @returns a function that stops the reports
 */
export function watchModal(
  store: Pick<Store, 'model' | 'subscribe'>,
  emit: <E extends Exclude<keyof HostEvents, 'connected' | 'disconnected'>>(event: E, news: HostEvents[E]) => void,
): () => void {
  let { open, view, network } = modalState(store.model())
  let failed = failedAttempt(store.model())?.attemptId
  return store.subscribe(() => {
    const model = store.model()
    const now = modalState(model)
    const attempt = failedAttempt(model)
    const had = { open, view, network, failed }
    ;({ open, view, network } = now)
    failed = attempt?.attemptId
    if (open && view !== had.view && view) emit('view', { view })
    if (had.open && !open) emit('closed', undefined)
    if (network?.caipNetworkId !== had.network?.caipNetworkId) emit('network', network)
    if (attempt && failed !== had.failed) emit('failed', { code: attempt.failure.code })
  })
}

/** @returns the attempt to connect, when it has failed */
function failedAttempt({ connection: { attempt } }: Model) {
  return attempt.phase === 'failed' ? attempt : undefined
}
