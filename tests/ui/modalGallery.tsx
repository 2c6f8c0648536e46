/**
 * The modal in each of its states. Serve the repository's root with Vite and open
 * /tests/ui/modal-gallery.html?state=connect&theme=dark; without a state, all of them in frames.
 */
import { createRoot } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import './gallery.css'
import type { CoreSideFact } from '../../src/events/app.ts'
import { Modal } from '../../src/ui/modal/Modal.tsx'
import { StoreProvider } from '../../src/ui/react.tsx'
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

const names = 'Phantom Solflare Backpack MetaMask Trust_Wallet OKX_Wallet Bitget Rainbow Coinbase Ledger_Live Zerion'
const wallets = names
  .split(' ')
  .map(name => listed(name.replace('_', ' '), { homepage: 'https://example.org', certified: name.length > 8 }))
const many = [...wallets, ...Array.from({ length: 29 }, (_, index) => listed(`Wallet ${index + 1}`))]
const phantom = { walletId: 'Phantom', name: 'Phantom' }
const plain = { walletId: 'walletConnect', name: 'WalletConnect' }
const identified: CoreSideFact = { type: 'network.identified', data: { genesisHash: genesis, caip2: 'solana:x' } }
const lost = { code: 'unreachable', message: 'no socket' } as const

const screen = (name: 'AllWallets' | 'WhatIsAWallet' | 'GetWallet' | 'WalletConnect', wallet?: typeof phantom) =>
  ({ type: 'screen.shown', data: { screen: { name, ...(wallet ? { wallet } : {}) } } }) as const
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

const states: Record<string, (on: Stage) => void> = {
  connect: on => {
    on.page(announced('Phantom'), announced('Backpack'), opened())
    on.facts(...read(many, 480), connected('Solflare'), {
      type: 'connection.ended',
      data: { connectionId: 'c1', by: 'person' },
    })
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
  what: on => on.page(opened(), screen('WhatIsAWallet')),
  get: on => {
    on.facts(...read(wallets))
    on.page(opened(), screen('WhatIsAWallet'), screen('GetWallet'))
  },
}

const asked = new URLSearchParams(location.search)
const theme = asked.get('theme')
if (theme) document.documentElement.dataset.theme = theme
if (asked.get('dir')) document.documentElement.dir = asked.get('dir') ?? ''
const place = document.getElementById('root')
const state = asked.get('state')

if (place && state) {
  const on = stage({ pairingUri: async topic => `wc:${topic}@2?expiryTimestamp=1&relay-protocol=irn&symKey=${topic}` })
  states[state]?.(on)
  createRoot(place).render(
    <StoreProvider value={on.surroundings}>
      <Modal />
    </StoreProvider>,
  )
} else if (place) {
  createRoot(place).render(
    <main className="frames">
      {Object.keys(states).map(name => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          <iframe title={name} src={`?state=${name}&${asked}`} width={asked.get('width') ?? '390'} height="660" />
        </figure>
      ))}
    </main>,
  )
}
