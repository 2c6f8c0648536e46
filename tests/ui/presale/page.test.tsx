// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { soughtMs } from '../../../src/events/subjects/sale/invoice.ts'
import type { Failure } from '../../../src/runtime/failure.ts'
import { PresalePage } from '../../../src/ui/presale/PresalePage.tsx'
import { purchaseRows, purchasesCsv } from '../../../src/ui/presale/buy/purchases/purchaseRows.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { TopBar } from '../../../src/ui/presale/TopBar.tsx'
import { StoreProvider, type Surroundings } from '../../../src/ui/react.tsx'
import {
  buyer,
  connected,
  fact,
  noon,
  amountAltered,
  invoiceUntil,
  landedAltered,
  orderEnd,
  orderUntil,
  purchases,
  saleAt,
  saleAtPosition,
  signature,
  surroundings,
  terms,
  termsHash,
} from './story.ts'
import { saleWordsIn } from '../../../src/ui/presale/saleWords.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(facts: readonly AppFact[], clock = { now: noon }, over: Partial<Surroundings> = {}) {
  const around = surroundings(facts, clock)
  Object.assign(around.value, over)
  render(
    <StoreProvider value={around.value}>
      <TopBar />
      <SaleBody />
    </StoreProvider>,
  )
  return { ...around, tell: (...more: AppFact[]) => act(() => around.tell(...more)) }
}
const button = () => screen.getByTestId('buy-button')
const pay = (text: string) => fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: text } })
const valueOf = (testid: string) => (screen.getByTestId(testid) as HTMLInputElement).value
const tickAll = () => {
  for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
}
const settled = () => act(async () => {})
const ready = [...saleAt(), ...connected()]

/** The sentence about a request in a wallet elsewhere. */
const sentToWallet = {
  requestId: 'e1',
  sessionTopic: 's1',
  method: 'solana_signTransaction',
  chainId: 'solana:x',
  purpose: 'order:o1',
  expiresAt: noon + 900_000,
} as const

describe('the one button names the first obstacle', () => {
  test.each<[string, AppFact[], string, string]>([
    ['nothing has been read', [], '', 'Loading the sale'],
    ['only the terms have been read', saleAt().slice(0, 3), '', 'Loading the sale'],
    ['the sale is not open', saleAt({ chainTime: (terms.start - 1) * 1000 }), '', 'Opens 1 Jan 2027, 00:00 UTC'],
    ['the team paused it', saleAt({ paused: true }), '', 'Paused by the team'],
    ['everything is sold', saleAtPosition(825_000n), '', 'Sold out'],
    ['its time is over', saleAt({ chainTime: terms.end * 1000 }), '', 'Sale ended'],
    ['the team closed it', saleAt({ closed: true }), '', 'Sale ended'],
    ['no wallet is connected', saleAt(), '2.5', 'Connect wallet'],
    ['nothing is typed', ready, '', 'Enter an amount'],
    ['what is typed is no number', ready, '1e3', 'Enter an amount'],
    ['it is too little', ready, '0.05', 'At least $10'],
    ['it is too much', ready, '156.250000001', 'At most $25,000 per wallet'],
    [
      'the wallet holds too little',
      [...saleAt(), ...connected({ SOL: '2250000000' })],
      '2.5',
      'Add 0.250006 SOL to your wallet',
    ],
    ['the boxes are not ticked', ready, '2.5', 'Tick the three boxes'],
    [
      'another tab has the core and the browser no locks',
      [...ready, fact({ type: 'tab.elsewhere', data: { why: 'oneTab' } })],
      '',
      'Open in another tab',
    ],
    [
      'a tab of another build has the core',
      [...ready, fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })],
      '',
      'Continue here',
    ],
    ['the page is outdated', [...ready, fact({ type: 'tab.outdated', data: {} })], '', 'Reload this page'],
    [
      'nothing can be kept',
      [...ready, fact({ type: 'core.storageLost', data: { message: '' } })],
      '',
      'Buying is off here',
    ],
    ['the device is offline', [...ready, fact({ type: 'network.offline', data: {} })], '', 'View only'],
  ])('when %s', (_, facts, typed, label) => {
    open(facts)
    if (typed) pay(typed)
    expect(button().textContent).toBe(label)
  })

  test('page: a leading tab of another build is named, and the button continues here', () => {
    const { asked } = open([...ready, fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })])
    expect(document.body.textContent).toContain('Another version of this page is open in another tab.')
    fireEvent.click(button())
    expect(asked.takeOvers).toBe(1)
  })

  test('page: beside a tab of another build it works, and a line asks to reload both', () => {
    open([...ready, fact({ type: 'tab.otherBuild', data: { open: true } })])
    expect(button().textContent).toBe('Enter an amount')
    expect(document.body.textContent).toContain('Another version of this page is open in another tab. Reload both.')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  })

  test('page: beside a tab of another build an order continues, and the line asks to reload after it', () => {
    const beside = fact({ type: 'tab.otherBuild', data: { open: true } })
    open([...saleAt(), ...connected(), ...orderUntil('asked'), beside])
    const line = 'Another version of this page is open in another tab. '
    expect(document.body.textContent).toContain(`${line}Reload both when this order has ended.`)
    expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull()
    cleanup()
    open([...saleAt(), ...connected(), ...orderUntil('asked'), orderEnd('order.rejected', 'user_rejected'), beside])
    expect(document.body.textContent).toContain(`${line}Reload both.`)
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  })

  test('page: near the hard cap the smallest order shrinks to the remaining room', () => {
    open([...saleAtPosition(824_995n), ...connected()])
    pay('0.03')
    expect(button().textContent).toBe('At least 0.03125 SOL')
    pay('0.04')
    expect(button().textContent).toBe('Tick the three boxes')
  })

  test('page: this wallet’s purchases count against its limit', () => {
    open([...ready, purchases])
    pay('152')
    expect(button().textContent).toBe('At most $25,000 per wallet')
  })
})

describe('buying', () => {
  test('starts with unticked boxes, and marks the missing ones only after a press', () => {
    const { commands } = open(ready)
    pay('2.5')
    const boxes = screen.getAllByRole('checkbox') as HTMLInputElement[]
    expect(boxes.map(box => box.checked)).toEqual([false, false, false])
    expect(boxes.some(box => box.getAttribute('aria-invalid') === 'true')).toBe(false)
    fireEvent.click(button())
    expect(boxes.every(box => box.getAttribute('aria-invalid') === 'true')).toBe(true)
    expect(commands).toEqual([])
  })

  test('sends one order for two presses, with the displayed quote', async () => {
    const { commands } = open(ready)
    pay('2.5')
    tickAll()
    expect(button().textContent).toBe('Pay 2.5 SOL')
    fireEvent.click(button())
    fireEvent.click(button())
    await settled()
    expect(button().textContent).toBe('Checking')
    fireEvent.click(button())
    await settled()
    expect(commands).toEqual([
      {
        type: 'order.place',
        data: {
          orderKey: expect.stringMatching(/^[0-9a-f]{16}$/),
          asset: 'SOL',
          units: '2500000000',
          quoted: '333333333333333',
          min: '333333333333332',
          termsHash,
          acknowledged: ['terms', 'region', 'risk'],
          shownFee: '6000',
        },
      },
    ])
  })

  test('sends nothing when part of the page is gone from the server', async () => {
    const { commands, answers } = open(ready)
    answers.ready = false
    pay('2.5')
    tickAll()
    fireEvent.click(button())
    await settled()
    expect(commands).toEqual([])
    expect(button().textContent).toBe('Pay 2.5 SOL')
  })

  test('remembers the ticks for exactly these terms', () => {
    const ticks = () => (screen.getAllByRole('checkbox') as HTMLInputElement[]).map(box => box.checked)
    open(ready)
    tickAll()
    cleanup()
    const { tell } = open(ready)
    expect(ticks()).toEqual([true, true, true])
    const others = saleAt().map(
      one => JSON.parse(JSON.stringify(one).replaceAll(termsHash, 'ab'.repeat(32))) as AppFact,
    )
    tell(...others.slice(2))
    expect(ticks()).toEqual([false, false, false])
    cleanup()
    open([...others, ...connected()])
    expect(ticks()).toEqual([false, false, false])
  })

  test('without a wallet leads to the modal', () => {
    const { store } = open(saleAt())
    fireEvent.click(button())
    expect(store.model().screen).toMatchObject({ open: true, history: [{ name: 'Connect' }] })
  })
})

describe('the calculator on screen', () => {
  test('converts in both directions and swaps', () => {
    open(ready)
    pay('2.5')
    expect(valueOf('get-amount')).toBe('333,333.333')
    expect(screen.getByText('$400.00')).toBeTruthy()
    expect(screen.getByText('333,333.333 MAI')).toBeTruthy()
    expect(screen.getByText('2.500006 SOL')).toBeTruthy()
    fireEvent.change(screen.getByTestId('get-amount'), { target: { value: '312500' } })
    expect(valueOf('pay-amount')).toBe('2.34375')
    fireEvent.click(screen.getByRole('button', { name: 'Enter the amount to pay instead' }))
    expect(valueOf('pay-amount')).toBe('2.34375')
    expect(valueOf('get-amount')).toBe('312,500')
  })

  test('pays with the other asset after its choice', () => {
    open(ready)
    fireEvent.change(screen.getByTestId('asset-select'), { target: { value: 'USDC' } })
    pay('375')
    expect(valueOf('get-amount')).not.toBe('')
    expect(screen.getByText('375 USDC and 0.000006 SOL')).toBeTruthy()
  })

  test('fills in the most on Max', () => {
    open(ready)
    fireEvent.click(screen.getByRole('button', { name: 'Max' }))
    expect(valueOf('pay-amount')).toBe('12.47810312')
  })

  test('names the refund of the part for which the sale has no room', () => {
    open([...saleAtPosition(824_990n), ...connected()])
    pay('0.0635')
    expect(document.body.textContent).toContain('The sale has $10 left. 0.001 SOL would come back by 14 Feb 2027.')
    pay('0.0631')
    const lost = '0.0006 SOL alone would not come back. The terms return nothing below 0.001 SOL in all.'
    expect(document.body.textContent).toContain(lost)
  })

  test('names a near step, and the minimum with another slippage', () => {
    open([...saleAtPosition(149_900n), ...connected()])
    pay('2.5')
    expect(screen.getByText('Stage 1 has $100 left.')).toBeTruthy()
    expect(screen.getByText('$0.00096 on average')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Slippage, %'), { target: { value: '0' } })
    expect(screen.getByText('416,666.666 MAI')).toBeTruthy()
  })
})

describe('the displayed sale', () => {
  test('is the sum, the legend, the ladder and the status', () => {
    open(saleAt())
    expect(screen.getByTestId('raised').textContent).toBe('$262,840.00')
    expect(screen.getByText('of $825,000, for 344,033,333 MAI. Soft cap reached.')).toBeTruthy()
    const legend = document.querySelector('.legend')?.textContent
    expect(legend).toBe('Audited $262,840.00Received since, not yet checked $23,572.50Left $562,160.00')
    const rows = within(screen.getByRole('table', { name: 'Stages' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map(row => row.lastElementChild?.textContent)).toEqual(['Sold out', '37.6%', 'In $187,160'])
    expect(screen.getByTestId('status').textContent).toContain('LiveStage 2 of 3, ends 31 Jan 2027, 00:00 UTC')
  })

  test('has no sold-out stage where a stage’s time ran out', () => {
    const [first, ...others] = terms.stages
    if (!first) throw new Error('expected a stage')
    const timed = { ...terms, stages: [{ ...first, endsAt: Math.floor(noon / 1000) - 60 }, ...others] }
    open(saleAt({ audited: 10n ** 12n, live: 0n, terms: timed }))
    const [row] = within(screen.getByRole('table', { name: 'Stages' }))
      .getAllByRole('row')
      .slice(1)
    expect(row?.textContent).toBe('Stage 1$0.0006$150,000–Over')
    expect(document.querySelector('.price-chart')?.textContent ?? document.body.textContent).not.toContain('sold out')
    cleanup()
    const stages = [{ ...first, endsAt: Math.floor(noon / 1000) - 60 }]
    open(saleAt({ audited: 10n ** 12n, live: 0n, terms: { ...terms, stages, maxBuyer: '1', minOrder: '1' } }))
    expect(screen.getByTestId('status').textContent).toBe('Sold outNothing is left of 250,000,000 MAI.')
  })

  test('is a skeleton, never 0, before the notices are here', () => {
    open(saleAt().filter(one => one.type !== 'sale.noticesRead'))
    expect(screen.getByTestId('raised').textContent).toBe('')
    expect(screen.getByTestId('status').textContent).toBe('Loading the sale')
    expect(document.querySelector('.legend')?.textContent).toContain('Audited')
    expect(document.querySelectorAll('.legend .skeleton')).toHaveLength(3)
    cleanup()
    open([])
    expect(document.querySelector('.price-chart.skeleton')).not.toBeNull()
    expect(document.querySelectorAll('.ladder tbody tr')).toHaveLength(3)
    expect(document.querySelector('.buy-wait')).not.toBeNull()
  })

  test.each([
    [-31_000, true],
    [45_000, true],
    [30_000, false],
  ])('a clock of the device that is off is told, and times follow the chain: %i ms', (off, isTold) => {
    open(saleAt({ chainTime: noon + off }))
    const said = document.body.textContent ?? ''
    expect(/Your clock is \d+ s(?:econds)? off\. Times here follow the chain\./.test(said)).toBe(isTold)
  })

  test('keeps old numbers with their age', () => {
    const old = saleAt({ chainTime: noon - 125_000 }).map(one => ({ ...one, at: noon - 125_000 }))
    const failure = { code: 'unreachable', message: '' } as const
    open([...old, fact({ type: 'sale.unreachable', data: { failure, retryAt: noon + 8000 } })])
    expect(screen.getByTestId('raised').textContent).toBe('$262,840.00')
    expect(screen.getByTestId('status').textContent).toBe(
      'View onlySolana isn’t responding. Numbers are 2 min old. Retrying in 8 s. Try now',
    )
  })

  test('asks a silent network at once on a press, and names the trouble once', () => {
    const { commands } = open([...ready, fact({ type: 'network.offline', data: {} })])
    const said = document.body.textContent ?? ''
    expect(said.split('You are offline.')).toHaveLength(2)
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }))
    expect(commands).toEqual([{ type: 'sale.refresh', data: {} }])
  })

  test('has no purchases while no wallet is connected', () => {
    open([...saleAt(), purchases])
    expect(screen.queryByText('Your purchases')).toBeNull()
    expect(screen.queryByTestId('purchase-row')).toBeNull()
  })

  test('needs no inline style', () => {
    open([...ready, purchases, ...orderUntil('confirmed')])
    expect(document.querySelector('[style]')).toBeNull()
  })
})

describe('the countdown', () => {
  test('runs on chain time, changes its accessible text hourly, and ends with another word', () => {
    vi.useFakeTimers({ now: noon })
    const clock = { now: noon }
    const left = 3600_000 + 1500
    const chainTime = terms.end * 1000 - left
    open(saleAt({ chainTime }), clock)
    const pass = (ms: number) =>
      act(() => {
        clock.now += ms
        vi.advanceTimersByTime(ms)
      })
    const timer = () => screen.getByRole('timer')
    expect(timer().textContent).toBe('0d1h0m2s')
    expect(timer().getAttribute('aria-label')).toBe('Ends in 1 hour')
    pass(1000)
    expect(timer().textContent).toBe('0d1h0m1s')
    expect(timer().getAttribute('aria-label')).toBe('Ends in 1 hour')
    pass(1500)
    expect(timer().getAttribute('aria-label')).toBe('Ends within the hour')
    pass(3600_000)
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByTestId('status').textContent).toContain('Ended')
    expect(button().textContent).toBe('Sale ended')
  })
})

describe('a live order', () => {
  const card = () => screen.getByTestId('order-status')
  const steps = () =>
    [...card().querySelectorAll('.steps li')].map(step => `${step.className} ${step.querySelector('b')?.textContent}`)

  test.each([
    ['drafted', 'drafted', 'Checking'],
    ['simulated', 'simulated', 'Checking'],
    ['asked', 'awaitingSignature', 'Approve in Phantom'],
  ] as const)('that is %s is at %s and its button says %s', (until, phase, label) => {
    open([...ready, ...orderUntil(until)])
    expect(card().dataset.phase).toBe(phase)
    expect(button().textContent).toBe(label)
    expect(button().getAttribute('aria-disabled')).toBe('true')
  })

  const relayLost = {
    failure: { code: 'unreachable', message: 'closed' },
    attempt: 2,
    retryAt: noon + 1000,
  } as const

  test.each<[string, AppFact[], string]>([
    ['on its way', [], 'On its way to your wallet.'],
    [
      'held up by the relay',
      [fact({ type: 'relay.lost', at: noon, data: relayLost })],
      'The connection for phone wallets is down. This page keeps trying.',
    ],
    [
      'there',
      [fact({ type: 'request.delivered', at: noon, data: { requestId: 'e1' } })],
      'Waiting in your wallet. Open it to approve.',
    ],
    [
      'asked, while the part of the page that hears it is gone,',
      [
        fact({
          type: 'connection.missing',
          at: noon,
          data: { connectionId: 'c1', failure: { code: 'reload_needed', message: 'gone' } },
        }),
      ],
      'Phantom was asked, but this page cannot receive its answer now. The answer counts once it can, and it is not asked twice.',
    ],
  ])('with a request in a wallet elsewhere that is %s says so', (_, facts, words) => {
    const connectedRelay = fact({ type: 'relay.connected', at: noon, data: {} })
    const asking = fact({ type: 'request.sent', at: noon, data: sentToWallet })
    const { tell } = open([...ready, ...orderUntil('asked'), connectedRelay, asking, ...facts])
    expect(card().querySelector('.steps .is-now .steps-sub')?.textContent).toBe(words)
    tell(fact({ type: 'request.answered', at: noon, data: { requestId: 'e1' } }))
    expect(card().querySelector('.steps .is-now .steps-sub')).toBeNull()
  })

  test('with a request in a wallet on this device offers that wallet’s link, until the answer', async () => {
    const asking = fact({ type: 'request.sent', at: noon, data: sentToWallet })
    const link = { url: 'https://lantern.example/wc?requestId=17', target: '_blank' } as const
    const walletOpened = vi.fn()
    const walletLink = async (requestId: string) => (requestId === 'e1' ? link : undefined)
    const { tell } = open([...ready, ...orderUntil('asked'), asking], undefined, { walletLink, walletOpened })
    await settled()
    const shown = screen.getByTestId<HTMLAnchorElement>('open-wallet')
    expect([shown.tagName, shown.href, shown.target, shown.rel]).toEqual([
      'A',
      link.url,
      '_blank',
      'noopener noreferrer',
    ])
    // The test's browser would load the page
    addEventListener('click', event => event.preventDefault(), { once: true })
    fireEvent.click(shown)
    expect(walletOpened.mock.calls).toEqual([['e1']])
    tell(fact({ type: 'request.answered', at: noon, data: { requestId: 'e1' } }))
    expect(screen.queryByTestId('open-wallet')).toBeNull()
  })

  test('shows its steps, the whole signature, and that the page may be closed', () => {
    const { asked } = open([...ready, ...orderUntil('confirmed')])
    expect(card().dataset.phase).toBe('confirmed')
    expect(steps()).toEqual([
      'is-done Approved in Phantom',
      'is-done Sent',
      'is-done Confirmed',
      'is-now Becoming final',
      'is-next Judged',
    ])
    expect(card().textContent).toContain('09:40:16 UTC')
    expect(card().textContent).toContain('333,333.333 MAIfor 2.5 SOL, at $0.0012')
    expect(card().textContent).toContain('You can close this page.')
    expect(screen.getByTestId('order-signature').dataset.signature).toBe(signature)
    expect(screen.getByTestId('order-signature').textContent).toBe(signature)
    fireEvent.click(screen.getByRole('button', { name: 'Copy signature' }))
    expect(asked.copied).toEqual([signature])
    expect(
      within(card())
        .getByRole('link', { name: /explorer/ })
        .getAttribute('href'),
    ).toBe(`https://solscan.io/tx/${signature}`)
  })

  test.each([
    ['sending', 6, 2000, '', 'about 45 s left'],
    ['sending', 117, 2000, '', 'about 1 s left'],
    ['sending', 140, 2000, '', 'no time left'],
    ['confirmed', 6, 2019, 'about 13 s', 'about 6 s'],
    ['confirmed', 6, 2050, 'about 13 s', 'any moment'],
  ] as const)('that is %s at height %i and slot %i says %s, then %s', (until, height, nodeSlot, before, words) => {
    const { tell } = open([...ready, ...orderUntil(until)])
    const when = () => card().querySelector('.steps .is-now .steps-when')?.textContent
    expect(when()).toBe(before)
    tell(fact({ type: 'order.progressed', data: { orderId: 'o1', height, nodeSlot } }))
    expect(when()).toBe(words)
  })

  test('that waited too long needs another press', () => {
    const { commands } = open([
      ...ready,
      ...orderUntil('simulated'),
      fact({ type: 'order.pressAwaited', data: { orderId: 'o1' } }),
    ])
    expect(screen.getByTestId('treasury-note')).toBeTruthy()
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.continue', data: { orderId: 'o1' } }])
  })

  test('can be given up until the wallet’s request, and no longer', () => {
    const { commands, tell } = open([...ready, ...orderUntil('simulated')])
    fireEvent.click(screen.getByTestId('order-abandon'))
    expect(commands).toEqual([{ type: 'order.abandon', data: { orderId: 'o1' } }])
    tell(fact({ type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'sign' } }))
    expect(screen.queryByTestId('order-abandon')).toBeNull()
  })

  test('shows the fee of its transaction from when it is built until it is final', () => {
    const fee = () => screen.queryByTestId('order-fee')?.textContent
    open([...ready, ...orderUntil('drafted')])
    expect(fee()).toBeUndefined()
    cleanup()
    open([...ready, ...orderUntil('asked')])
    expect(fee()).toBe('Network fee 0.000006 SOL. Your wallet may raise it.')
    cleanup()
    open([...ready, ...orderUntil('finalised')])
    expect(fee()).toBeUndefined()
  })

  test('that is dearer than the page showed says so before its wallet is asked', () => {
    const dearer = orderUntil('simulated').map(one =>
      one.type === 'order.built' ? { ...one, data: { ...one.data, fee: '505000' } } : one,
    )
    open([...ready, ...dearer, fact({ type: 'order.pressAwaited', data: { orderId: 'o1' } })])
    expect(screen.getByTestId('order-dearer').textContent).toBe(
      'The network fee is 0.000505 SOL now, not about 0.000006 SOL. Continue only if you agree.',
    )
  })

  test('whose end strangers hide says so, and leads back to its amount', () => {
    const hidden = { code: 'unreachable', message: '', facts: { rule: 'HIDDEN' } } as const
    const { commands } = open([
      ...ready,
      ...orderUntil('asked'),
      fact({ type: 'order.unknown', data: { orderId: 'o1', failure: hidden } }),
    ])
    expect(card().textContent).toContain(
      'You can pay again from the same account: the sale takes one payment and returns the other.',
    )
    expect(button().textContent).toBe('Try again')
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
  })

  describe('of one account that may still be paid', () => {
    const first = [...ready, ...orderUntil('asked')]
    const asked = fact({ type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'signAndSend' } })
    const bySender = [...ready, ...orderUntil('simulated'), asked]
    const hidden = { code: 'unreachable', message: '', facts: { rule: 'HIDDEN' } } as const
    const expired = fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } })
    const dismissed = fact({ type: 'order.dismissed', data: { orderId: 'o1' } })
    const ofOther = (told: AppFact) => {
      if (told.type !== 'order.built') return told
      return { ...told, data: { ...told.data, transfer: { ...told.data.transfer, references: ['other sale'] } } }
    }
    const switched = fact({
      type: 'connection.accountsChanged',
      data: { connectionId: 'c1', accounts: ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'] },
    })
    test.each([
      ['whose end is hidden', [...first, fact({ type: 'order.unknown', data: { orderId: 'o1', failure: hidden } })]],
      ['whose wallet was silent', [...bySender, orderEnd('order.unknown', 'timeout'), expired]],
      ['whose wallet says that it was declined', [...bySender, orderEnd('order.rejected', 'user_rejected'), expired]],
    ])('another account is warned before it pays, for one %s', (_, told) => {
      const { tell } = open([...told, dismissed])
      expect(screen.queryByTestId('other-account')).toBeNull()
      tell(switched)
      expect(screen.getByTestId('other-account').textContent).toBe(
        'An earlier payment from 2xiX…8C3f may still arrive. ' +
          'Of two payments from one account at most one counts; if you pay from this account, both may count.',
      )
    })

    test.each([
      ['whose end is proved', [...first, orderEnd('order.rejected', 'user_rejected'), expired]],
      ['that a wallet which only signs has declined', [...first, orderEnd('order.rejected', 'user_rejected')]],
      ['of another sale', [...first.map(ofOther), orderEnd('order.unknown', 'timeout')]],
    ])('another account is not warned of one %s', (_, told) => {
      open([...told, dismissed, switched])
      expect(screen.queryByTestId('other-account')).toBeNull()
    })
  })

  test('that is final is replaced by another one', () => {
    const { commands, tell } = open([...ready, ...orderUntil('finalised')])
    expect(button().textContent).toBe('Buy more')
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
    tell(fact({ type: 'order.dismissed', data: { orderId: 'o1' } }))
    expect(screen.queryByTestId('order-status')).toBeNull()
    expect(valueOf('pay-amount')).toBe('')
  })

  test('that was not charged leads back to the same amount', () => {
    const { commands, tell } = open([...ready, ...orderUntil('asked'), orderEnd('order.rejected', 'user_rejected')])
    expect(button().textContent).toBe('Try again')
    fireEvent.click(button())
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
    tell(fact({ type: 'order.dismissed', data: { orderId: 'o1' } }))
    expect(valueOf('pay-amount')).toBe('2.5')
  })

  test('with an expired quote shows both and accepts the new one with one order', async () => {
    const { commands } = open([
      ...saleAtPosition(450_000n),
      ...connected(),
      ...orderUntil('signed'),
      orderEnd('order.gateRefused', 'stale_quote'),
    ])
    expect(card().textContent).toContain('Stage 2 sold out meanwhile.You saw333,333.333 MAI$0.0012 per MAI')
    expect(card().textContent).toContain('Now266,666.666 MAI$0.0015 per MAI')
    expect(button().textContent).toBe('Accept the new quote')
    expect(screen.getByTestId('treasury-note')).toBeTruthy()
    fireEvent.click(button())
    fireEvent.click(button())
    await settled()
    expect(commands).toHaveLength(1)
    expect(commands[0]).toMatchObject({
      type: 'order.place',
      data: { units: '2500000000', quoted: '266666666666666', min: '266666666666665' },
    })
  })

  test('is shown before an ended one, however new that is', () => {
    open([
      ...ready,
      ...orderUntil('sending'),
      fact({
        type: 'order.drafted',
        data: { orderId: 'o2', account: buyer, connectionId: 'c1', walletName: 'Phantom', asset: 'SOL', units: '1' },
      }),
      fact({ type: 'order.abandoned', data: { orderId: 'o2', failure: { code: 'user_rejected', message: '' } } }),
    ])
    expect(card().dataset.phase).toBe('sending')
  })

  test.each([
    ['order.abandoned', 'simulated'],
    ['order.rejected', 'asked'],
  ] as const)(
    'of an account that the wallet left (%s) is made for the other one by a press that names it',
    async (type, before) => {
      const other = 'BZ3vsKKTJ8FGtMpsNzxB7dDVpy2gB2XyfvNNSBDUtqnb'
      const switched = fact({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [other] } })
      const { commands } = open([...ready, ...orderUntil(before), orderEnd(type, 'account_changed')])
      expect(button().textContent).toBe('Try again')
      cleanup()
      const { commands: after } = open([
        ...ready,
        ...orderUntil(before),
        switched,
        fact({ type: 'balance.read', data: { account: other, slot: 2000, amounts: { SOL: '12481000000' } } }),
        orderEnd(type, 'account_changed'),
      ])
      expect(card().textContent).toContain('Your wallet switched to another account. Nothing was paid.')
      expect(button().textContent).toBe('Pay from BZ3v…tqnb instead')
      fireEvent.click(button())
      await settled()
      expect(commands).toEqual([])
      expect(after).toMatchObject([{ type: 'order.place', data: { asset: 'SOL', units: '2500000000' } }])
    },
  )

  test('with an expired quote names the other account that the wallet has now', () => {
    open([
      ...saleAtPosition(450_000n),
      ...connected(),
      ...orderUntil('signed'),
      fact({
        type: 'connection.accountsChanged',
        data: { connectionId: 'c1', accounts: ['BZ3vsKKTJ8FGtMpsNzxB7dDVpy2gB2XyfvNNSBDUtqnb'] },
      }),
      orderEnd('order.gateRefused', 'stale_quote'),
    ])
    expect(button().textContent).toBe('Pay from BZ3v…tqnb instead')
  })

  const gate = 'order.gateRefused'
  test.each<[Parameters<typeof orderEnd>[0], Failure['code'], string]>([
    ['order.rejected', 'user_rejected', 'You declined. Nothing was paid.'],
    [
      'order.rejected',
      'unauthorized',
      'Phantom was not asked. Another wallet here looks like it. Connect again to choose yours.',
    ],
    [gate, 'wallet_changed_tx', 'Phantom changed the payment. We did not send it.'],
    ['order.abandoned', 'account_changed', 'Your wallet switched to another account. Nothing was paid.'],
    ['order.abandoned', 'core_lost', 'Nothing was paid. The page was reloaded before your wallet was asked.'],
    ['order.simulationFailed', 'rent', 'Nothing was paid. Leave 0 or at least 0.00089088 SOL in your wallet.'],
    ['order.simulationFailed', 'no_token_account', 'This wallet holds no SOL. Nothing was paid.'],
    [gate, 'stale_quote', 'Nothing was sent. The price moved while you were signing.'],
    [gate, 'sold_out', 'Nothing was sent. The sale sold out while you were signing.'],
    [gate, 'paused', 'Nothing was sent. The team paused the sale.'],
    [gate, 'ended', 'Nothing was sent. The sale has ended.'],
    [gate, 'storage_down', 'Nothing was paid. This browser cannot keep a record, so buying is off here.'],
    ['order.abandoned', 'sold_out', 'Nothing was sent. The sale sold out.'],
    ['order.abandoned', 'stale_quote', 'Nothing was sent. The price moved. You would have got less than your minimum.'],
    ['order.simulationFailed', 'unreachable', 'Nothing was paid. Solana isn’t responding.'],
    ['order.simulationFailed', 'unknown', 'Nothing was paid. The payment could not be made.'],
    ['order.unknown', 'wallet_gone', 'Phantom has not answered. If you approved it, the payment will show up here.'],
  ])('ended by %s with %s gives the reason', (type, code, words) => {
    const before = type === 'order.abandoned' || type === 'order.simulationFailed' ? 'simulated' : 'asked'
    open([...ready, ...orderUntil(before), orderEnd(type, code)])
    expect(card().textContent).toContain(words)
    expect(card().dataset.phase).toBe(type.slice('order.'.length))
  })

  test('of an account that the wallet approved on another network alone says so', () => {
    const failure = { code: 'unsupported', message: '', facts: { rule: 'WALLET_NETWORK' } } as const
    open([...ready, ...orderUntil('simulated'), fact({ type: gate, data: { orderId: 'o1', failure } })])
    expect(card().textContent).toContain('Nothing was paid. Your wallet was not connected for this network.')
  })

  test('that was signed too late to be sent says so, and then that it never can be', () => {
    const { tell } = open([...ready, ...orderUntil('signed'), orderEnd('order.unknown', 'expired')])
    expect(card().textContent).toContain(
      'Phantom answered too late. We did not send the payment. You can pay again as soon as',
    )
    expect(steps()[1]).toBe('is-now Not sent')
    expect(card().textContent).not.toContain('We keep sending')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(card().textContent).toContain('Phantom answered too late, and the payment can no longer arrive.')
  })

  test('that the network rejected may still arrive, and does not claim silence', () => {
    open([...ready, ...orderUntil('sending'), orderEnd('order.unknown', 'insufficient_sol')])
    expect(card().textContent).toContain('The network did not take the payment. It may still arrive, once.')
    expect(card().textContent).not.toContain('We keep sending')
  })

  test('with an answer at its expiry says so, and that no new request is possible yet', () => {
    const asking = fact({ type: 'request.sent', at: noon, data: sentToWallet })
    const failure = { code: 'wallet_gone', message: 'sent nothing' } as const
    const { tell } = open([...ready, ...orderUntil('asked'), asking, orderEnd('order.unknown', 'wallet_gone')])
    tell(fact({ type: 'request.failed', at: noon, data: { requestId: 'e1', failure } }))
    expect(card().textContent).toContain('Phantom has not answered.')
    tell(fact({ type: 'request.late', at: noon, data: { requestId: 'e1' } }))
    expect(card().textContent).toContain('Phantom answered too late. Its answer is not used and nothing was sent.')
    expect(button().textContent).toBe('Looking for the payment')
    expect(button().getAttribute('aria-disabled')).toBe('true')
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(card().textContent).toContain('Phantom answered too late, and the payment can no longer arrive.')
    expect(button().textContent).toContain('Try again')
  })

  test('names the missing SOL, and the field the wallet changed', () => {
    open([
      ...ready,
      ...orderUntil('drafted'),
      orderEnd('order.simulationFailed', 'insufficient_sol', { short: '250006000' }),
    ])
    expect(card().textContent).toContain('Not enough SOL: 0.250006 SOL short, fee included.')
    cleanup()
    open([...ready, ...orderUntil('asked'), amountAltered])
    expect(card().textContent).toContain('Amount2.5 SOL → 9.9 SOL')
    expect(card().textContent).toContain('Order referencesa b → absent')
    expect(card().textContent).toContain('Priority fee0.00005 SOL → 0.0025 SOL')
    expect(card().textContent).toContain('Lookup tables0 → 1')
  })

  test('that expired says that the money is still there', () => {
    open([
      ...ready,
      ...orderUntil('sending'),
      fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }),
    ])
    expect(card().textContent).toContain(
      'The network did not take the payment in time, and it can no longer arrive. Your 2.5 SOL are still in your wallet.',
    )
    expect(screen.getByText('Cancel order')).toBeTruthy()
  })

  test('that one provider alone did not see says so, with the outcome of a late arrival', () => {
    const expired = fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 1 } })
    open([...ready, ...orderUntil('sending'), expired])
    expect(card().textContent).toContain(
      'No payment was seen. The network did not take the payment in time, as far as one network provider can see. ' +
        'If it arrives after all, one of two payments from the same account is refunded.',
    )
    expect(card().textContent).not.toContain('still in your wallet')
    expect(card().textContent).not.toContain('Not charged')
    expect(button().textContent).toBe('Try again')
  })

  test('whose wallet sends by itself and never answered is not told as gone for certain', () => {
    const asked = fact({ type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'signAndSend' } })
    const expired = fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } })
    open([...ready, ...orderUntil('simulated'), asked, orderEnd('order.unknown', 'timeout'), expired])
    expect(card().textContent).toContain('No payment was seen.')
    expect(card().textContent).toContain(
      'If it arrives after all, one of two payments from the same account is refunded.',
    )
    expect(card().textContent).not.toContain('still in your wallet')
    expect(card().textContent).not.toContain('Not charged')
  })

  test('with a lying provider says so, in its progress and at its end, and names the agreeing ones', () => {
    const lied = (lying: number) => fact({ type: 'order.disputed', data: { orderId: 'o1', lying } })
    const { tell } = open([...ready, ...orderUntil('sending')])
    expect(card().textContent).not.toContain('disagree')
    tell(lied(1))
    expect(card().textContent).toContain(
      'Network providers disagree. One gave a false answer. Its answer does not count.',
    )
    tell(lied(2))
    expect(card().textContent).toContain('2 gave false answers. Their answers do not count.')
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(card().textContent).toContain('No payment was seen.')
    expect(card().textContent).toContain('as far as 2 network providers can see.')
    expect(card().textContent).toContain('Network providers disagree.')
    expect(card().textContent).not.toContain('still in your wallet')
    expect(button().textContent).toBe('Try again')
  })

  test('of which a provider does not answer names it, in its progress and at its end', () => {
    const silent = (...hosts: string[]) => fact({ type: 'order.unanswered', data: { orderId: 'o1', hosts } })
    const { tell } = open([...ready, ...orderUntil('sending')])
    expect(card().textContent).not.toContain('No answer')
    tell(silent('rpc.example'))
    expect(card().textContent).toContain(
      'No answer from rpc.example. Without this network provider it takes longer to be sure.',
    )
    tell(silent())
    expect(card().textContent).not.toContain('No answer')
    tell(silent('rpc.example', 'two.example'))
    expect(card().textContent).toContain('No answer from rpc.example and two.example.')
    tell(silent('rpc.example'))
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(card().textContent).toContain('as far as 2 network providers can see.')
    expect(card().textContent).toContain(
      'No answer from rpc.example. The end of the payment was judged without this network provider.',
    )
    expect(card().textContent).not.toContain('still in your wallet')
    expect(button().textContent).toBe('Try again')
  })

  test('that one provider alone calls final says so', () => {
    const final = (data: object) => fact({ type: 'order.finalised', data: { orderId: 'o1', slot: 2001, ...data } })
    open([...ready, ...orderUntil('confirmed'), final({ finalBy: 1 })])
    expect(card().textContent).toContain('Final, as far as one network provider can see.')
    cleanup()
    open([...ready, ...orderUntil('confirmed'), final({})])
    expect(card().textContent).not.toContain('as far as')
  })

  test('that is final names no silent provider', () => {
    const silent = fact({ type: 'order.unanswered', data: { orderId: 'o1', hosts: ['rpc.example'] } })
    const final = fact({ type: 'order.finalised', data: { orderId: 'o1', slot: 2001 } })
    open([...ready, ...orderUntil('confirmed'), silent, final])
    expect(card().textContent).not.toContain('No answer')
  })

  test('that is final names no lying provider', () => {
    const lied = fact({ type: 'order.disputed', data: { orderId: 'o1', lying: 1 } })
    const final = fact({ type: 'order.finalised', data: { orderId: 'o1', slot: 2001 } })
    open([...ready, ...orderUntil('confirmed'), lied, final])
    expect(card().textContent).not.toContain('disagree')
  })

  test('that a sending wallet calls declined is told as the wallet’s statement', () => {
    const asked = fact({ type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'signAndSend' } })
    const { tell } = open([...ready, ...orderUntil('simulated'), asked, orderEnd('order.rejected', 'user_rejected')])
    expect(card().textContent).toContain('You declined. Phantom says that nothing was paid.')
    expect(button().textContent).toBe('Try again')
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(card().textContent).toContain('You declined. Phantom says that nothing was paid.')
  })

  test('under whose name something else landed is an alarm, in the card and among the purchases', async () => {
    const { commands } = open([...ready, purchases, ...orderUntil('sending'), landedAltered])
    expect(card().textContent).toContain('Not as agreed')
    expect(card().textContent).toContain(
      'This is not the payment you agreed to. Phantom signed something else, and the network took it. ' +
        'Move what is left to a new wallet, and tell the team.',
    )
    expect(card().textContent).toContain('Amount2.5 SOL → 9.9 SOL')
    expect(card().textContent).not.toMatch(/Not charged|still in your wallet|Final/)
    const [row] = screen.getAllByTestId('purchase-row')
    expect(row?.textContent).toContain('Not as agreed')
    expect(button().textContent).toBe('I have read this')
    fireEvent.click(button())
    await settled()
    expect(commands).toEqual([{ type: 'order.dismiss', data: { orderId: 'o1' } }])
  })

  test('without an answer offers to confirm the decline only once it can no longer arrive', () => {
    const { tell } = open([...ready, ...orderUntil('asked'), orderEnd('order.unknown', 'wallet_gone')])
    expect(screen.queryByText('I did not approve')).toBeNull()
    tell(fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }))
    expect(screen.getByText('Cancel order')).toBeTruthy()
  })

  test('that the chain refused says that only the fee was charged', () => {
    const failure = { code: 'on_chain_error', message: '' } as const
    open([
      ...ready,
      ...orderUntil('sending'),
      fact({ type: 'order.failedOnChain', data: { orderId: 'o1', slot: 1, failure } }),
    ])
    expect(card().textContent).toContain(
      'The network refused the payment. Only the network fee of about 0.000006 SOL was charged.Signature',
    )
    expect(button().textContent).toBe('Try again')
  })
})

describe('purchases', () => {
  test('are the chain’s and this device’s, each once, newest first', () => {
    open([...ready, purchases, ...orderUntil('confirmed')])
    const rows = screen.getAllByTestId('purchase-row')
    expect(rows.map(row => row.querySelector('.purchases-status')?.textContent)).toEqual([
      'Confirmed',
      'Final',
      'Refused',
      'Final',
    ])
    expect(rows[0]?.textContent).toContain('14 Jan 202709:402.5 SOL333,333.333')
    expect(rows[1]?.textContent).toContain('375 USDC312,500.000')
  })

  test('known to both the chain and this device are one line', () => {
    const told = {
      signature,
      orderId: 'k',
      slot: 2001,
      paidAt: noon,
      asset: 'SOL',
      units: '2500000000',
      quoted: '333333333333333',
      status: 'final' as const,
    }
    open([
      ...ready,
      ...orderUntil('finalised'),
      fact({ type: 'purchase.read', data: { account: buyer, purchases: [told] } }),
    ])
    expect(
      screen.getAllByTestId('purchase-row').map(row => row.querySelector('.purchases-status')?.textContent),
    ).toEqual(['Final'])
  })

  test('are saved as a table for other programs', () => {
    const { store } = surroundings([...ready, purchases])
    const rows = purchaseRows(saleWordsIn('en'), buyer, {
      purchases: store.model().purchase[buyer]?.purchases ?? [],
      orders: {},
      verdicts: { counted: new Map(), refused: new Map([['sigUsdc', 'late']]) },
      terms,
    })
    expect(purchasesCsv(rows, terms).split('\r\n')).toEqual([
      'date,paid,asset,quoted,accepted,tokens,status,code,refund,due,refunded,refund_signature,reason,signature',
      '2027-01-06T14:06:00.000Z,375,USDC,0,,,Not accepted,LATE,375,2027-02-14,,,"It arrived after the sale had ended. 375 USDC come back by 14 Feb 2027.",sigUsdc',
      '2027-01-06T14:02:00.000Z,0.8,SOL,0,,,Refused,,0,,,,"Only the fee was charged",sigFailed',
      '2027-01-06T13:58:00.000Z,2.5,SOL,416666.666666667,,,Final,,0,,,,"No result yet",sigSol',
      '',
    ])
  })
})

describe('an order beside a payment by its code', () => {
  const codePaid = (status: 'seen' | 'final') => invoiceUntil(status, { signature: 'sigCode', slot: 1990 })
  const closed = fact({ type: 'invoice.closed', data: { invoiceId: 'i1' } })
  const told = (status: 'confirmed' | 'final') =>
    fact({
      type: 'purchase.read',
      data: {
        account: buyer,
        purchases: [
          {
            signature,
            orderId: '5b0e9d7c31f4a826',
            slot: 2001,
            paidAt: noon,
            asset: 'SOL',
            units: '2500000000',
            quoted: '333333333333333',
            status,
          },
        ],
      },
    })
  const reasons = () =>
    screen
      .getAllByTestId('purchase-row')
      .map(row => row.querySelector('.purchases-status-cell .purchases-sub')?.textContent)
  const sentence = 'This order was paid twice: one of the two payments comes back.'

  test.each<[string, AppFact[]]>([
    ['as this device knows it', []],
    ['as the chain lists it', [told('confirmed')]],
  ])('says that one of two comes back while they are confirmed, %s', (_, more) => {
    open([...ready, ...codePaid('seen'), closed, ...orderUntil('confirmed'), ...more])
    expect(reasons()).toEqual([sentence, sentence])
    expect(screen.getByTestId('one-of-two').textContent).toBe(sentence)
  })

  test('says which one counts once both are final', () => {
    open([...ready, ...codePaid('final'), closed, ...orderUntil('finalised'), told('final')])
    expect(screen.queryByTestId('one-of-two')).toBeNull()
    expect(reasons().filter(reason => reason === sentence)).toEqual([])
    expect(screen.getByTestId('order-refund').textContent).toContain('The first payment counts.')
  })

  test('is announced by a note, as long as a code that was put away is unpaid and looked for', () => {
    const named = invoiceUntil('named')
    const note = () => screen.queryByTestId('code-out')?.textContent
    const { tell } = open([...ready, ...named, closed])
    expect(note()).toBe('A code for this purchase is still out. If it is paid, too, the second payment comes back.')
    tell(...codePaid('seen').slice(-1))
    expect(note()).toBeUndefined()
    cleanup()
    open([...ready, ...named.map(one => ({ ...one, at: noon - soughtMs - 1000 })), closed])
    expect(note()).toBeUndefined()
  })
})

describe('purchases of a failed sale', () => {
  const failed = () => saleAt({ chainTime: (terms.end + 60) * 1000, result: 'failed' })

  test('come back whole: each row says by when, one of this device that the chain does not list yet among them', () => {
    open([...failed(), ...connected(), purchases, ...orderUntil('finalised')])
    expect(
      screen.getAllByTestId('purchase-row').map(row => row.querySelector('.purchases-status-cell')?.textContent),
    ).toEqual([
      'Refund dueThe soft cap was missed. 2.5 SOL come back by 14 Feb 2027.',
      'Refund dueThe soft cap was missed. 375 USDC come back by 14 Feb 2027.',
      'RefusedOnly the fee was charged',
      'Refund dueThe soft cap was missed. 2.5 SOL come back by 14 Feb 2027.',
    ])
  })

  test('are in the file with their refunds, a refused one with its own reason', () => {
    const { store } = surroundings([...failed(), purchases])
    const rows = purchaseRows(saleWordsIn('en'), buyer, {
      purchases: store.model().purchase[buyer]?.purchases ?? [],
      orders: {},
      verdicts: { counted: new Map(), refused: new Map([['sigUsdc', 'late']]) },
      terms,
      isFailed: true,
    })
    expect(purchasesCsv(rows, terms).split('\r\n').slice(1)).toEqual([
      '2027-01-06T14:06:00.000Z,375,USDC,0,,,Not accepted,LATE,375,2027-02-14,,,"It arrived after the sale had ended. 375 USDC come back by 14 Feb 2027.",sigUsdc',
      '2027-01-06T14:02:00.000Z,0.8,SOL,0,,,Refused,,0,,,,"Only the fee was charged",sigFailed',
      '2027-01-06T13:58:00.000Z,2.5,SOL,0,,,Refund due,SALE_FAILED,2.5,2027-02-14,,,"The soft cap was missed. 2.5 SOL come back by 14 Feb 2027.",sigSol',
      '',
    ])
  })
})

describe('top bar and footer', () => {
  test('open the modal on the screen that fits', () => {
    const { store, tell } = open([])
    fireEvent.click(screen.getByTestId('connect-button'))
    expect(store.model().screen.history).toEqual([{ name: 'Connect' }])
    tell(...connected())
    expect(screen.getByTestId('account-button').textContent).toBe('2xiX…8C3f')
    fireEvent.click(screen.getByTestId('account-button'))
    expect(store.model().screen.history).toEqual([{ name: 'Account' }])
  })

  test('save a recording with one press, name its content, and then its file', async () => {
    const { asked, store } = open([])
    fireEvent.click(screen.getByTestId('download-recording'))
    expect(asked.recordings).toBe(1)
    await settled()
    expect(store.model().toast?.message).toBe('Saved report.replay.jsonl')
    expect(
      screen.getByText(/addresses, names, amounts and dates are replaced.*can still be found by the time between/),
    ).toBeTruthy()
  })

  test('erase after a dialog with both consequences and Cancel first, and never during an order', async () => {
    const { asked, tell } = open(ready)
    const dialog = document.querySelector<HTMLDialogElement>('dialog')
    fireEvent.doubleClick(screen.getByTestId('erase-record'))
    fireEvent.click(screen.getByTestId('erase-record'))
    expect(dialog?.open).toBe(true)
    expect(asked.erases).toBe(0)
    expect(dialog?.textContent).toContain('Connected wallets are disconnected.')
    expect(dialog?.textContent).toContain('Your payments stay on the chain.')
    const buttons = dialog?.querySelectorAll('button') ?? []
    expect([...buttons].map(one => one.textContent)).toEqual(['Cancel', 'Erase'])
    fireEvent.click(screen.getByText('Cancel'))
    expect([dialog?.open, asked.erases]).toEqual([false, 0])
    fireEvent.click(screen.getByTestId('erase-record'))
    fireEvent.click(screen.getByTestId('erase-confirm'))
    await settled()
    expect([dialog?.open, asked.erases]).toEqual([false, 1])
    expect(screen.getByText('The record is erased.')).toBeTruthy()
    tell(...orderUntil('sending'))
    fireEvent.click(screen.getByTestId('erase-record'))
    expect([dialog?.open, asked.erases]).toEqual([false, 1])
    expect(
      screen.getByText('An order or a wallet request is under way. The record can be erased when it has ended.'),
    ).toBeTruthy()
  })

  test('erase only after a sentence about a payment that may still be made', async () => {
    const { asked, tell } = open(ready)
    const late = /A payment from here may still be made, by a wallet that was asked or by a code/
    fireEvent.click(screen.getByTestId('erase-record'))
    expect(screen.queryByText(late)).toBeNull()
    tell(
      ...orderUntil('simulated'),
      fact({ type: 'order.asked', data: { orderId: 'o1', askId: 'e1', means: 'signAndSend' } }),
      orderEnd('order.unknown', 'timeout'),
      fact({ type: 'order.expired', data: { orderId: 'o1', height: 151, providers: 2 } }),
    )
    fireEvent.click(screen.getByTestId('erase-confirm'))
    await settled()
    expect(asked.erases).toBe(0)
    expect(screen.getByText(late)).toBeTruthy()
    fireEvent.click(screen.getByText('Cancel'))
    fireEvent.click(screen.getByTestId('erase-record'))
    expect(screen.getByText(late)).toBeTruthy()
    expect(screen.getByTestId('erase-confirm').textContent).toBe('Erase it all the same')
    fireEvent.click(screen.getByTestId('erase-confirm'))
    await settled()
    expect(asked.erases).toBe(1)
    expect(screen.getByText('The record is erased.')).toBeTruthy()
  })

  test('erase on a failing page, after a sentence about the open order', async () => {
    const { asked, answers, tell } = open(ready)
    answers.erase = false
    tell(...orderUntil('sending'), fact({ type: 'tab.blocked', data: { message: 'It stopped.', reload: true } }))
    const press = async () => {
      fireEvent.click(screen.getByTestId('erase-confirm'))
      await settled()
    }
    fireEvent.click(screen.getByTestId('erase-record'))
    await press()
    expect(screen.getByText(/If it was paid, the payment stays on the chain and counts/)).toBeTruthy()
    expect(screen.getByTestId('erase-confirm').textContent).toBe('Erase it all the same')
    await press()
    expect(asked.erases).toBe(2)
    expect(screen.getByText('The record is erased.')).toBeTruthy()
    expect(screen.getByTestId('erase-record').textContent).toBe('Erase this device’s record')
  })

  test('erase on a failing page with an open code alone, after the sentence about a late payment', async () => {
    const { asked, answers, tell } = open([...ready, ...invoiceUntil('opened')])
    answers.erase = false
    tell(fact({ type: 'tab.blocked', data: { message: 'It stopped.', reload: true } }))
    fireEvent.click(screen.getByTestId('erase-record'))
    expect(screen.getByText(/A payment from here may still be made/)).toBeTruthy()
    fireEvent.click(screen.getByTestId('erase-confirm'))
    await settled()
    expect(asked.erases).toBe(1)
    expect(screen.getByText('The record is erased.')).toBeTruthy()
  })

  test('switch the theme by a page fact', () => {
    const { store } = open([])
    fireEvent.click(screen.getByRole('button', { name: 'Switch theme' }))
    const first = store.model().tab.theme
    fireEvent.click(screen.getByRole('button', { name: 'Switch theme' }))
    expect([first, store.model().tab.theme].sort()).toEqual(['dark', 'light'])
  })
})

describe('the page while it loads', () => {
  const show = (load: () => Promise<{ SaleBody: typeof SaleBody }>) => {
    const around = surroundings(saleAt())
    render(
      <StoreProvider value={around.value}>
        <PresalePage load={load} />
      </StoreProvider>,
    )
    return around
  }

  test('connects a wallet before the rest is there', async () => {
    let arrive = () => {}
    const { store } = show(() => new Promise(resolve => (arrive = () => resolve({ SaleBody }))))
    fireEvent.click(screen.getByTestId('connect-button'))
    expect(store.model().screen.open).toBe(true)
    expect(screen.queryByTestId('raised')).toBeNull()
    await act(async () => arrive())
    expect(screen.getByTestId('raised').textContent).toBe('$262,840.00')
  })

  test('asks for a reload when the rest is gone from the server', async () => {
    const load = () => Promise.reject(new Error('404'))
    const { store } = show(load)
    await settled()
    expect(screen.getByRole('alert').textContent).toContain('Reload needed.')
    expect(store.model().tab.phase).toBe('outdated')
  })
})
