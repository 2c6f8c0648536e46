// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Auth } from '../../../src/events/subjects/auth.ts'
import type { FailureCode } from '../../../src/events/failure.ts'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { SignIn } from '../../../src/ui/signin/SignIn.tsx'
import { stage } from '../modalStage.ts'
import { settle } from '../onStage.tsx'

afterEach(cleanup)

const asked = { chains: ['eip155:1'], domain: 'dapp.example', uri: 'https://dapp.example', nonce: 'n', methods: [] }
const sign = (more: Partial<Auth> = {}): Auth => ({
  authId: 'auth-1',
  asked,
  phase: 'delivered',
  requestedAt: 1,
  expiresAt: 2,
  ...more,
})
const uri = `wc:${'ab'.repeat(32)}@2?methods=wc_sessionAuthenticate`

function shown(auth: Auth | undefined, more: { uri?: string; wantsPress?: boolean } = {}) {
  const pressed = { leave: vi.fn(), open: vi.fn() }
  const { surroundings } = stage()
  const copy = vi.fn(async () => true)
  render(
    <StoreProvider value={{ ...surroundings, copy }}>
      <SignIn
        auth={auth}
        uri={more.uri}
        wantsPress={more.wantsPress ?? false}
        onOpenWallet={pressed.open}
        onLeave={pressed.leave}
      />
    </StoreProvider>,
  )
  return { ...pressed, copy }
}
const state = () => screen.getByTestId('sign-in-state').textContent
const leave = () => screen.getByTestId('leave-sign-in')

describe('a sign-in that waits', () => {
  test('shows a place for the code until it is here, says that nothing is moved, and can be cancelled', () => {
    const { leave: left } = shown(undefined)
    expect(screen.queryByTestId('qr')).toBeNull()
    expect(state()).toBe('Making a codeA signature moves nothing and costs nothing.')
    expect(screen.getByTestId('copy-sign-in').getAttribute('aria-disabled')).toBe('true')
    expect(leave().textContent).toBe('Cancel')
    fireEvent.click(leave())
    expect(left).toHaveBeenCalledOnce()
  })

  test('shows the code once it is here, and copies it', async () => {
    const { copy } = shown(sign(), { uri })
    expect(screen.getByLabelText('QR code to sign in with a wallet')).not.toBeNull()
    fireEvent.click(screen.getByTestId('copy-sign-in'))
    await settle()
    expect(copy).toHaveBeenCalledWith(uri)
    expect(screen.getByTestId('copy-sign-in').textContent).toBe('Link copied')
  })

  test('with a wallet on this device shows no code, and a button where the browser wants a press', () => {
    const { open } = shown(sign({ phase: 'created', byLink: true }), { wantsPress: true })
    expect(screen.queryByTestId('copy-sign-in')).toBeNull()
    expect(state()).toContain('Opening your wallet')
    fireEvent.click(screen.getByTestId('open-wallet'))
    expect(open).toHaveBeenCalledOnce()
  })

  test.each([
    [sign({ byLink: true }), 'Sign in your wallet'],
    [sign({ phase: 'answered' }), 'Your wallet answered'],
    [sign({ phase: 'unsupported' }), 'Your wallet asks to connect instead'],
  ])('says where it stands', (auth, words) => {
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
  ['storage_down', 'This browser keeps nothing'],
  ['reload_needed', 'This page has changed'],
  ['unreachable', 'Could not reach your wallet'],
])('one that failed with %s says so and is closed', (code, words) => {
  const failure = { code, message: 'an inner sentence' }
  const { leave: left } = shown(sign({ phase: 'failed', failure }), { uri, wantsPress: true })
  expect(state()).toContain(words)
  expect(document.body.textContent).not.toContain('an inner sentence')
  expect([screen.queryByTestId('qr'), screen.queryByTestId('open-wallet')]).toEqual([null, null])
  expect(leave().textContent).toBe('Close')
  fireEvent.click(leave())
  expect(left).toHaveBeenCalledOnce()
})
