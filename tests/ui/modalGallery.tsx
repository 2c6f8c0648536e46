/**
 * The modal in each of its states. Serve the repository's root with Vite and open
 * /tests/ui/modal-gallery.html?state=connect&theme=dark&lang=ar; without a state, all of them in frames.
 * With ?bare tests show one after the other.
 */
import { createRoot, type Root } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import './gallery.css'
import '../visual/fonts.css'
import './lateParts.ts'
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { Screen } from '../../src/events/subjects/page/screen.ts'
import { networks } from '../../src/events/values/networks.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { Modal } from '../../src/ui/modal/Modal.tsx'
import { StoreProvider } from '../../src/ui/react.tsx'
import { languageOf, readTexts, useDirection } from '../../src/ui/texts/language.tsx'
import {
  account,
  announced,
  connected,
  connectedTorch,
  failed,
  genesis,
  listed,
  opened,
  paired,
  read,
  requested,
  type Stage,
  stage,
} from './modalStage.ts'
import { accountStates } from './accountStates.ts'
import { connectStates, resetPage, typedTexts, typeText } from './connectStates.ts'
import { sendStates } from './sendStates.ts'

const names = 'Phantom Solflare Backpack MetaMask Trust_Wallet OKX_Wallet Bitget Rainbow Coinbase Ledger_Live Zerion'
const wallets = names
  .split(' ')
  .map(name => listed(name.replace('_', ' '), { homepage: 'https://example.org', certified: name.length > 8 }))
const many = [...wallets, ...Array.from({ length: 29 }, (_, index) => listed(`Wallet ${index + 1}`))]
const phantom = { walletId: 'Phantom', name: 'Phantom' }
const plain = { walletId: 'walletConnect', name: 'WalletConnect' }
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
const code = (on: Stage) => {
  on.facts({ type: 'relay.connected', data: {} }, requested('walletConnect', 'WalletConnect', 'walletConnect'))
  on.facts(paired('7f'.repeat(32)))
  on.page(opened(), screen('WalletConnect', plain))
}

function Directed() {
  useDirection(document.documentElement)
  return <Modal />
}

const states: Record<string, (on: Stage) => void> = {
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
    states.connect?.(on)
    on.page(screen('ConnectWallets'))
  },
  agreement: on => {
    on.page({ type: 'tab.featured', data: { features: { legalCheckbox: true } } })
    states.connect?.(on)
  },
  agreed: on => {
    states.agreement?.(on)
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
    states.connect?.(on)
    on.facts({ type: 'project.refused', data: { code: 'APKT007', title: 'Invalid Project ID' } })
  },
  alertPassing: on => {
    Object.assign(on.surroundings.config, { host: { recording: true, debug: true } })
    states.connect?.(on)
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
  code,
  codeWaiting: on => on.page(opened(), screen('WalletConnect')),
  codeLost: on => {
    code(on)
    on.facts({ type: 'relay.lost', data: { failure: lost, attempt: 2, retryAt: on.clock.now + 8000 } })
  },
  codeOffline: on => {
    code(on)
    on.facts({ type: 'network.offline', data: {} })
  },
  codeAnswered: on => {
    code(on)
    on.facts({ type: 'pairing.responded', data: { pairingTopic: '7f'.repeat(32), responderKey: 'r' } })
  },
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
    states.account?.(on)
    on.page({ type: 'screen.shown', data: { screen: { name: 'WalletReceive' } } })
  },
  compatible: on => {
    states.account?.(on)
    on.page({ type: 'screen.shown', data: { screen: { name: 'WalletCompatibleNetworks' } } })
  },
  toast: on => {
    states.account?.(on)
    on.page({
      type: 'toast.shown',
      data: { toastId: 't1', variant: 'loading', message: 'Address copied', autoClose: false },
    })
  },
  ...connectStates,
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
    states.account?.(on)
  },
  accountUnsupported: on => {
    on.facts(identified, offered, ...connectedTorch(devnetOnly), balance({ SOL: '12481234567' }))
    on.page(opened('Account'))
  },
  networks: on => {
    states.accountChoice?.(on)
    on.page(at({ name: 'Networks' }))
  },
  networksDisabled: on => {
    states.accountUnsupported?.(on)
    on.page(at({ name: 'Networks' }))
  },
  networksOffline: on => {
    states.networks?.(on)
    on.facts({ type: 'network.offline', data: {} })
  },
  networksReading: on => on.page(opened(), at({ name: 'Networks' })),
  networksNoneFound: on => states.networks?.(on),
  networksNone: on => {
    on.facts({ type: 'core.started', data: { life: 1, build: 'b', cause: 'start', storage: 'durable' } })
    on.page(opened(), at({ name: 'Networks' }))
  },
  switch: on => {
    states.networks?.(on)
    on.page(at({ name: 'SwitchNetwork', caip2: devnet }))
  },
  switchDeclined: on => {
    on.facts(identified, offered, ...connectedTorch(mainnetOnly))
    on.page(opened('Account'), at({ name: 'Networks' }), at({ name: 'SwitchNetwork', caip2: devnet }))
    on.facts(refused('unsupported'))
  },
  switchBusy: on => {
    states.switch?.(on)
    on.facts(refused('busy'))
  },
  switchFailed: on => {
    states.switch?.(on)
    on.facts(refused('unknown'))
  },
  unsupported: on => {
    states.accountUnsupported?.(on)
    on.page(at({ name: 'UnsupportedChain' }))
  },
  network: on => {
    states.networks?.(on)
    on.page(at({ name: 'WhatIsANetwork' }))
  },
  waitingElsewhere: on => {
    states.waiting?.(on)
    on.page({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })
  },
}

const asked = new URLSearchParams(location.search)
const theme = asked.get('theme')
if (theme) document.documentElement.dataset.theme = theme
const place = document.getElementById('root')
let root: Root | undefined

/** Replaces the state on show. @param language absent: English */
async function show(name: string, language?: string): Promise<void> {
  root?.unmount()
  resetPage()
  const on = stage({ pairingUri: async topic => `wc:${topic}@2?expiryTimestamp=1&relay-protocol=irn&symKey=${topic}` })
  states[name]?.(on)
  const chosen = languageOf(language ?? 'en')
  on.page({ type: 'tab.languageChosen', data: { language: chosen } })
  await readTexts(chosen)
  root = createRoot(place as HTMLElement)
  root.render(
    <StoreProvider value={on.surroundings}>
      <Directed />
    </StoreProvider>,
  )
  const typed = typedTexts[name]
  if (typed) await typeText(typed)
}

const state = asked.get('state')
if (asked.has('bare')) Object.assign(window, { gallery: { states: Object.keys(states), show } })
else if (state) void show(state, asked.get('lang') ?? undefined)
else
  createRoot(place as HTMLElement).render(
    <main className="frames">
      {Object.keys(states).map(name => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <iframe title={name} src={`?state=${name}&${asked}`} width={asked.get('width') ?? '390'} height="660" />
        </figure>
      ))}
    </main>,
  )
