/** Sheets and notices beside the modal, and the buttons in a host's page, in each of their states, for the gallery. */
import { type ReactElement, useLayoutEffect, useRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { CoreSideFact } from '../../src/events/app.ts'
import { networks } from '../../src/events/values/networks.ts'
import type { Auth } from '../../src/events/subjects/wallet/authState.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { modalState } from '../../src/main/embed/hostState.ts'
import type { HostButton } from '../../src/main/embed/hostModal.ts'
import { showButton } from '../../src/main/embed/buttons/showButton.tsx'
import { Sheet } from '../../src/ui/kit/surface/Sheet.tsx'
import { lazyScreen } from '../../src/ui/lazyScreen.tsx'
import { Modal } from '../../src/ui/modal/Modal.tsx'
import { StoreProvider } from '../../src/ui/react.tsx'
import { SignInNotice } from '../../src/ui/signin/Notice.tsx'
import { SignIn } from '../../src/ui/signin/SignIn.tsx'
import { WaitingWallet } from '../../src/ui/signin/WaitingWallet.tsx'
import {
  account,
  announced,
  connected,
  connectedTorch,
  type GalleryState,
  listed,
  opened,
  read,
  requested,
  type Stage,
  start,
} from './modalStage.ts'

const [mainnet, devnet] = networks
const asked = { chains: ['eip155:1'], domain: 'dapp.example', uri: 'https://dapp.example', nonce: 'n', methods: [] }
const sent = { pairingTopic: 'p', responseTopic: 'r', publicKey: 'k', payloadId: '17990' }
const peer = { name: 'Lantern', url: 'https://lantern.example', description: '', icons: [] }
const base = { authId: 'auth-1', asked, requestedAt: start, expiresAt: start + 900_000 }
const delivered: Auth = { ...base, phase: 'delivered', sent }
const uri = `wc:${'ab'.repeat(32)}@2?methods=wc_sessionAuthenticate`
const pairing = { pairingTopic: 'p', attemptId: 'auth-1', proposalId: '17991', publicKey: 'k' }
const nothing = () => undefined

type Given = { uri?: string; wantsPress?: boolean }
/** A sign-in that stands so, over a page that reaches the relay. */
const signIn =
  (auth: Auth | undefined, { uri, wantsPress = false }: Given = {}, ...facts: CoreSideFact[]): GalleryState =>
  on => {
    const times = { renewAt: start + 192_000, expiresAt: start + 300_000 }
    on.facts(
      { type: 'relay.connected', data: {} },
      { type: 'pairing.created', data: { ...pairing, ...times } },
      ...facts,
    )
    on.surroundings.walletLink = async () => ({ url: 'https://lantern.example/app?wc_ev=AA', target: '_blank' })
    return <SignIn auth={auth} uri={uri} wantsPress={wantsPress} onRenew={nothing} onLeave={nothing} />
  }
const signInFailed = (code: FailureCode): GalleryState =>
  signIn({ ...base, phase: 'failed', failure: { code, message: 'm' } })

/** Elements in a host's page. */
const inHost = (elements: ReactElement) => (
  <main className="gallery-host" data-testid="host">
    <h1 className="text-hidden">Host</h1>
    {elements}
  </main>
)

/** The button as a host shows it, in its own shadow root. */
function ButtonHere({ on, kind }: { on: Stage; kind: NonNullable<HostButton['kind']> }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const roots = new Map<Element, Root>()
    const draw = (at: Element, element: ReactElement | null) => {
      const root = roots.get(at) ?? createRoot(at)
      roots.set(at, root)
      root.render(<StoreProvider value={on.surroundings}>{element}</StoreProvider>)
    }
    const { store, surroundings } = on
    const state = () => ({ ...modalState(store.model(), surroundings.config), themeMode: 'light' }) as const
    const page = { draw } as Parameters<typeof showButton>[0]['page']
    const ports = { page, modal: document.documentElement, state, open: nothing }
    const end = showButton(ports, place.current as HTMLElement, { kind })
    return () => {
      end()
      for (const root of roots.values()) queueMicrotask(() => root.unmount())
    }
  }, [on, kind])
  return <div ref={place} />
}

/** All four buttons with these facts. */
const buttons =
  (...facts: CoreSideFact[]): GalleryState =>
  on => {
    on.page(announced('Phantom'))
    on.facts(...facts)
    const kinds = ['wallet', 'connect', 'account', 'network'] as const
    return inHost(
      <>
        {kinds.map(kind => (
          <ButtonHere key={kind} on={on} kind={kind} />
        ))}
      </>,
    )
  }
const identified: CoreSideFact = {
  type: 'network.identified',
  data: { genesisHash: mainnet?.genesisHash ?? '', caip2: mainnet?.caip2 ?? '' },
}
const devnetOnly = {
  namespaces: { solana: { accounts: [`${devnet?.caip2}:${account}`], methods: [], events: [] } },
}
const balance: CoreSideFact = { type: 'balance.read', data: { account, slot: 5, amounts: { SOL: '12481234567' } } }

const noticed =
  (variant: 'success' | 'error' | 'loading', message: string): GalleryState =>
  on => {
    on.page({ type: 'toast.shown', data: { toastId: 't1', variant, message, autoClose: false } })
    return inHost(<SignInNotice />)
  }

const Missing = lazyScreen(async () => {
  throw new Error('the file is gone')
})
const partMissing = (
  <Sheet title="Receive" viewKey="missing" onClose={nothing} pad>
    <Missing />
  </Sheet>
)

export const besideStates: Record<string, GalleryState> = {
  signInMaking: signIn(undefined),
  signIn: signIn(delivered, { uri }),
  signInCopied: signIn(delivered, { uri }),
  signInNotCopied: on => {
    on.surroundings.copy = async () => false
    return signIn(delivered, { uri })(on)
  },
  signInRanOut: signIn(delivered, { uri }, { type: 'pairing.expired', data: { pairingTopic: 'p' } }),
  signInRelayAway: signIn(
    { ...base, phase: 'created', sent },
    {},
    {
      type: 'relay.lost',
      data: { failure: { code: 'unreachable', message: 'm' }, attempt: 2, retryAt: start + 8000 },
    },
  ),
  signInOpen: signIn({ ...base, phase: 'created', sent, byLink: true }, { wantsPress: true }),
  signInDelivered: signIn({ ...delivered, byLink: true }),
  signInAnswered: signIn({ ...base, phase: 'answered', sent, answer: { responderKey: 'k', peer, signed: [] } }),
  signInUnsupported: signIn({ ...base, phase: 'unsupported', sent }),
  signInDone: signIn({ ...base, phase: 'done', sent }),
  signInDeclined: signInFailed('user_rejected'),
  signInNoAnswer: signInFailed('expired'),
  signInNoFit: signInFailed('bad_response'),
  signInNotOpened: signInFailed('bad_input'),
  signInOffline: signInFailed('offline'),
  signInNoStorage: signInFailed('storage_down'),
  signInChanged: signInFailed('reload_needed'),
  signInUnreached: signInFailed('unreachable'),
  waitingWallet: on => {
    const data = {
      requestId: '17',
      sessionTopic: 's',
      method: 'personal_sign',
      chainId: 'eip155:1',
      purpose: 'page:r1',
    }
    on.facts({ type: 'request.sent', data: { ...data, expiresAt: start + 900_000 } })
    on.surroundings.walletLink = async () => ({ url: 'https://lantern.example/app?wc_ev=AA', target: '_blank' })
    return <WaitingWallet requestId="17" onClose={nothing} />
  },
  partMissing: () => partMissing,
  partMissingOffline: on => {
    on.facts({ type: 'network.offline', data: {} })
    return partMissing
  },
  embedded: on => {
    Object.assign(on.surroundings.config, { host: { recording: true, embedded: true } })
    on.page(announced('Phantom'), opened())
    on.facts(...read([listed('Torch', { mobileLink: 'torch://' })]))
    return (
      <main>
        <h1 className="text-hidden">Host</h1>
        <Modal />
      </main>
    )
  },
  noticeDone: noticed('success', 'Wallet switched'),
  noticeFailed: noticed('error', 'A wallet opened this page with a message it cannot read. Nothing has changed.'),
  noticeBusy: noticed('loading', 'Switching'),
  buttonsStranger: buttons(),
  buttonsConnecting: buttons(requested('installed', 'Phantom')),
  buttonsReading: buttons(connected()),
  buttonsConnected: buttons(identified, connected(), balance),
  buttonsUnsupported: buttons(identified, ...connectedTorch(devnetOnly), balance),
}
