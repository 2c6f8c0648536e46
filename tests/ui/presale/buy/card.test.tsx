// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import { silenceMs } from '../../../../src/events/subjects/order/order.ts'
import { Dock } from '../../../../src/ui/presale/buy/Dock.tsx'
import type { Buying } from '../../../../src/ui/presale/buy/useBuying.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import {
  amountAltered,
  connected,
  fact,
  invoiceUntil,
  noon,
  orderEnd,
  orderUntil,
  purchases,
  saleAt,
  signature,
  surroundings,
  terms,
} from '../story.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(facts: readonly AppFact[], clock = { now: noon }) {
  const around = surroundings(facts, clock)
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return { ...around, clock, tell: (...more: AppFact[]) => act(() => around.tell(...more)) }
}
const ready = [...saleAt(), ...connected()]
const button = () => screen.getByTestId('buy-button')
const pay = (text: string) => fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: text } })
const valueOf = (testid: string) => (screen.getByTestId(testid) as HTMLInputElement).value
const focused = () => document.activeElement
const ended = fact({ type: 'order.dismissed', data: { orderId: 'o1' } })

describe('the focus', () => {
  test('goes to the amount when the button asks for one, on the side that leads', () => {
    open(ready)
    fireEvent.click(button())
    expect(focused()).toBe(screen.getByTestId('pay-amount'))
    fireEvent.change(screen.getByTestId('get-amount'), { target: { value: '1' } })
    expect(button().textContent).toBe('At least $10')
    fireEvent.click(button())
    expect(focused()).toBe(screen.getByTestId('get-amount'))
  })

  test('goes to the first missing box when the button asks for the boxes, at each press', () => {
    open(ready)
    pay('2.5')
    fireEvent.click(screen.getByTestId('acknowledge-terms'))
    for (const _ of [1, 2]) {
      fireEvent.click(button())
      expect(focused()).toBe(screen.getByTestId('acknowledge-region'))
      act(() => (focused() as HTMLElement).blur())
    }
  })

  test('goes to the heading of the order a press placed', () => {
    const { tell } = open(ready)
    pay('2.5')
    for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
    act(() => button().focus())
    fireEvent.click(button())
    tell(...orderUntil('drafted'))
    expect(focused()?.textContent).toBe('Your order')
  })

  test('is in the card after a decline, after Buy more, and after Cancel order', () => {
    const { tell } = open([...ready, ...orderUntil('asked')])
    act(() => screen.getByRole('heading', { name: 'Your order' }).focus())
    act(() => (focused() as HTMLElement).blur())
    tell(orderEnd('order.rejected', 'user_rejected'))
    expect(focused()?.textContent).toBe('Your order')
    fireEvent.click(screen.getByTestId('order-dismiss'))
    tell(ended)
    expect(focused()?.textContent).toBe('Buy MAI')
    cleanup()
    const paid = open([...ready, ...orderUntil('finalised')])
    act(() => button().focus())
    fireEvent.click(button())
    paid.tell(ended)
    expect(focused()?.textContent).toBe('Buy MAI')
  })

  test('stays on the page when a reload brings an order back', () => {
    const { tell } = open(ready)
    tell(...orderUntil('asked'))
    expect(screen.getByRole('heading', { name: 'Your order' })).toBeTruthy()
    expect(focused()).toBe(document.body)
  })

  test('stays where a person reads when another tab’s order appears', () => {
    const { tell } = open(ready)
    act(() => screen.getByTestId('erase-record').focus())
    tell(...orderUntil('drafted'))
    expect(focused()).toBe(screen.getByTestId('erase-record'))
  })
})

test('a sale whose terms are refused waits for nothing', () => {
  open([])
  expect(document.querySelector('.buy-wait')).not.toBeNull()
  cleanup()
  open([fact({ type: 'sale.termsRefused', data: { failure: { code: 'terms_invalid', message: '' } } })])
  expect(button().textContent).toBe('Buying is off')
  expect(document.querySelector('.skeleton')).toBeNull()
})

describe('a transfer from the modal', () => {
  const sending = (last: 'simulated' | 'asked' | 'finalised') =>
    orderUntil(last).map(one =>
      one.type === 'order.drafted'
        ? { ...one, data: { ...one.data, send: { to: signature.slice(0, 44), confirmed: [], decimals: 9 } } }
        : one,
    )

  test('that is on its way is named, and the button leads to it', () => {
    const { value } = open([...ready, ...sending('asked')])
    expect(screen.getByTestId('buy-waits').textContent).toContain('A transfer is on its way.')
    expect(button().textContent).toBe('Show the transfer')
    fireEvent.click(button())
    expect(value.store.model().screen.history).toEqual([{ name: 'WalletSendConfirmed' }])
  })

  test('that no wallet was asked for, or that has ended, is no reason to wait', () => {
    for (const last of ['simulated', 'finalised'] as const) {
      open([...ready, ...sending(last)])
      expect(screen.queryByTestId('buy-waits')).toBeNull()
      expect(button().textContent).toBe('Enter an amount')
      cleanup()
    }
  })
})

/** The card's own button is always out of view. */
class Elsewhere {
  private readonly told: (entries: { isIntersecting: boolean }[]) => void
  constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
    this.told = told
  }
  static last: Element
  observe(target: Element) {
    Elsewhere.last = target
    this.told([{ isIntersecting: false }])
  }
  disconnect() {}
}

test('dock: offers no other payment beside a code on show', () => {
  vi.stubGlobal('IntersectionObserver', Elsewhere)
  const { tell } = open([...ready, ...invoiceUntil('named')])
  expect(screen.queryByTestId('dock-button')).toBeNull()
  tell(fact({ type: 'invoice.closed', data: { invoiceId: 'i1' } }))
  expect(screen.getByTestId('dock-button').textContent).toBe('Enter an amount')
  expect(Elsewhere.last).toBe(button())
  vi.unstubAllGlobals()
})

test('dock: does not repeat Connect wallet of the top bar, and tells whom a payment trusts', () => {
  vi.stubGlobal('IntersectionObserver', Elsewhere)
  const card = { current: document.body }
  const dock = (does: Buying['action']['does'], label: string) => {
    const { container } = render(
      <Dock
        buying={{ order: undefined, action: { does, label }, press: () => undefined } as unknown as Buying}
        card={card}
      />,
    )
    return container.textContent
  }
  expect(dock('amount', 'Enter an amount')).toBe('Enter an amount')
  for (const does of ['pay', 'continue', 'accept', 'repeat'] as const)
    expect(dock(does, 'Pay 2.5 SOL')).toMatch(/^Pay 2\.5 SOL.*you trust them to refund and to deliver\./)
  expect(dock('connect', 'Connect wallet')).toBe('')
  vi.unstubAllGlobals()
})

describe('a silent wallet', () => {
  const asked = [...ready, ...orderUntil('asked')]
  const askedAt = noon - 62_000

  /** Presses Pay in this page, and has the core answer by the order. */
  async function place(clock: { now: number }) {
    localStorage.clear()
    const around = open(ready, clock)
    pay('2.5')
    for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
    await act(async () => button().click())
    around.tell(...orderUntil('asked'))
    return around
  }

  test('is explained after ten seconds, with the time left and a way out', async () => {
    await place({ now: askedAt + 9000 })
    expect(screen.queryByTestId('order-silence')).toBeNull()
    cleanup()
    const { commands } = await place({ now: askedAt + 35_000 })
    const words = screen.getByTestId('order-silence').textContent
    expect(words).toContain('Nothing to see? Open Phantom from the browser’s toolbar; it may be locked. 1:25 left.')
    expect(words).toContain('approve in Phantom afterwards, the payment still goes through.')
    fireEvent.click(screen.getByTestId('order-give-up'))
    expect(commands.at(-1)).toEqual({ type: 'order.abandon', data: { orderId: 'o1' } })
  })

  test('has no time left once the core gives the wallet up', () => {
    const left = () => screen.getByTestId('order-silence').textContent?.includes(' left.')
    open(asked, { now: askedAt + silenceMs - 1 })
    expect(left()).toBe(true)
    cleanup()
    open(asked, { now: askedAt + silenceMs })
    expect(left()).toBe(false)
  })

  test('that another page asked is looked for in that tab at once, also after an order of this page', async () => {
    const inThatTab = () =>
      screen.getByTestId('order-silence').textContent?.includes('in the tab where you pressed Pay')
    open(asked, { now: askedAt })
    expect(inThatTab()).toBe(true)
    cleanup()
    const { tell } = await place({ now: askedAt })
    expect(screen.queryByTestId('order-silence')).toBeNull()
    tell(...orderUntil('finalised').slice(orderUntil('asked').length), ended)
    tell(...orderUntil('asked').map(one => ({ ...one, data: { ...one.data, orderId: 'o2' } }) as AppFact))
    expect(inThatTab()).toBe(true)
  })

  test('on another device may be asked by any page, so it is explained later', () => {
    const far = asked.map(one =>
      one.type === 'connection.made' ? { ...one, data: { ...one.data, connector: 'walletConnect' as const } } : one,
    )
    open(far, { now: askedAt + 9000 })
    expect(screen.queryByTestId('order-silence')).toBeNull()
    cleanup()
    open(far, { now: askedAt + 10_000 })
    expect(screen.getByTestId('order-silence').textContent).toContain('Open Phantom on the device it is on')
  })
})

describe('a payment under way', () => {
  test('is the first purchase, and never “No purchases yet”', () => {
    const none = fact({ type: 'purchase.read', data: { account: 'x', purchases: [] } })
    open([...ready, purchases, none, ...orderUntil('sending')])
    const [first] = screen.getAllByTestId('purchase-row')
    expect(first?.dataset.signature).toBe(signature)
    expect(first?.textContent).toContain('On its way')
    expect(screen.queryByText('No purchases yet')).toBeNull()
  })

  test('that is not signed yet is announced where the purchases will be', () => {
    open([...ready, { ...purchases, data: { ...purchases.data, purchases: [] } } as AppFact, ...orderUntil('asked')])
    expect(screen.queryByText('No purchases yet')).toBeNull()
    expect(screen.getByText('Your order appears here as soon as it is signed.')).toBeTruthy()
  })

  test('is called slow only after five seconds', () => {
    const sentAt = noon - 55_000
    const titles = () => document.querySelector('.steps .is-now')?.textContent
    open([...ready, ...orderUntil('sending')], { now: sentAt + 1000 })
    expect(titles()).toContain('Sending')
    cleanup()
    open([...ready, ...orderUntil('sending')], { now: sentAt + 5000 })
    expect(titles()).toContain('Sent, not seen yetWe keep sending the same payment. It can only go through once.')
  })

  test('has its step times in UTC', () => {
    open([...ready, ...orderUntil('confirmed')])
    expect(document.querySelector('.steps-when')?.textContent).toMatch(/^\d\d:\d\d:\d\d UTC$/)
  })
})

describe('an order that is over', () => {
  test('is a receipt when final: the delivery and the way to the purchases', () => {
    open([...ready, ...orderUntil('finalised')])
    const card = screen.getByTestId('order-status')
    expect(card.textContent).toContain(
      'Delivery by the terms: 25% on 7 Feb 2027, the rest in 3 parts until 8 May 2027.',
    )
    expect(card.textContent).not.toContain('You can close this page')
    expect(screen.getByText('View in purchases').getAttribute('href')).toBe('#purchases')
    expect(button().textContent).toBe('Buy more')
  })

  test('offers no more once the sale has ended', () => {
    const over = saleAt({ chainTime: (terms.end + 60) * 1000 })
    open([...over, ...connected(), ...orderUntil('finalised')])
    expect(button().textContent).toBe('Close')
  })

  test.each([
    ['stale_quote', 'Accept the new quote', true],
    ['terms_changed', 'Back', false],
  ] as const)('refused for %s: “%s” stands out: %s', (code, label, isPrimary) => {
    open([...ready, ...orderUntil('signed'), orderEnd('order.gateRefused', code)])
    expect(button().textContent).toBe(label)
    expect(button().className.includes('is-primary')).toBe(isPrimary)
  })

  test('for decimals that the terms do not name is not offered again: buying is off', () => {
    const failure = { code: 'decimals', message: '' } as const
    const ended = [...ready, ...orderUntil('simulated'), orderEnd('order.simulationFailed', 'decimals')]
    open([...ended, fact({ type: 'sale.distrusted', data: { about: 'terms', failure } })])
    expect(button().textContent).toBe('Back')
    expect(screen.getByTestId('order-status').textContent).toContain('The sale on the chain does not match its terms.')
  })

  test('has a quiet figure when it was declined', () => {
    open([...ready, ...orderUntil('asked'), orderEnd('order.rejected', 'user_rejected')])
    expect(document.querySelector('.order-figure')?.className).toContain('text-muted')
  })

  test('shows an altered amount in its own unit', () => {
    open([...ready, ...orderUntil('signed'), amountAltered])
    expect(document.querySelector('.more .value-list')?.textContent).toContain('Amount2.5 SOL → 9.9 SOL')
  })

  test('names an added instruction, a repeated setting and another kind of payment, and leaves a stranger’s words alone', () => {
    const differences = [
      { of: 'word', field: 'instruction', expected: 'none beside the payment', got: 'system assign' },
      { of: 'word', field: 'computeLimit', expected: '1 at most', got: '2' },
      { of: 'word', field: 'transfer.kind', expected: 'transfer', got: 'tokenTransfer' },
      { of: 'keys', field: 'memo', expected: [], got: ['absent', 'transfer'] },
    ] as const
    open([
      ...ready,
      ...orderUntil('signed'),
      { ...amountAltered, data: { ...amountAltered.data, differences } } as never,
    ])
    expect(document.querySelector('.more .value-list')?.textContent).toBe(
      'Added instructionnone beside the payment → system assignLimits of computing1 at most → 2' +
        'Kind of paymentSOL → tokenMemoabsent → absent transfer',
    )
  })
})

describe('the notices', () => {
  const refresh = { type: 'sale.refresh', data: {} }
  const focus = (element: HTMLElement) =>
    act(() => {
      element.blur()
      element.focus()
    })

  test.each(['pay-amount', 'acknowledge-risk'])('are read again when %s is focused and they are old', testid => {
    const { commands, clock } = open(ready, { now: noon + 15_000 })
    focus(screen.getByTestId(testid))
    expect(commands).toEqual([])
    clock.now += 1
    focus(button())
    expect(commands).toEqual([])
    focus(screen.getByTestId(testid))
    expect(commands).toEqual([refresh])
  })

  test('are read again at most once in 15 s, and not by an idle page', () => {
    const { commands, clock } = open(ready, { now: noon + 60_000 })
    expect(commands).toEqual([])
    focus(screen.getByTestId('get-amount'))
    clock.now += 15_000
    focus(screen.getByTestId('acknowledge-terms'))
    expect(commands).toEqual([refresh])
    clock.now += 1
    focus(screen.getByTestId('acknowledge-region'))
    expect(commands).toEqual([refresh, refresh])
  })

  test('are read again, once, when the clock went back since they were read; not while there are none', () => {
    const { commands } = open(ready, { now: noon - 60_000 })
    focus(screen.getByTestId('pay-amount'))
    focus(screen.getByTestId('get-amount'))
    expect(commands).toEqual([refresh])
    cleanup()
    const unread = ready.filter(({ type }) => type !== 'sale.noticesRead')
    const { commands: none } = open(unread, { now: noon + 60_000 })
    focus(screen.getByTestId('pay-amount'))
    expect(none).toEqual([])
  })
})

describe('the calculator', () => {
  test('keeps the worth when another asset pays, and accepts a comma', () => {
    open(ready)
    pay('2,5')
    expect(valueOf('get-amount')).toBe('333,333.333')
    fireEvent.change(screen.getByTestId('asset-select'), { target: { value: 'USDC' } })
    expect(valueOf('pay-amount')).toBe('400')
  })

  test('asks for the balance again on a press', () => {
    const { commands } = open(ready)
    fireEvent.click(screen.getByRole('button', { name: 'Refresh the balance' }))
    expect(commands).toEqual([{ type: 'balance.refresh', data: {} }])
  })

  test('names what Max keeps, and each asset’s rate', () => {
    open(ready)
    fireEvent.click(screen.getByRole('button', { name: 'Max' }))
    expect(document.querySelector('.value-list')?.textContent).toContain('Kept for rent and fees0.00289688 SOL')
    const names = [...document.querySelectorAll('.more dt')].map(one => one.textContent)
    expect(names).toEqual(['Average price', 'Slippage, %', 'SOL rate', 'USDC rate'])
  })

  test('says what this wallet may still buy after a purchase', () => {
    open(ready)
    const limits = () => document.querySelector('.buy > header .tag')?.textContent
    expect(limits()).toBe('$10 to $25,000 per wallet')
    cleanup()
    open([...ready, purchases])
    expect(limits()).toBe('$24,225 left for this wallet')
  })

  test('gives way to the result and the delivery once the sale is over', () => {
    open([...saleAt({ chainTime: (terms.end + 60) * 1000 }), ...connected()])
    expect(screen.queryByTestId('pay-amount')).toBeNull()
    expect(screen.queryAllByRole('checkbox')).toEqual([])
    expect(screen.getByTestId('sale-result').textContent).toBe(
      'The sale has ended. The team is counting and will publish the result.' +
        'Delivery by the terms: 25% on 7 Feb 2027, the rest in 3 parts until 8 May 2027.',
    )
  })
})
