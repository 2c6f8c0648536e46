// @vitest-environment happy-dom
/** Payment by a code, for a visitor without a connected wallet. */
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Failure } from '../../../../src/runtime/failure.ts'
import type { AppFact } from '../../../../src/events/app.ts'
import { soughtMs } from '../../../../src/events/subjects/sale/invoice.ts'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { wholeTerms } from '../../../events/values/exampleTerms.ts'
import { connected, fact, invoiceUntil, noon, orderUntil, saleAt, surroundings, terms, termsHash } from '../story.ts'

afterEach(cleanup)

function open(facts: readonly AppFact[], now = noon) {
  const around = surroundings(facts, { now })
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return around
}
const button = () => screen.queryByTestId('pay-by-code')
/** The card with its body, which is loaded late. */
const whole = async () => {
  await screen.findByTestId('invoice-close')
  return screen.getByTestId('invoice')
}
const pressIt = () => fireEvent.click(screen.getByTestId('pay-by-code'))

describe('payment by code', () => {
  test('is there without a wallet while the sale is live and open to every account, and nowhere else', () => {
    open(saleAt())
    expect(button()).toBeTruthy()
    for (const facts of [
      [...saleAt(), ...connected()],
      saleAt({ paused: true }),
      saleAt({ result: 'success' }),
      saleAt({
        terms: { ...terms, access: { mode: 'allowlist', sha256: 'ab'.repeat(32), url: 'https://a.example/l' } },
      }),
    ]) {
      cleanup()
      open(facts)
      expect(button()).toBeNull()
    }
  })

  test('leads to the amount, then to the statements, then asks for the code of what is on the page', async () => {
    const { commands, tell } = open(saleAt())
    pressIt()
    expect(document.activeElement).toBe(screen.getByTestId('pay-amount'))
    fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
    pressIt()
    expect(commands).toEqual([])
    for (const one of terms.legal.acknowledge) fireEvent.click(screen.getByTestId(`acknowledge-${one}`))
    pressIt()
    pressIt()
    await act(async () => undefined)
    expect(commands).toMatchObject([
      {
        type: 'invoice.open',
        data: {
          orderKey: expect.stringMatching(/^[0-9a-f]{16}$/),
          asset: 'SOL',
          units: '2500000000',
          termsHash,
          acknowledged: terms.legal.acknowledge,
        },
      },
    ])
    act(() => tell(...invoiceUntil('named')))
    expect(document.activeElement?.textContent).toBe('Pay by code')
    await whole()
    fireEvent.click(screen.getByTestId('invoice-close'))
    act(() => tell(fact({ type: 'invoice.closed', data: { invoiceId: 'i1' } })))
    expect(document.activeElement?.tagName).toBe('H2')
  })

  describe('that was refused', () => {
    const refused = (code: Failure['code'] = 'stale_quote') =>
      fact({ type: 'invoice.refused', data: { failure: { code, message: 'for developers' } } })
    const pressed = async (facts = saleAt()) => {
      const around = open(facts)
      fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
      for (const one of terms.legal.acknowledge) fireEvent.click(screen.getByTestId(`acknowledge-${one}`))
      const pressAgain = async () => {
        pressIt()
        await act(async () => undefined)
      }
      await pressAgain()
      return { ...around, pressAgain }
    }
    const said = () => button()?.parentElement?.querySelector('output')

    test.each([
      ['stale_quote', 'No code was made. The price moved. You would have got less than your minimum.'],
      ['sold_out', 'No code was made. The sale sold out.'],
      ['unreachable', 'No code was made. Solana isn’t responding.'],
      ['bad_input', 'No code was made: the sale or its price has changed. Look again, then press.'],
    ] as const)('says why: %s', async (code, words) => {
      const { tell } = await pressed()
      act(() => tell(refused(code)))
      expect(said()?.textContent).toBe(words)
    })

    test('may be pressed for again at once, and is announced again with the same words', async () => {
      const { tell, commands, pressAgain } = await pressed()
      await pressAgain()
      expect(commands).toHaveLength(1)
      act(() => tell(refused()))
      const [region, words] = [said(), said()?.firstChild]
      await pressAgain()
      expect(commands).toHaveLength(2)
      act(() => tell({ ...refused(), at: noon + 1 }))
      expect(said()).toBe(region)
      expect(said()?.firstChild?.textContent).toBe(words?.textContent)
      expect(said()?.firstChild).not.toBe(words)
    })

    test('says nothing of a press in another visit or tab', async () => {
      open([...saleAt(), refused()]).tell(refused())
      expect(said()?.textContent).toBe('No connection: any Solana wallet scans it.')
    })

    test('does not make another tab’s order one of this page', async () => {
      const { tell } = await pressed()
      act(() => tell(refused()))
      act(() => tell(...connected(), ...orderUntil('asked')))
      expect(screen.getByTestId('order-silence').textContent).toContain('Look in the tab where you pressed Pay')
    })
  })

  test('shows the code once it has its key, with the least that is given, and copies its link', async () => {
    open([...saleAt(), ...invoiceUntil('opened')])
    expect((await whole()).textContent).toContain('could not be made yet')
    cleanup()
    const { asked, commands } = open([...saleAt(), ...invoiceUntil('named')])
    const card = await whole()
    expect(card.textContent).toContain('You get 333,333.333 MAI at least')
    expect(within(card).getByTestId('treasury-note')).toBeTruthy()
    fireEvent.click(screen.getByTestId('invoice-copy'))
    await act(async () => undefined)
    const [link = ''] = asked.copied
    const url = new URL(link)
    expect([url.protocol, url.pathname, url.searchParams.get('amount')]).toEqual(['solana:', terms.treasury, '2.5'])
    expect(url.searchParams.getAll('reference')).toEqual([
      '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
      'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT',
    ])
    expect(url.searchParams.get('memo')).toBe(
      `mai1:${termsHash.slice(0, 16)}:5b0e9d7c31f4a826:SOL:2500000000:333333333333333:333333333333332`,
    )
    expect(url.searchParams.has('spl-token')).toBe(false)
    fireEvent.click(screen.getByTestId('invoice-close'))
    expect(commands).toEqual([{ type: 'invoice.close', data: { invoiceId: 'i1' } }])
  })

  test('is not shown for payment while the sale takes none, or when it would give fewer tokens than agreed', async () => {
    const paused = saleAt({ paused: true })
    const dearer = saleAt({ audited: 500_000n * 10n ** 12n, live: 0n })
    for (const [facts, words] of [
      [paused, 'takes no payment now'],
      [saleAt({ chainTime: (terms.end + 60) * 1000 }), 'takes no payment now'],
      [dearer, 'a payment of this code would come back'],
    ] as const) {
      open([...facts, ...invoiceUntil('named')])
      expect((await whole()).textContent).toContain(words)
      expect(screen.queryByTestId('invoice-copy')).toBeNull()
      cleanup()
    }
    open([...saleAt(), fact({ type: 'tab.outdated', data: {} }), ...invoiceUntil('named')])
    await whole()
    expect(screen.queryByTestId('invoice-copy')).toBeNull()
  })

  test('is not shown for payment before the notices are read in this life, nor when they are five minutes old', async () => {
    const again = fact({ type: 'core.started', data: { life: 2, build: 'test', cause: 'start', storage: 'durable' } })
    const unread = (since: number) =>
      fact({
        type: 'sale.noticesUnread',
        data: { failure: { code: 'unreachable', message: '' }, retryAt: noon + 1000, since },
      })
    for (const [isShown, facts] of [
      [false, [...saleAt(), again]],
      [true, [...saleAt(), unread(noon - 300_000)]],
      [false, [...saleAt(), unread(noon - 300_001)]],
    ] as const) {
      open([...facts, ...invoiceUntil('named')])
      const card = await whole()
      expect(screen.queryByTestId('invoice-copy') !== null).toBe(isShown)
      expect(card.textContent?.includes('announcements of the team have to be read first')).toBe(!isShown)
      cleanup()
    }
  })

  test('under earlier terms is not shown for payment, and says so where the price is the same', async () => {
    const earlier = invoiceUntil('named').map(one =>
      one.type === 'invoice.opened' ? fact({ ...one, data: { ...one.data, termsHash: 'ab'.repeat(32) } }) : one,
    )
    const dearer = saleAt({ audited: 500_000n * 10n ** 12n, live: 0n })
    const sol = { ...terms, assets: terms.assets.filter(({ symbol }) => symbol !== 'SOL') }
    for (const [facts, words] of [
      [saleAt(), 'The terms have changed'],
      [saleAt({ terms: sol }), 'The terms have changed'],
      [dearer, 'The price has changed'],
    ] as const) {
      open([...facts, ...earlier])
      expect((await whole()).textContent).toContain(words)
      expect(screen.queryByTestId('invoice-copy')).toBeNull()
      cleanup()
    }
  })

  test('is shown for a single token base unit, whose minimum is nothing', async () => {
    const one = invoiceUntil('named').map(told =>
      told.type === 'invoice.opened'
        ? { ...told, data: { ...told.data, units: '62500000', quoted: '1', min: '0' } }
        : told,
    )
    open([...saleAt({ terms: wholeTerms() }), ...one])
    await whole()
    expect(screen.queryByTestId('invoice-copy')).not.toBeNull()
  })

  test('tells who paid, and that it is final', async () => {
    open([...saleAt(), ...invoiceUntil('seen')])
    const card = await whole()
    expect(card.textContent).toContain('Paid by 2xiX…8C3f')
    expect(card.textContent).toContain('Final once the network providers agree')
    cleanup()
    open([...saleAt(), ...invoiceUntil('final')])
    const { textContent } = await whole()
    expect(textContent).not.toContain('Final once')
    expect(textContent).toContain('Final, no result yet')
  })

  test.each([
    ['another amount', { units: '1000000000' }, '1 SOL came, which is not the amount of the code'],
    ['no memo', { fault: 'no_memo' as const }, 'left out the text'],
    ['another form', { fault: 'malformed' as const }, 'not have the form of a purchase'],
  ])('warns of a payment with %s', async (_, change, words) => {
    open([...saleAt(), ...invoiceUntil('seen', change)])
    const { textContent } = await whole()
    expect(textContent).toContain(words)
    expect(textContent).toContain('Waiting for the payment')
    // The code's own order may still come
    expect(screen.queryByTestId('invoice-copy')).toBeTruthy()
  })

  test('says that a final payment after the end is not accepted, and when it comes back', async () => {
    const late = { paidAt: (terms.end + 30) * 1000 }
    open([...saleAt({ chainTime: (terms.end + 60) * 1000 }), ...invoiceUntil('final', late)])
    const { textContent } = await whole()
    expect(textContent).toContain('Not accepted')
    expect(textContent).toContain('It arrived after the sale had ended. 2.5 SOL come back by')
  })

  test('says of a final payment that the sale failed, and when the money comes back', async () => {
    open([...saleAt({ chainTime: (terms.end + 60) * 1000, result: 'failed' }), ...invoiceUntil('final')])
    const { textContent } = await whole()
    expect(textContent).toContain('Refund due')
    expect(textContent).toContain('The soft cap was missed. 2.5 SOL come back by 14 Feb 2027.')
    expect(textContent).not.toContain('Final, no result yet')
  })

  test('says for how long its payment is looked for, as the core does', async () => {
    open([...saleAt(), ...invoiceUntil('named')])
    expect((await whole()).textContent).toContain('looks for its payment for an hour, also after you put it away')
    expect(soughtMs).toBe(3_600_000)
  })

  describe('after the time in which its payment is looked for', () => {
    const later = noon + soughtMs + 60_000

    test('is not shown for payment; a press looks once more, another one makes it again', async () => {
      const { commands, tell } = open([...saleAt(), ...invoiceUntil('named')], later)
      const card = await whole()
      expect(card.textContent).toContain('no longer looks for a payment of this code')
      expect(card.textContent).not.toContain('Waiting for the payment')
      expect(card.textContent).not.toContain('looks for its payment for an hour')
      expect(screen.queryByTestId('invoice-copy')).toBeNull()
      fireEvent.click(screen.getByTestId('invoice-look'))
      expect(commands).toEqual([{ type: 'invoice.look', data: { invoiceId: 'i1' } }])
      const told = () => card.querySelectorAll('output')[1]?.textContent
      expect(told()).toContain('shows up here within a minute')
      act(() => tell(fact({ type: 'invoice.looked', data: { invoiceId: 'i1' } })))
      expect(told()).toBe('No payment of this code was found.')
      fireEvent.click(screen.getByTestId('invoice-look'))
      expect(told()).toContain('shows up here within a minute')
      const failure = { code: 'unreachable', message: 'silent' } as const
      act(() => tell({ ...fact({ type: 'invoice.looked', data: { invoiceId: 'i1', failure } }), at: noon + 1 }))
      expect(told()).toContain('A payment may have arrived unseen')
      commands.splice(1)
      fireEvent.click(screen.getByTestId('invoice-remake'))
      expect(commands[1]).toMatchObject({
        type: 'invoice.open',
        data: {
          asset: 'SOL',
          units: '2500000000',
          quoted: '333333333333333',
          min: '333333333333332',
          termsHash,
          acknowledged: terms.legal.acknowledge,
        },
      })
      const again = invoiceUntil('named').map(one => ({ ...one, at: later, data: { ...one.data, invoiceId: 'i2' } }))
      act(() => tell(...(again as AppFact[])))
      expect(screen.getByTestId('invoice-copy')).toBeTruthy()
      expect(card.textContent).toContain('Waiting for the payment')
    })

    test('is not looked for on by a worker that begins anew', async () => {
      const { tell } = open([...saleAt(), ...invoiceUntil('named')], later)
      const card = await whole()
      fireEvent.click(screen.getByTestId('invoice-look'))
      const again = fact({ type: 'core.started', data: { life: 2, build: 'test', cause: 'lost', storage: 'durable' } })
      act(() => tell(again))
      expect(card.textContent).toContain('A payment may have arrived unseen')
    })

    test('is not made again where it would be refused, and says when the core refused it', async () => {
      open([...saleAt({ paused: true }), ...invoiceUntil('named')], later)
      expect((await whole()).textContent).toContain('takes no payment now')
      expect(screen.getByTestId('invoice-look')).toBeTruthy()
      expect(screen.queryByTestId('invoice-remake')).toBeNull()
      cleanup()
      const refuse = (code: 'stale_quote' | 'unsupported') =>
        fact({ type: 'invoice.refused', data: { failure: { code, message: '' } } })
      const { tell } = open([...saleAt(), ...invoiceUntil('named'), refuse('stale_quote')], later)
      const card = await whole()
      const told = () => card.querySelectorAll('output')[1]
      expect(told()?.textContent).toBe('')
      fireEvent.click(screen.getByTestId('invoice-remake'))
      expect(told()?.textContent).toBe('')
      act(() => tell({ ...refuse('stale_quote'), at: noon + 1 }))
      expect(told()?.textContent).toContain('No code was made. ')
      const before = told()?.firstChild
      fireEvent.click(screen.getByTestId('invoice-remake'))
      act(() => tell({ ...refuse('unsupported'), at: noon + 2 }))
      expect(told()?.textContent).toContain('No code was made: the sale or its price has changed.')
      expect(told()?.firstChild).not.toBe(before)
    })

    test('is waited for while a payment that came is not final', async () => {
      open([...saleAt(), ...invoiceUntil('seen', { units: '1' })], later)
      expect((await whole()).textContent).toContain('Waiting for the payment')
      cleanup()
      open([...saleAt(), ...invoiceUntil('named')], noon + soughtMs)
      await whole()
      expect(screen.getByTestId('invoice-copy')).toBeTruthy()
    })
  })

  /** A second code with the key of the first, for half of it. */
  const second = (last: 'named' | 'seen', change: Partial<Purchase> = {}) => {
    const half = { units: '1250000000', quoted: '166666666666666' }
    return invoiceUntil(last, { ...half, signature: 'sig-2', ...change }).map(({ type, data }) =>
      fact({
        type,
        data: { ...data, invoiceId: 'i2', ...(type === 'invoice.opened' && { ...half, min: '166666666666665' }) },
      } as AppFact),
    )
  }

  test('is not shown for payment while an earlier one with its key is paid', async () => {
    open([...saleAt(), ...invoiceUntil('seen'), ...second('named')])
    const card = await whole()
    expect(card.textContent).toContain('This purchase is paid already. Do not pay this code, too')
    expect(screen.queryByTestId('invoice-copy')).toBeNull()
    cleanup()
    // A stranger's payment is not the earlier code's
    open([...saleAt(), ...invoiceUntil('seen', { units: '1' }), ...second('named')])
    await whole()
    expect(screen.queryByTestId('invoice-copy')).toBeTruthy()
  })

  test('tells of a payment that one of an earlier code from the same account may undo', async () => {
    const words = 'At most one of the two payments counts'
    open([...saleAt(), ...invoiceUntil('final'), ...second('seen')])
    expect((await whole()).textContent).toContain(words)
    cleanup()
    const another = invoiceUntil('final').map(one =>
      one.type === 'invoice.paid' ? fact({ ...one, data: { ...one.data, buyer: terms.treasury } }) : one,
    )
    open([...saleAt(), ...another, ...second('seen')])
    expect((await whole()).textContent).not.toContain(words)
  })

  test('is a purchase of the account that paid, once it connects', () => {
    open([
      ...saleAt(),
      ...invoiceUntil('final'),
      fact({ type: 'invoice.closed', data: { invoiceId: 'i1' } }),
      ...connected(),
    ])
    expect(screen.getByTestId('purchase-row').textContent).toContain('2.5 SOL')
  })
})
