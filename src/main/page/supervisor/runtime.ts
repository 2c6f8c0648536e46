/**
 * The page's runtime: the worker's supervisor and the page's drivers for wallets, images and downloads. A chunk of its own, so
 * that the page is drawn and its buttons work before it is loaded.
 */
import type { Surroundings, UiConfig } from '../../../ui/react.tsx'
import { foldBatch } from '../../../ui/foldBatch.ts'
import type { Store } from '../../../ui/store.ts'
import type { PageFact } from '../../../events/app.ts'
import type { Command } from '../../../events/command.ts'
import { networkOfGenesis } from '../../../events/values/networks.ts'
import { customImageId, type HostChoice } from '../../../events/wire.ts'
import { type Addresses, coreConfig } from '../../config.ts'
import { withinTime } from '../../../runtime/withinTime.ts'
import { download, recordingName } from '../../drivers/download.ts'
import { analyticsAtIdle } from '../../drivers/analytics/analyticsAtIdle.ts'
import { analyticsConfig } from '../../drivers/analytics/analyticsConfig.ts'
import { networksConfig } from '../../drivers/networksConfig.ts'
import { createImages } from '../../drivers/images.ts'
import { announceWallet } from '../../drivers/wallets/announceWallet.ts'
import { createWallets } from '../../drivers/wallets/wallets.ts'
import type { WalletSigning } from '../../drivers/wallets/walletSigning.ts'
import { mirrorAtIdle } from '../../storage/mirrorAtIdle.ts'
import type { EarlyFact } from '../../../runtime/page/factQueue.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import { later } from '../../../runtime/later.ts'
import { withoutNames } from '../redaction/withoutNames.ts'
import { workers } from '../workers.ts'

/** The runtime as the page and its services use it. */
export type Runtime = Pick<
  Surroundings,
  | 'dispatch'
  | 'command'
  | 'walletImage'
  | 'picture'
  | 'walletIcon'
  | 'walletLink'
  | 'walletOpened'
  | 'saveRecording'
  | 'takeOver'
  | 'erase'
  | 'ready'
> &
  Pick<Supervisor, 'core' | 'joined' | 'give' | 'hear' | 'tab'> & {
    /** Calls the listener with each request whose wallet the browser opens only by a press. @returns a function that unsubscribes */
    walletWaits(listener: (requestId: string) => void): () => void
    /** Signatures of installed wallets for a host. */
    signing(): Promise<WalletSigning>
    /** Ends the worker and the drivers; nothing starts again. */
    close(): void
  }

/**
 * Starts the worker and the page's drivers. One function, because the supervisor and the drivers need each other.
 *
 * @param early page facts from before the chunk was loaded, folded already
 * @param begin runs the start of the worker, now or later
 */
export function startRuntime({
  settings: { addresses, host, ui },
  store,
  now,
  early,
  onPhone,
  begin,
}: {
  settings: { addresses: Addresses; host: HostChoice; ui: Pick<UiConfig, 'allWallets' | 'host' | 'order'> }
  store: Store
  now: () => number
  early: readonly EarlyFact<PageFact>[]
  /** the device is handheld: its links open apps */
  onPhone: boolean
  begin: (start: () => void) => void
}): Runtime {
  store.foldBy(foldBatch)
  const waiting = new Set<(requestId: string) => void>()
  const links = later('opening a wallet’s link', async () =>
    (await import('../../drivers/links.ts')).createLinks(window, requestId => waiting.forEach(tell => tell(requestId))),
  )
  const wallets = createWallets({
    // Where WalletConnect alone connects, announcements are not heard
    window: ui.host?.basic ? new EventTarget() : window,
    dispatch: fact => supervisor.dispatch(fact),
    attest: async effect => (await import('../../drivers/attest.ts')).attest(window, effect),
    openLink: async effect => (await links.get()).open(effect),
  })
  const chain = () => {
    const { network } = store.model()
    return networkOfGenesis(network.phase === 'identified' ? network.genesisHash : '').walletChain
  }
  const signing = later('asking a wallet to sign', async () =>
    (await import('../../drivers/wallets/walletSigning.ts')).createWalletSigning({ walletOf: wallets.walletOf, chain }),
  )
  announceMore(store, host.metadata.name, ui.host?.connectors)
  const { noting, endMirror } = mirrorAtIdle(store, told => commands.command(told))
  const { analytics: _, networks, ...choice } = host
  const config = {
    ...coreConfig(addresses, choice),
    ...(onPhone && { onPhone }),
    ...networksConfig(networks, addresses),
    ...analyticsConfig(addresses.analyticsUrl, host, ui),
  }
  const { told, endAnalytics } = analyticsAtIdle(
    noting,
    config.analytics && (() => ({ store, ...commands, ...(ui.order && { order: ui.order }) })),
  )
  const supervisor = createSupervisor({
    store: told,
    config,
    checkScript: workers.checkCore,
    makeWorker: workers.core,
    now,
    wallets,
    early,
  })
  const commands = {
    dispatch: supervisor.dispatch,
    // Such a command may be lost, and no person is told
    command: (command: Command) => void supervisor.give(command).taken.catch(() => undefined),
  }
  const images = createImages({
    configUrl: addresses.configUrl,
    projectId: addresses.projectId,
    online: () => navigator.onLine,
    own: Object.fromEntries(
      (choice.customWallets ?? []).flatMap(({ image_url }, place) =>
        image_url === undefined ? [] : [[customImageId(place), image_url]],
      ),
    ),
  })
  begin(supervisor.start)

  return {
    dispatch: supervisor.dispatch,
    command: supervisor.command,
    tab: supervisor.tab,
    core: supervisor.core,
    joined: supervisor.joined,
    give: supervisor.give,
    hear: supervisor.hear,
    walletImage: imageId => images.picture('wallet', imageId),
    picture: images.picture,
    walletIcon: wallets.walletIcon,
    walletLink: async requestId => (await links.get()).linkOf(requestId, store.model()),
    walletOpened(requestId) {
      const tell = async () => {
        // The core orders the message again, and hears that it is out
        if ((await links.get()).pressed(requestId)) supervisor.command({ type: 'link.retry', data: {} })
      }
      void tell().catch(() => undefined)
    },
    signing: signing.get,
    walletWaits(listener) {
      waiting.add(listener)
      return () => void waiting.delete(listener)
    },
    close() {
      supervisor.stop()
      wallets.close()
      endMirror()
      endAnalytics()
    },
    takeOver: supervisor.takeOver,
    erase: supervisor.erase,
    async saveRecording() {
      const plain = await supervisor.recording()
      const text = await withoutNames(plain)
      const name = recordingName()
      download(name, text)
      return name
    },
    async ready() {
      const ready = await supervisor.core.ready()
      if (!ready) supervisor.dispatch({ type: 'tab.outdated', data: {} })
      return ready
    },
  }
}

/**
 * Announces wallets that do not announce themselves: the host's own, the wallet apps of an Android device, and Coinbase's. Without
 * its file the page goes on with the others.
 */
function announceMore(store: Store, name: string, connectors: readonly object[] = []): void {
  const announce = (wallet: object | undefined) => wallet && announceWallet(wallet)
  const late = (wallet: Promise<object | undefined>) => void wallet.then(announce, () => undefined)
  // The driver listens from the microtask before
  queueMicrotask(() => connectors.forEach(announce))
  if (isSecureContext && /Android(?!.*; wv\)).*Chrome\//.test(navigator.userAgent))
    late(
      import('../../drivers/mobileWallet/mobileWalletHere.ts').then(part =>
        part.mobileWalletHere(store, name, withinTime),
      ),
    )
  const { coinbaseSolana } = window as { coinbaseSolana?: unknown }
  if (coinbaseSolana)
    void import('../../drivers/wallets/coinbaseSolana.ts')
      .then(part => part.announceCoinbase(coinbaseSolana, store, announceWallet))
      .catch(() => undefined)
}
