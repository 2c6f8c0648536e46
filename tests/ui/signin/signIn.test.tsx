// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Auth } from '../../../src/events/subjects/wallet/authState.ts'
import type { FailureCode } from '../../../src/runtime/failure.ts'
import { SignIn } from '../../../src/ui/signin/SignIn.tsx'
import { WaitingWallet } from '../../../src/ui/signin/WaitingWallet.tsx'
import { start } from '../modalStage.ts'
import { loadEncoder } from '../../../src/ui/kit/figures/Qr.tsx'
import { onStage, settle } from '../onStage.tsx'

beforeAll(loadEncoder)
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const asked = { chains: ['eip155:1'], domain: 'dapp.example', uri: 'https://dapp.example', nonce: 'n', methods: [] }
const sent = { pairingTopic: 'p', responseTopic: 'r', publicKey: 'k', payloadId: '17990' }
const peer = { name: 'Lantern', url: 'https://lantern.example', description: '', icons: [] }
const base = { authId: 'auth-1', asked, requestedAt: 1, expiresAt: 2 }
const delivered: Auth = { ...base, phase: 'delivered', sent }
const uri = `wc:${'ab'.repeat(32)}@2?methods=wc_sessionAuthenticate`

const code = { pairingTopic: 'p', attemptId: 'auth-1', proposalId: '17991', publicKey: 'k' }
const times = { renewAt: start + 230_000, expiresAt: start + 300_000 }

function shown(auth: Auth | undefined, more: { uri?: string; wantsPress?: boolean } = {}) {
  const pressed = { leave: vi.fn(), renew: vi.fn() }
  const walletOpened = vi.fn()
  const walletLink = async () => ({ url: 'https://lantern.example/app?wc_ev=AA', target: '_blank' }) as const
  const copy = vi.fn(async () => true)
  const { show, facts, clock } = onStage({ copy, walletLink, walletOpened })
  facts({ type: 'relay.connected', data: {} }, { type: 'pairing.created', data: { ...code, ...times } })
  show(
    <SignIn
      auth={auth}
      uri={more.uri}
      wantsPress={more.wantsPress ?? false}
      onRenew={pressed.renew}
      onLeave={pressed.leave}
    />,
  )
  return { ...pressed, walletOpened, copy, facts, clock }
}
const state = () => screen.getByTestId('sign-in-state').textContent
const leave = () => screen.getByTestId('leave-sign-in')

describe('a sign-in that waits', () => {
  test('shows a place for the code until it comes, says that nothing is moved, and can be cancelled', () => {
    const { leave: left } = shown(undefined)
    expect(screen.queryByTestId('qr')).toBeNull()
    expect(state()).toBe('Making a codeA signature moves nothing and costs nothing.')
    expect(screen.getByTestId('copy-sign-in').getAttribute('aria-disabled')).toBe('true')
    expect(leave().textContent).toBe('Cancel')
    fireEvent.click(leave())
    expect(left).toHaveBeenCalledOnce()
  })

  test('shows the code once it is here, and copies it', async () => {
    const { copy } = shown(delivered, { uri })
    expect(screen.getByLabelText('QR code to sign in with a wallet')).not.toBeNull()
    fireEvent.click(screen.getByTestId('copy-sign-in'))
    await settle()
    expect(copy).toHaveBeenCalledWith(uri)
    expect(screen.getByTestId('copy-sign-in').textContent).toBe('Link copied')
  })

  test('calls a shown code ready to scan, also before the relay has it', () => {
    shown({ ...base, phase: 'created', sent }, { uri })
    expect(state()).toContain('Scan with your phone’s wallet')
  })

  test('shows when a new code replaces this one, and requests it once, then', () => {
    vi.useFakeTimers()
    const { renew, clock } = shown(delivered, { uri })
    const passes = (ms: number) => {
      clock.now += ms
      act(() => void vi.advanceTimersByTime(ms))
    }
    expect(document.body.textContent).toContain('New code in 3:50')
    passes(229_000)
    expect(document.body.textContent).toContain('New code in 0:01')
    expect(renew).not.toHaveBeenCalled()
    passes(1000)
    passes(1000)
    expect(document.body.textContent).toContain('Making a new code')
    expect(renew).toHaveBeenCalledOnce()
  })

  test('makes no new code while the page is hidden, and one on the next look', () => {
    vi.useFakeTimers()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    const { renew, clock } = shown(delivered, { uri })
    clock.now += 240_000
    act(() => void vi.advanceTimersByTime(240_000))
    expect(renew).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    act(() => void vi.advanceTimersByTime(1000))
    expect(renew).toHaveBeenCalledOnce()
  })

  test('shows no expired code, says so, and makes a new one on a press', () => {
    const { renew, facts } = shown(delivered, { uri })
    facts({ type: 'pairing.expired', data: { pairingTopic: 'p' } })
    expect([screen.queryByTestId('qr'), screen.queryByTestId('copy-sign-in')]).toEqual([null, null])
    expect(state()).toBe('This code expiredA wallet that has it already may still sign.')
    expect(document.querySelector('.ring-badge.is-warn')).not.toBeNull()
    fireEvent.click(screen.getByTestId('renew-sign-in'))
    expect(renew).toHaveBeenCalledOnce()
  })

  test('names a fault of the relay, and retries on a press', () => {
    const { renew, facts } = shown({ ...base, phase: 'created', sent }, {})
    expect(document.body.textContent).not.toContain('relay')
    const failure = { code: 'unauthorized', message: 'no', facts: { objection: 'project' } } as const
    facts({ type: 'relay.refused', data: { failure } })
    expect(document.body.textContent).toContain('Phone wallets cannot connect right now. Use an installed wallet.')
    fireEvent.click(screen.getByText('Try again'))
    expect(renew).toHaveBeenCalledOnce()
    facts({ type: 'relay.offline', data: {} })
    expect(document.body.textContent).toContain('You are offline.')
  })

  test('with a wallet on this device shows no code, and its link where the browser needs a press', async () => {
    const { walletOpened } = shown({ ...base, phase: 'created', sent, byLink: true }, { wantsPress: true })
    expect(screen.queryByTestId('copy-sign-in')).toBeNull()
    expect(state()).toContain('Opening your wallet')
    await settle()
    expect(screen.getByTestId<HTMLAnchorElement>('open-wallet').href).toBe('https://lantern.example/app?wc_ev=AA')
    // The test's browser would load the page
    addEventListener('click', event => event.preventDefault(), { once: true })
    fireEvent.click(screen.getByTestId('open-wallet'))
    expect(walletOpened.mock.calls).toEqual([[sent.payloadId]])
  })

  test.each<[Auth, string]>([
    [{ ...delivered, byLink: true }, 'Sign in your wallet'],
    [{ ...base, phase: 'answered', sent, answer: { responderKey: 'k', peer, signed: [] } }, 'Your wallet answered'],
    [{ ...base, phase: 'unsupported', sent }, 'Your wallet asks to connect instead'],
  ])('shows its state', (auth, words) => {
    shown(auth, { uri })
    expect(state()).toContain(words)
    expect(screen.queryByTestId('copy-sign-in')).toBeNull()
    expect(screen.queryByTestId('open-wallet')).toBeNull()
  })
})

test.each<[FailureCode, string]>([
  ['user_rejected', 'You declined'],
  ['expired', 'The wallet has not answered'],
  ['bad_response', 'This signature does not fit'],
  ['bad_input', 'The wallet could not be opened'],
  ['offline', 'You are offline'],
  ['storage_down', 'This browser stores nothing'],
  ['reload_needed', 'This page has changed'],
  ['unreachable', 'Could not reach your wallet'],
])('sign-in screen: a failed one with %s gives the reason and closes', (code, words) => {
  const failure = { code, message: 'an inner sentence' }
  const { leave: left } = shown({ ...base, phase: 'failed', failure }, { uri, wantsPress: true })
  expect(state()).toContain(words)
  expect(document.body.textContent).not.toContain('an inner sentence')
  expect([screen.queryByTestId('qr'), screen.queryByTestId('open-wallet')]).toEqual([null, null])
  expect(leave().textContent).toBe('Close')
  fireEvent.click(leave())
  expect(left).toHaveBeenCalledOnce()
})

test('sign-in screen: a done one stands still, with a check', () => {
  shown({ ...base, phase: 'done', sent })
  expect(state()).toContain('You are signed in')
  expect(document.querySelector('.ring-run')).toBeNull()
  expect(document.querySelector('.ring-badge.is-good')).not.toBeNull()
})

test('sign-in screen: a changed page can be loaded anew', () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  shown({ ...base, phase: 'failed', failure: { code: 'reload_needed', message: 'm' } })
  fireEvent.click(screen.getByTestId('reload'))
  expect(reload).toHaveBeenCalledOnce()
})

test('a host’s request in a wallet on this device offers its link, until it ends or the sheet is closed', async () => {
  const close = vi.fn()
  const walletLink = async () => ({ url: 'https://lantern.example/app?wc_ev=AA', target: '_blank' }) as const
  const { show, facts } = onStage({ walletLink })
  show(<WaitingWallet requestId="17" onClose={close} />)
  expect(screen.queryByTestId('modal')).toBeNull()
  const data = { requestId: '17', sessionTopic: 's', method: 'personal_sign', chainId: 'eip155:1', purpose: 'page:r1' }
  facts({ type: 'request.sent', data: { ...data, expiresAt: start + 900_000 } })
  await settle()
  expect(screen.getByTestId<HTMLAnchorElement>('open-wallet').href).toBe('https://lantern.example/app?wc_ev=AA')
  fireEvent.click(screen.getByTestId('modal-close'))
  expect(close).toHaveBeenCalledOnce()
  facts({ type: 'request.answered', data: { requestId: '17' } })
  expect(screen.queryByTestId('modal')).toBeNull()
})
