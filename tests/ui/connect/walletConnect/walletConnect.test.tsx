// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FailureCode } from '../../../../src/runtime/failure.ts'
import { loadWays, WalletConnect } from '../../../../src/ui/connect/walletConnect/WalletConnect.tsx'
import { failed, listed, paired, read, requested } from '../../modalStage.ts'
import { loadEncoder } from '../../../../src/ui/kit/figures/Qr.tsx'
import { onStage, settle } from '../../onStage.tsx'

beforeAll(loadEncoder)
beforeAll(loadWays)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const plain = { walletId: 'walletConnect', name: 'WalletConnect' }
const solflare = { walletId: 'id-Solflare', name: 'Solflare' }
const body = () => document.body.textContent

function open(over = {}, wallet?: typeof plain) {
  const on = onStage(over)
  on.show(<WalletConnect screen={{ name: 'WalletConnect', ...(wallet ? { wallet } : {}) }} />)
  return on
}
/** A shown code, with a relay that answers. */
async function shown(over = {}, wallet?: typeof plain) {
  const on = open(over, wallet)
  const { walletId, name } = wallet ?? plain
  on.facts({ type: 'relay.connected', data: {} }, requested('walletConnect', name, walletId), paired('topic1'))
  await settle()
  return on
}

describe('the code', () => {
  test('is requested on entering; until it comes its place shimmers and the link cannot be copied', () => {
    const on = open()
    expect(on.commands).toEqual([{ type: 'connection.connectWalletConnect', data: { wallet: plain } }])
    expect(screen.queryByTestId('qr')).toBeNull()
    expect(document.querySelector('.skeleton')).not.toBeNull()
    expect(body()).toContain('Setting up the connection for phone wallets.')
    expect(screen.getByTestId('copy-uri').getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(screen.getByTestId('copy-uri'))
    expect(on.copied).toEqual([])
  })

  test('is drawn with its wallet’s name and its remaining time', async () => {
    const on = await shown()
    expect(screen.getByTestId('qr')).not.toBeNull()
    expect(screen.getByLabelText('QR code to connect a wallet')).not.toBeNull()
    expect(body()).toContain('Scan with your phone’s wallet')
    expect(body()).toContain('New code in 3:12')
    expect(body()).not.toContain('relay')
    expect(on.types()).toHaveLength(1)
  })

  test('counts down by the page’s clock, and tells when the next one is being made', async () => {
    vi.useFakeTimers()
    const on = await shown()
    on.clock.now += 133_000
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(body()).toContain('New code in 0:59')
    on.clock.now += 60_000
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(body()).toContain('Making a new code')
  })

  test('is replaced by the next one, and so is the link', async () => {
    const pairingUri = vi.fn(async (topic: string) => `wc:${topic}`)
    const on = await shown({ pairingUri })
    const before = screen.getByTestId('qr').querySelector('.qr-dots')?.getAttribute('d')
    on.clock.now += 192_000
    on.facts(paired('topic2', on.clock.now))
    await settle()
    expect(pairingUri.mock.calls).toEqual([['topic1'], ['topic2']])
    expect(screen.getByTestId('qr').querySelector('.qr-dots')?.getAttribute('d')).not.toBe(before)
    expect(body()).toContain('New code in 3:12')
    fireEvent.click(screen.getByTestId('copy-uri'))
    expect(on.copied).toEqual(['wc:topic2'])
  })

  test('of an old pairing that arrives late is not shown', async () => {
    const late: ((uri: string) => void)[] = []
    const on = await shown({ pairingUri: () => new Promise<string>(resolve => late.push(resolve)) })
    on.facts(paired('topic2'))
    await act(async () => late[0]?.('wc:topic1'))
    expect(screen.queryByTestId('qr')).toBeNull()
    await act(async () => late[1]?.('wc:topic2'))
    expect(screen.queryByTestId('qr')).not.toBeNull()
  })

  test.each([
    ['is gone', async () => undefined],
    ['cannot be read', () => Promise.reject(new Error('the worker is gone'))],
  ])('that %s tells so, and another can be requested', async (_, pairingUri) => {
    const on = await shown({ pairingUri })
    expect(body()).toContain('This code is no longer on this device.')
    expect(document.querySelector('.skeleton')).toBeNull()
    fireEvent.click(screen.getByText('Try again'))
    expect(on.types()).toEqual(['connection.connectWalletConnect', 'connection.connectWalletConnect'])
  })

  test('that could not be read is read again when the core has come back', async () => {
    const pairingUri = vi.fn().mockRejectedValueOnce(new Error('the worker is gone')).mockResolvedValue('wc:topic1')
    const on = await shown({ pairingUri })
    expect(screen.queryByTestId('qr')).toBeNull()
    on.page({ type: 'tab.attached', data: { life: 2 } })
    await settle()
    expect(screen.queryByTestId('qr')).not.toBeNull()
  })

  test('already there for this wallet is shown again without a request; one for another wallet is not', async () => {
    const on = onStage()
    on.facts(requested('walletConnect', 'WalletConnect', 'walletConnect'), paired('topic1'))
    on.show(<WalletConnect screen={{ name: 'WalletConnect' }} />)
    await settle()
    expect(screen.queryByTestId('qr')).not.toBeNull()
    expect(on.commands).toEqual([])
    cleanup()
    on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet: solflare }} />)
    await settle()
    await settle()
    expect(screen.queryByTestId('qr')).toBeNull()
    expect(on.commands).toEqual([{ type: 'connection.connectWalletConnect', data: { wallet: solflare } }])
  })
})

describe('the link', () => {
  test('goes on the clipboard in the press, as the wc: address', async () => {
    const on = await shown()
    fireEvent.click(screen.getByTestId('copy-uri'))
    expect(on.copied).toEqual(['wc:topic1@2?symKey=00'])
    await settle()
    expect(on.store.model().toast).toMatchObject({ variant: 'success', message: 'Link copied' })
  })

  test.each([
    ['refuses', async () => false],
    ['throws', () => Promise.reject(new Error('not allowed'))],
  ])('reports that the browser %s to copy', async (_, copy) => {
    const on = await shown({ copy })
    fireEvent.click(screen.getByTestId('copy-uri'))
    await settle()
    expect(on.store.model().toast).toMatchObject({ variant: 'error', message: 'The link was not copied' })
  })

  test('is in no page fact and no command', async () => {
    const on = await shown()
    fireEvent.click(screen.getByTestId('copy-uri'))
    await settle()
    expect(JSON.stringify([on.said, on.commands])).not.toContain('wc:')
  })

  test('on a desk is the code alone', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }))
    const on = await shown({}, solflare)
    on.facts(...read([listed('Solflare', { mobileLink: 'solflare://' })]))
    expect(screen.queryByText('Open Solflare')).toBeNull()
    expect(body()).toContain('Scan with Solflare')
  })
})

describe('the relay', () => {
  const failure = { code: 'unreachable', message: 'no socket' } as const
  test('that cannot be reached is named while the code stays, and can be retried', async () => {
    const on = await shown()
    on.facts({ type: 'relay.lost', data: { failure, attempt: 2, retryAt: on.clock.now + 4000 } })
    expect(body()).toContain('The connection for phone wallets is down. This page keeps trying.')
    expect(screen.queryByTestId('qr')).not.toBeNull()
    fireEvent.click(screen.getByText('Try again'))
    expect(on.types()).toHaveLength(2)
    on.facts({ type: 'relay.connecting', data: { attempt: 3, url: 'wss://relay' } })
    expect(body()).toContain('The connection for phone wallets is down.')
    on.facts({ type: 'relay.connected', data: {} })
    expect(body()).not.toContain('relay')
  })

  test.each([
    [
      'project',
      'Phone wallets cannot connect right now. Use an installed wallet.',
      'APKT007: the relay refused this page, it does not know its project.',
    ],
    [
      'origin',
      'Phone wallets cannot connect right now. Use an installed wallet.',
      'APKT002: the relay refused this page, its project is not for this address.',
    ],
    [
      'token',
      'Phone wallets cannot connect right now. Check that the clock of this device is right.',
      'APKT006: the relay refused this page’s token.',
    ],
    [
      'rule',
      'Phone wallets cannot connect right now. Use an installed wallet.',
      'The relay refused this page, it broke one of its rules.',
    ],
    [
      'unsaid',
      'Phone wallets cannot connect right now. Use an installed wallet.',
      'The relay refused this page and does not say why.',
    ],
  ] as const)(
    'that rejects this page for its %s offers no code, and tells developers why',
    async (objection, words, why) => {
      const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const on = await shown()
      const failure = { code: 'unauthorized', message: 'no', facts: { code: 3000, objection } } as const
      on.facts({ type: 'relay.refused', data: { failure } })
      expect(body()).toContain(words)
      expect(body()).not.toContain('New code in')
      expect(document.querySelector('.qr-box')?.className).toContain('is-useless')
      expect(screen.getByTestId('copy-uri').getAttribute('aria-disabled')).toBe('true')
      expect(told.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining(why)])
      told.mockRestore()
    },
  )

  test('that is too busy is told from an unreachable one', async () => {
    const on = await shown()
    const busy = { code: 'rate_limited', message: 'too many requests' } as const
    on.facts({ type: 'relay.lost', data: { failure: busy, attempt: 1, retryAt: 0 } })
    expect(body()).toContain('The connection for phone wallets is busy. This page tries again by itself.')
    expect(body()).not.toContain('cannot be reached')
  })

  test('that moves its clients is named', async () => {
    const on = await shown()
    const moves = { code: 'unreachable', message: 'it moves', facts: { code: 4010 } } as const
    on.facts({ type: 'relay.lost', data: { failure: moves, attempt: 1, retryAt: 0 } })
    expect(body()).toContain('The connection for phone wallets moves to another server. This page keeps trying.')
  })

  test('is not blamed for an offline device', async () => {
    const on = await shown()
    on.facts({ type: 'relay.lost', data: { failure, attempt: 1, retryAt: 0 } }, { type: 'network.offline', data: {} })
    expect(body()).toContain('You are offline. A wallet can answer once you are back online.')
    expect(body()).not.toContain('relay')
  })
})

describe('the wallet’s answer', () => {
  test.each(['responded', 'answered'])('on its way replaces the code (%s)', async phase => {
    const on = await shown()
    on.facts({ type: 'pairing.responded', data: { pairingTopic: 'topic1', responderKey: 'r' } })
    if (phase === 'answered') {
      on.facts({ type: 'pairing.answered', data: { pairingTopic: 'topic1', sessionTopic: 's' } })
    }
    expect(screen.queryByTestId('qr')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe('Your wallet answeredThe connection is being set up.')
  })

  const ends: [FailureCode, string, string][] = [
    ['user_rejected', 'You declined', 'Nothing was shared.'],
    ['expired', 'The code expired', 'Ask for a new code.'],
    ['bad_response', 'Solflare cannot be used here', 'It approved nothing this page can pay with.'],
    ['unreachable', 'Could not reach phone wallets', 'The connection for phone wallets was lost.'],
    ['unauthorized', 'Phone wallets cannot connect right now', 'Use an installed wallet.'],
    ['offline', 'You are offline', 'Try again when you are back online.'],
    ['storage_down', 'This browser stores nothing', 'A connection needs storage.'],
    ['unknown', 'Could not reach Solflare', 'Something went wrong on the way.'],
  ]
  test.each(ends)('that never came, with %s, reads "%s"; a new code can be requested', async (code, title, text) => {
    const on = await shown({}, solflare)
    on.facts(failed(code))
    const words = screen.getByRole('status').textContent ?? ''
    expect(words.startsWith(title)).toBe(true)
    expect(words).toContain(text)
    expect(screen.queryByTestId('qr')).toBeNull()
    fireEvent.click(screen.getByText('Try again'))
    expect(on.commands.at(-1)).toEqual({ type: 'connection.connectWalletConnect', data: { wallet: solflare } })
    on.facts(requested('walletConnect', 'Solflare', 'id-Solflare', 'a2'), paired('topic2', on.clock.now, 'a2'))
    await settle()
    expect(screen.queryByTestId('qr')).not.toBeNull()
  })

  test('of an unknown wallet uses no name', async () => {
    const on = await shown()
    on.facts(failed('bad_response'))
    expect(body()).toContain('This wallet cannot be used here')
  })
})

test('WalletConnect: a page limited to one tab tells the second tab so instead of shimmering for ever', () => {
  const on = open()
  on.page({ type: 'tab.elsewhere', data: { why: 'oneTab' } })
  expect(body()).toContain('Connect in the other tab, or close it.')
  expect(document.querySelector('.skeleton')).toBeNull()
})

test('WalletConnect: a wallet that came by the plain code before is reached by the plain code', () => {
  const on = open({}, { walletId: 'walletConnect', name: 'Some Peer' })
  expect(on.commands).toEqual([{ type: 'connection.connectWalletConnect', data: { wallet: plain } }])
  expect(body()).toContain('Scan with your phone’s wallet')
})
