/** The modal, its parts in a host's page and its sheets beside, in each of their states, as facts: to look at and to compare. */
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { Screen } from '../../src/events/subjects/page/screen.ts'
import { networks } from '../../src/events/values/networks.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { accountStates } from './accountStates.ts'
import { besideStates } from './besideStates.tsx'
import { connectStates } from './connectStates.ts'
import { inSilence } from './galleryActs.ts'
import {
  account,
  announced,
  connected,
  connectedTorch,
  failed,
  type GalleryState,
  genesis,
  listed,
  opened,
  paired,
  read,
  requested,
  type Stage,
} from './modalStage.ts'
import { sendStates } from './sendStates.ts'

const names = 'Phantom Solflare Backpack MetaMask Trust_Wallet OKX_Wallet Bitget Rainbow Coinbase Ledger_Live Zerion'
const wallets = names
  .split(' ')
  .map(name => listed(name.replace('_', ' '), { homepage: 'https://example.org', certified: name.length > 8 }))
const many = [...wallets, ...Array.from({ length: 29 }, (_, index) => listed(`Wallet ${index + 1}`))]
const phantom = { walletId: 'Phantom', name: 'Phantom' }
const identified: CoreSideFact = { type: 'network.identified', data: { genesisHash: genesis, caip2: 'solana:x' } }
const lost = { code: 'unreachable', message: 'no socket' } as const

const [mainnet, devnet, testnet] = networks.map(({ caip2 }) => caip2) as [string, string, string]
const offered: CoreSideFact = {
  type: 'network.offered',
  data: { home: mainnet, active: mainnet, networks: [mainnet, devnet, testnet, 'solana:own'] },
}
const approved = (chain: string) => ({
  namespaces: { solana: { accounts: [`${chain}:${account}`], methods: [], events: [] } },
})
const [mainnetOnly, devnetOnly] = [approved(mainnet), approved(devnet)]
const refused = (code: FailureCode): CoreSideFact => ({
  type: 'network.refused',
  data: { caip2: devnet, failure: { code, message: 'no' } },
})
const stores = {
  mobileLink: 'phantom://',
  chromeStore: 'https://chromewebstore.google.com/detail/phantom',
  appStore: 'https://apps.apple.com/app/phantom',
  playStore: 'https://play.google.com/store/apps/details?id=app.phantom',
  homepage: 'https://phantom.com',
}
const at = (to: Screen): PageFact => ({ type: 'screen.shown', data: { screen: to } })
const screen = (
  name: 'AllWallets' | 'ConnectWallets' | 'WhatIsAWallet' | 'GetWallet' | 'WalletConnect',
  wallet?: typeof phantom,
) => ({ type: 'screen.shown', data: { screen: { name, ...(wallet ? { wallet } : {}) } } }) as const
const connecting = {
  type: 'screen.shown',
  data: { screen: { name: 'ConnectingInstalled', wallet: phantom, walletKey: 'key-Phantom' } },
} as const
const balance = (amounts: Record<string, string>): CoreSideFact => ({
  type: 'balance.read',
  data: { account, slot: 5, amounts },
})

/** A connecting screen after the attempt ended with this code. */
const ended = (code: Parameters<typeof failed>[0]) => (on: Stage) => {
  on.page(opened(), connecting)
  on.facts(requested('installed', 'Phantom'), failed(code))
}
/** The account under a toast that stays. */
const toasted = (variant: 'success' | 'error' | 'loading', message: string) => (on: Stage) => {
  modalStates.account?.(on)
  on.page({ type: 'toast.shown', data: { toastId: 't1', variant, message, autoClose: false } })
}

/** By name. */
export const modalStates: Record<string, GalleryState> = {
  connect: on => {
    on.page(announced('Phantom'), announced('Backpack'), opened())
    on.facts(...read(many, 480), connected('Solflare'), {
      type: 'connection.ended',
      data: { connectionId: 'c1', by: 'person' },
    })
  },
  connectFirst: on => {
    on.page(opened())
    on.facts(...read(many, 480))
  },
  connectCollapsed: on => {
    on.page({ type: 'tab.featured', data: { features: { collapseWallets: true } } }, announced('Phantom'), opened())
  },
  connectWallets: on => {
    modalStates.connect?.(on)
    on.page(screen('ConnectWallets'))
  },
  agreement: on => {
    on.page({ type: 'tab.featured', data: { features: { legalCheckbox: true } } })
    modalStates.connect?.(on)
  },
  agreed: on => {
    modalStates.agreement?.(on)
    on.page({ type: 'screen.agreed', data: { agreed: true } })
  },
  basic: on => {
    on.facts({ type: 'relay.connected', data: {} }, requested('walletConnect', 'WalletConnect', 'walletConnect'))
    on.facts(paired('7f'.repeat(32)), ...read(many, 480))
    on.page({ type: 'screen.opened', data: { screen: { name: 'ConnectingWalletConnectBasic' } } })
  },
  basicOffline: on => {
    on.facts({ type: 'network.offline', data: {} })
    on.page({ type: 'screen.opened', data: { screen: { name: 'ConnectingWalletConnectBasic' } } })
  },
  alert: on => {
    Object.assign(on.surroundings.config, { host: { recording: true, debug: true } })
    modalStates.connect?.(on)
    on.facts({ type: 'project.refused', data: { code: 'APKT007', title: 'Invalid Project ID' } })
  },
  alertPassing: on => {
    Object.assign(on.surroundings.config, { host: { recording: true, debug: true } })
    modalStates.connect?.(on)
    const detail = 'HTTP status code: 503'
    on.facts({ type: 'project.refused', data: { code: 'APKT009', title: 'Server Error', detail } })
  },
  twins: on => on.page(announced('Phantom'), announced('Phantom', 'other', true), opened()),
  all: on => {
    on.page(announced('Phantom'), announced('Backpack'), opened(), screen('AllWallets'))
    on.facts(...read(many, 480))
  },
  allFailed: on => {
    on.facts({ type: 'listing.asked', data: { page: 1, search: '' } })
    on.facts({ type: 'listing.failed', data: { page: 1, search: '', failure: lost } })
    on.page(opened(), screen('AllWallets'))
  },
  allReading: on => on.page(opened(), screen('AllWallets')),
  waiting: on => {
    on.page(opened(), connecting)
    on.facts(requested('installed', 'Phantom'))
  },
  declined: ended('user_rejected'),
  expired: ended('wallet_gone'),
  failed: ended('unknown'),
  account: on => {
    on.facts(identified, connected(), balance({ SOL: '12481234567', USDC: '375000000' }))
    on.page(opened('Account'), announced('Phantom'))
  },
  accountElsewhere: on => {
    on.facts(identified, ...connectedTorch({ validation: 'INVALID' }), balance({ SOL: '12481234567' }))
    on.page(opened('Account'))
  },
  accountFrom: on => {
    on.facts(identified, ...connectedTorch({ validation: 'VALID' }), balance({ SOL: '12481234567' }))
    on.page(opened('Account'))
  },
  accountUnknown: on => {
    on.facts(identified, connected(), { type: 'balance.failed', data: { account, failure: lost } })
    on.facts({ type: 'connection.missing', data: { connectionId: 'c1', failure: lost } })
    on.page(opened('Account'), announced('Phantom'))
  },
  receive: on => {
    modalStates.account?.(on)
    on.page({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })
  },
  receiveSeveral: on => {
    modalStates.accountChoice?.(on)
    on.page(at({ name: 'WalletReceive' }))
  },
  receiveUnknown: on => {
    on.facts(connected())
    on.page(opened('Account'), at({ name: 'WalletReceive' }))
  },
  compatibleSeveral: on => {
    modalStates.accountChoice?.(on)
    on.page(at({ name: 'WalletCompatibleNetworks' }))
  },
  compatible: on => {
    modalStates.account?.(on)
    on.page({ type: 'screen.shown', data: { screen: { name: 'WalletCompatibleNetworks' } } })
  },
  toast: toasted('loading', 'Address copied'),
  toastDone: toasted('success', 'Address copied'),
  toastFailed: toasted('error', 'The address was not copied'),
  toastLong: toasted('error', 'A wallet opened this page with a message it cannot read. Nothing has changed.'),
  ...connectStates,
  ...besideStates,
  ...accountStates,
  ...sendStates,
  what: on => on.page(opened(), screen('WhatIsAWallet')),
  get: on => {
    on.facts(...read(wallets))
    on.page(opened(), screen('WhatIsAWallet'), screen('GetWallet'))
  },
  downloads: on => {
    on.facts(...read([listed('Phantom', stores)]))
    on.page(opened(), screen('WalletConnect', phantom), at({ name: 'Downloads', wallet: phantom }))
  },
  downloadsNone: on => on.page(opened(), at({ name: 'Downloads', wallet: phantom })),
  accountChoice: on => {
    on.facts(offered)
    modalStates.account?.(on)
  },
  accountUnsupported: on => {
    on.facts(identified, offered, ...connectedTorch(devnetOnly), balance({ SOL: '12481234567' }))
    on.page(opened('Account'))
  },
  networks: on => {
    modalStates.accountChoice?.(on)
    on.page(at({ name: 'Networks' }))
  },
  networksDisabled: on => {
    modalStates.accountUnsupported?.(on)
    on.page(at({ name: 'Networks' }))
  },
  networksOffline: on => {
    modalStates.networks?.(on)
    on.facts({ type: 'network.offline', data: {} })
  },
  networksReading: on => on.page(opened(), at({ name: 'Networks' })),
  networksNoneFound: on => modalStates.networks?.(on),
  networksNone: on => {
    on.facts({ type: 'core.started', data: { life: 1, build: 'b', cause: 'start', storage: 'durable' } })
    on.page(opened(), at({ name: 'Networks' }))
  },
  switch: on => {
    modalStates.networks?.(on)
    on.page(at({ name: 'SwitchNetwork', caip2: devnet }))
  },
  switchDeclined: on => {
    on.facts(identified, offered, ...connectedTorch(mainnetOnly))
    on.page(opened('Account'), at({ name: 'Networks' }), at({ name: 'SwitchNetwork', caip2: devnet }))
    on.facts(refused('unsupported'))
  },
  switchBusy: on => {
    modalStates.switch?.(on)
    on.facts(refused('busy'))
  },
  switchFailed: on => {
    modalStates.switch?.(on)
    on.facts(refused('unknown'))
  },
  switchNoStorage: on => {
    modalStates.switch?.(on)
    on.facts(refused('storage_down'))
  },
  switchNotFound: on => {
    modalStates.switch?.(on)
    on.facts(refused('bad_input'))
  },
  switchQuiet: on => {
    inSilence()
    modalStates.switch?.(on)
  },
  unsupportedNode: on => {
    modalStates.accountChoice?.(on)
    on.facts({ type: 'network.mismatched', data: { expected: mainnet, got: devnet } })
    on.page(at({ name: 'UnsupportedChain' }))
  },
  unsupported: on => {
    modalStates.accountUnsupported?.(on)
    on.page(at({ name: 'UnsupportedChain' }))
  },
  unsupportedRefused: on => {
    modalStates.unsupported?.(on)
    on.page({ type: 'screen.refused', data: {} })
  },
  network: on => {
    modalStates.networks?.(on)
    on.page(at({ name: 'WhatIsANetwork' }))
  },
  waitingElsewhere: on => {
    modalStates.waiting?.(on)
    on.page({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })
  },
}
