/** Ways to a wallet and their ends as facts, for the gallery of the modal. */
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { ListedWallet } from '../../src/events/subjects/service/listingFacts.ts'
import type { ScreenOf } from '../../src/events/subjects/page/screen.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { inSilence, onPhone, searched } from './galleryActs.ts'
import {
  announced,
  connected,
  failed,
  type GalleryState,
  listed,
  opened,
  paired,
  read,
  requested,
  type Stage,
} from './modalStage.ts'

const wallet = { walletId: 'id-Torch', name: 'Torch' }
const plain = { walletId: 'walletConnect', name: 'WalletConnect' }
const phantom = { walletId: 'Phantom', name: 'Phantom' }
const homepage = 'https://torch.example'
const torch = (ways: Partial<ListedWallet>) => listed('Torch', { homepage, ...ways })
const mobileLink = 'torch://'
const webappLink = 'https://app.torch.example'
const desktopLink = 'torch-desktop://'
const chromeStore = 'https://chromewebstore.google.com/detail/torch'
const topic = '7f'.repeat(32)
const lost = { code: 'unreachable', message: 'no answer' } as const
const relayed: CoreSideFact = { type: 'relay.connected', data: {} }
const offline: CoreSideFact = { type: 'network.offline', data: {} }
const shown = (screen: ScreenOf<'WalletConnect' | 'AllWallets' | 'Connect' | 'GetWallet'>): PageFact => ({
  type: 'screen.shown',
  data: { screen },
})
const allWallets = shown({ name: 'AllWallets' })
const toWallet = shown({ name: 'WalletConnect', wallet })

/** The wallet is known with these ways to it, and its code is here. */
const chosen = (ways: Partial<ListedWallet>) => (on: Stage) => {
  on.facts(...read([torch(ways)]), relayed, requested('walletConnect', wallet.name, wallet.walletId), paired(topic))
  on.page(opened(), toWallet)
}

/** The code for any wallet is here. */
function code(on: Stage): void {
  on.facts(relayed, requested('walletConnect', 'WalletConnect', 'walletConnect'), paired(topic))
  on.page(opened(), shown({ name: 'WalletConnect', wallet: plain }))
}
const codeThen =
  (...facts: CoreSideFact[]): GalleryState =>
  on => {
    code(on)
    on.facts(...facts)
  }

/** An installed wallet was asked. */
function asking(on: Stage): void {
  const screen = { name: 'ConnectingInstalled', wallet: phantom, walletKey: 'key-Phantom' } as const
  on.page(opened(), { type: 'screen.shown', data: { screen } })
  on.facts(requested('installed', 'Phantom'))
}
/** The attempt at an installed wallet ended with this code. */
const ended =
  (code: FailureCode): GalleryState =>
  on => {
    asking(on)
    on.facts(failed(code))
  }

/** The directory, which answers a search or the reading of certified wallets with this fact. */
const answering =
  (answer: CoreSideFact | undefined, asked: { search?: string; certified?: true } = { search: searched }) =>
  (on: Stage) => {
    on.facts(...read([torch({ mobileLink }), listed('Phantom'), listed('Solflare')]))
    on.page(opened(), allWallets)
    // The toast of certified wallets would be gone by the time of a look at them
    on.surroundings.dispatch = () => undefined
    on.surroundings.command = command => {
      if (command.type !== 'listing.read' || command.data.search !== (asked.search ?? '')) return
      if (command.data.certified !== asked.certified) return
      on.facts({ type: 'listing.asked', data: { page: 1, search: '', ...asked } }, ...(answer ? [answer] : []))
    }
  }
const none = (asked: { search?: string; certified?: true }): CoreSideFact => ({
  type: 'listing.read',
  data: { page: 1, search: '', count: 0, wallets: [], ...asked },
})
const listFailed: CoreSideFact[] = [
  { type: 'listing.asked', data: { page: 1, search: '' } },
  { type: 'listing.failed', data: { page: 1, search: '', failure: lost } },
]

export const connectStates: Record<string, GalleryState> = {
  connectReading: on => on.page(announced('Phantom'), opened()),
  connectFailed: on => {
    on.page(opened())
    on.facts(...listFailed)
  },
  connectLinked: on => {
    on.page(announced('Phantom'), announced('Backpack'), opened('Account'), shown({ name: 'Connect' }))
    on.facts(...read([torch({ mobileLink })]), connected())
  },
  connectPhone: on => {
    onPhone()
    on.facts(...read([torch({ mobileLink }), listed('Lantern', { mobileLink: 'lantern://' }), listed('Candle')]))
    on.page(opened())
  },
  connectRefused: on => {
    connectStates.connectFailed?.(on)
    on.facts({ type: 'project.refused', data: { code: 'APKT007', title: 'Invalid Project ID' } })
  },
  twinKnown: on => {
    const twin = { ...announced('Phantom').data, walletKey: 'other', twin: true }
    on.page(announced('Phantom'), { type: 'installed.announced', data: { ...twin, identity: 'i1' } } as PageFact)
    on.page({ type: 'installed.alike', data: { walletKeys: ['key-Phantom', 'other'] } }, opened('Account'))
    const made = connected()
    on.facts({ ...made, data: { ...made.data, identity: 'i1' } } as CoreSideFact)
    on.page(shown({ name: 'Connect' }))
  },
  namedLike: on => {
    on.page(announced('Тоrch'), opened())
    on.facts(...read([torch({ mobileLink })]))
  },

  allNoneFound: answering(none({ search: searched })),
  allSearchFailed: answering({ type: 'listing.failed', data: { page: 1, search: searched, failure: lost } }),
  allSearching: answering(undefined),
  allNoneCertified: answering(none({ certified: true }), { certified: true }),
  allNoneCertifiedFound: answering(none({ search: searched, certified: true }), { search: searched, certified: true }),
  allMoreFailed: on => {
    on.facts(...read([torch({ mobileLink }), listed('Phantom'), listed('Solflare')], 480))
    on.facts({ type: 'listing.asked', data: { page: 2, search: '' } })
    on.facts({ type: 'listing.failed', data: { page: 2, search: '', failure: lost } })
    on.page(opened(), allWallets)
  },
  allOffline: on => {
    on.facts(offline, ...listFailed)
    on.page(opened(), allWallets)
  },
  allPhone: on => {
    onPhone()
    on.facts(...read([torch({ mobileLink }), listed('Lantern', { mobileLink: 'lantern://' })]))
    on.page(opened(), allWallets)
  },

  connectingQuiet: on => {
    inSilence()
    asking(on)
    on.clock.now += 10_000
  },
  connectingLocked: ended('wallet_locked'),
  connectingBusy: ended('busy'),
  connectingNoSolana: ended('unsupported'),
  connectingNoAccount: ended('bad_response'),
  connectingOffline: ended('offline'),
  connectingNoStorage: ended('storage_down'),
  connectingElsewhere: ended('elsewhere'),
  connectingChanged: ended('reload_needed'),

  ways: chosen({ mobileLink, webappLink, desktopLink, chromeStore }),
  wayWeb: chosen({ webappLink }),
  wayDesktop: chosen({ desktopLink }),
  wayBrowser: chosen({ chromeStore }),
  wayPhone: on => {
    onPhone()
    chosen({ mobileLink })(on)
  },
  wayPhoneWaits: on => {
    onPhone()
    on.facts(...read([torch({ mobileLink })]))
    on.page(opened(), toWallet)
  },
  wayOwnBrowser: on => {
    onPhone()
    const id = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
    on.facts(...read([{ ...listed('Phantom', { mobileLink: 'phantom://' }), walletId: id }]))
    on.page(opened(), shown({ name: 'WalletConnect', wallet: { walletId: id, name: 'Phantom' } }))
  },
  wayAnswered: on => {
    chosen({ mobileLink })(on)
    on.facts({ type: 'pairing.responded', data: { pairingTopic: topic, responderKey: 'r' } })
  },

  code,
  codeWaiting: on => on.page(opened(), shown({ name: 'WalletConnect' })),
  codeSettingUp: on => {
    on.facts({ type: 'relay.connecting', data: { attempt: 1, url: '' } })
    on.page(opened(), shown({ name: 'WalletConnect' }))
  },
  codeLost: on => {
    code(on)
    on.facts({ type: 'relay.lost', data: { failure: lost, attempt: 2, retryAt: on.clock.now + 8000 } })
  },
  codeRefused: codeThen({
    type: 'relay.refused',
    data: { failure: { code: 'unauthorized', message: 'no', facts: { objection: 'project' } } },
  }),
  codeGone: on => {
    on.surroundings.pairingUri = async () => undefined
    code(on)
  },
  codeRenewing: on => {
    code(on)
    on.clock.now += 192_001
  },
  codeTooLong: on => {
    on.surroundings.pairingUri = async () => `wc:${'7f'.repeat(4000)}`
    code(on)
  },
  codeOffline: codeThen(offline),
  codeAnswered: codeThen({ type: 'pairing.responded', data: { pairingTopic: topic, responderKey: 'r' } }),
  codeDeclined: codeThen(failed('user_rejected')),
  codeExpired: codeThen(failed('expired')),
  codeUnfit: codeThen(failed('unsupported')),
  codeAway: codeThen(failed('unreachable')),
  codeUnauthorized: codeThen(failed('unauthorized')),

  getReading: on => on.page(opened(), shown({ name: 'GetWallet' })),
  getFailed: on => {
    on.facts(...listFailed)
    on.page(opened(), shown({ name: 'GetWallet' }))
  },
  getNone: on => {
    on.facts(...read([listed('Torch')]))
    on.page(opened(), shown({ name: 'GetWallet' }))
  },
}
