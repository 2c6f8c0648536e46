/** The modal, the network and the wallet as a host sees them, and their events. */
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { walletName } from '../../events/subjects/wallet/connection.ts'
import { shownScreen } from '../../events/subjects/page/screenFold.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import { own } from '../../runtime/schema/own.ts'
import { canUse } from '../../events/subjects/wallet/approvedNetworks.ts'
import type { Page } from '../page/page.tsx'
import type { UiConfig } from '../../ui/react.tsx'
import { installedOf } from '../../ui/walletPicture.ts'
import { hostAccount } from './host.ts'
import type { HostEvents, HostNetwork, ModalState, WalletInfo } from './hostModal.ts'

type Networks = Pick<UiConfig, 'networks'>

/** @returns the network of the page's RPC once it is known, the host's own by its own name */
function hostNetwork(model: Model, { networks }: Networks): HostNetwork | undefined {
  const { network } = model
  if (network.phase !== 'identified') return undefined
  const { caip2, genesisHash } = network
  const { name, test } = networkOfGenesis(genesisHash)
  return {
    caipNetworkId: caip2,
    name: networks?.find(one => one.caip2 === caip2)?.name ?? name,
    test,
    supported: canUse(model, caip2),
  }
}

/** @returns the connection that is live, with its account */
function liveConnection(model: Model) {
  const active = activeConnection(model)
  return active?.connection.phase === 'live' ? active : undefined
}

/**
 * @param walletIcon the picture of an installed wallet
 * @returns the wallet of the live connection
 */
export function walletInfo(
  model: Model,
  walletIcon: (walletKey: string) => string | undefined,
): WalletInfo | undefined {
  const connection = liveConnection(model)?.connection
  if (!connection) return undefined
  const { connector, wallet } = connection
  const here = installedOf(model.installed, connection)
  const icon = here && walletIcon(here.walletKey)
  return { name: walletName(connection), connector, walletId: wallet.walletId, ...(icon !== undefined && { icon }) }
}

/** @returns the modal and the account as a host sees them */
export function modalState(model: Model, networks: Networks): Omit<ModalState, 'themeMode'> {
  const live = liveConnection(model)
  return {
    open: model.screen.open,
    view: shownScreen(model)?.name,
    account: hostAccount(model),
    network: hostNetwork(model, networks),
    balance: live && own(model.balance, live.account)?.amounts.SOL,
  }
}

/**
 * Reports openings, closings, failed attempts and the network.
 *
 * @returns a function that stops the reports
 */
export function watchModal(
  { store, surroundings: { config } }: Pick<Page, 'store' | 'surroundings'>,
  emit: <E extends Exclude<keyof HostEvents, 'connected' | 'disconnected'>>(event: E, news: HostEvents[E]) => void,
): () => void {
  let { open, view, network } = modalState(store.model(), config)
  let failed = failedAttempt(store.model())?.attemptId
  return store.subscribe(() => {
    const model = store.model()
    const now = modalState(model, config)
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
