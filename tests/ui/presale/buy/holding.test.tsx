// @vitest-environment happy-dom
/** An account's allocation with its calendar, its referral link, and orders placed through somebody's link. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import { readReferrer, referralLink } from '../../../../src/ui/presale/buy/referrer.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import type { Payout } from '../../../../src/events/subjects/sale/purchase.ts'
import {
  accountedBy,
  buyer,
  connected,
  fact,
  noon,
  purchases,
  saleAt,
  surroundings,
  terms,
  termsHash,
} from '../story.ts'

const friend = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

function open(more: readonly AppFact[] = [], search = '') {
  history.replaceState(null, '', `/sale${search}`)
  const around = surroundings([...saleAt(), ...connected(), ...more])
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return around
}

/** The audited books count the account's first purchase, and a bonus. */
const counted = (account: string) => accountedBy([{ signature: 'sigSol' }], { account, bonus: '4687500000000' })
const section = (id: string) => document.getElementById(id)

describe('the allocation', () => {
  test('is the purchases’ tokens, not yet counted, by the calendar of the terms', () => {
    open([purchases])
    expect(screen.getByTestId('allocation').textContent).toBe('729,166.666 MAI')
    expect(section('allocation')?.textContent).toContain('Not yet counted 729,166.666 MAI')
    const days = [...(section('allocation')?.querySelectorAll('li') ?? [])].map(day => day.textContent)
    expect(days).toHaveLength(1 + terms.vesting.periods)
    expect(days[0]).toContain('182,291.666 MAI')
    expect(section('allocation')?.textContent).toContain('Verify this sale')
  })

  test('tells what the books count apart from what came after them', () => {
    open([purchases, ...counted(buyer)])
    const text = section('allocation')?.textContent
    expect(text).toContain('Counted 416,666.666 MAI')
    expect(text).toContain('Referral bonus 4,687.5 MAI')
    expect(text).toContain('Not yet counted 312,500 MAI')
  })

  test('has one payment of an order that was paid twice: the lesser, and none beside the one that is counted', () => {
    const paid = { orderId: 'k0', slot: 880, paidAt: noon, asset: 'SOL', units: '2500000000', status: 'final' as const }
    const twice = fact({
      type: 'purchase.read',
      data: {
        account: buyer,
        purchases: [
          { ...paid, signature: 'sigSol', quoted: '416666666666667' },
          { ...paid, signature: 'again', quoted: '333333333333333', slot: 1001, status: 'confirmed' },
          { ...paid, signature: 'more', quoted: '1000000000000', orderId: 'k1' },
        ],
      },
    })
    open([twice])
    expect(screen.getByTestId('allocation').textContent).toBe('334,333.333 MAI')
    cleanup()
    open([twice, ...counted(buyer)])
    expect(section('allocation')?.textContent).toContain('Counted 416,666.666 MAI')
    expect(section('allocation')?.textContent).toContain('Not yet counted 1,000 MAI')
  })

  test('of another account’s books counts nothing, and without purchases there is none', () => {
    open([purchases, ...counted(friend)])
    expect(section('allocation')?.textContent).not.toContain('Counted')
    cleanup()
    open()
    expect(section('allocation')).toBeNull()
  })
})

describe('payouts', () => {
  const paidAt = Date.UTC(2027, 1, 7, 12, 30)
  const paid = (payouts: Payout[]) =>
    fact({ type: 'purchase.read', at: noon + 1, data: { account: buyer, purchases: [], payouts } })
  const part = (signature: string, tokens: string): Payout => ({
    signature,
    slot: 3000,
    paidAt,
    tokens,
    status: 'final',
  })

  test('are listed with their kind, amount and transaction; without any there is no list', () => {
    open([purchases])
    expect(section('payouts')).toBeNull()
    cleanup()
    const refund: Payout = {
      signature: 's2',
      slot: 2900,
      paidAt,
      asset: 'SOL',
      units: '937500000',
      status: 'confirmed',
    }
    open([purchases, paid([part('s1', '104166666666666'), refund])])
    const rows = screen.getAllByTestId('payout-row').map(row => row.textContent)
    expect(rows).toEqual([
      '7 Feb 2027 12:30Delivery104,166.666 MAIPayout proof',
      '7 Feb 2027 12:30 · On its wayRefund0.9375 SOLPayout proof',
    ])
    const [link] = section('payouts')?.querySelectorAll('a') ?? []
    expect(link?.href).toContain('s1')
  })

  test('of an announced plan have their due date, and their proof once its batch paid the planned amount', () => {
    const [plan, refundPlan] = ['5'.repeat(64), '6'.repeat(64)] as const
    const planned = [
      { plan, batch: 2, tranche: 0, tokens: '104166666666666' },
      { plan, batch: 3, tranche: 1, tokens: '7000000000' },
      { plan: refundPlan, batch: 2, asset: 'SOL', units: '937500000' },
    ]
    const batches = [
      { signature: 's1', plan, batch: 2 },
      // Anyone can name a batch: this delivery is another amount
      { signature: 's3', plan, batch: 3 },
    ]
    const payouts = [part('s1', '104166666666666'), part('s3', '1')]
    const data = { account: buyer, purchases: [], payouts, batches, planned }
    open([purchases, fact({ type: 'purchase.read', at: noon + 1, data })])
    const rows = screen.getAllByTestId('payout-row')
    expect(rows.map(row => row.textContent)).toEqual([
      'No payment found yetRefundDue by 14 Feb 20270.9375 SOL',
      'No payment found yetDeliveryDue 9 Mar 20277 MAI',
      '7 Feb 2027 12:30DeliveryDue 7 Feb 2027104,166.666 MAIPayout proof',
      '7 Feb 2027 12:30Delivery0 MAIPayout proof',
    ])
    expect(rows.map(row => row.querySelector('a')?.href.includes('s1') ?? null)).toEqual([null, null, true, false])
  })

  describe('of a claim that two plans have', () => {
    const [first, second] = ['5'.repeat(64), '6'.repeat(64)] as const
    const tokens = '104166666666666'
    const due = (plan: string, more: object = {}) => ({ plan, batch: 0, tranche: 0, tokens, ...more })
    const shown = (planned: ReturnType<typeof due>[], paidBy?: string, more: AppFact[] = []) => {
      const payouts = paidBy === undefined ? [] : [part('s1', tokens)]
      const batches = paidBy === undefined ? [] : [{ signature: 's1', plan: paidBy, batch: 0 }]
      const data = { account: buyer, purchases: [], payouts, batches, planned }
      open([purchases, ...more, fact({ type: 'purchase.read', at: noon + 1, data })])
      const texts = screen.getAllByTestId('payout-row').map(row => row.textContent)
      cleanup()
      return texts
    }
    const awaited = ['No payment found yetDeliveryDue 7 Feb 2027104,166.666 MAI']
    const here = ['7 Feb 2027 12:30DeliveryDue 7 Feb 2027104,166.666 MAIPayout proof']

    test('is one payment, that of the plan that arrived, were it left out by the first', () => {
      expect(shown([due(first), due(second)])).toEqual(awaited)
      expect(shown([due(first), due(second)], second)).toEqual(here)
      expect(shown([due(second), due(first)], second)).toEqual(here)
    })

    test('is due no second time once it was paid, and a later plan cannot raise what is due', () => {
      const more = due(second, { tokens: '999999999999999999' })
      expect(shown([due(first), more], first)).toEqual(here)
      expect(shown([due(first), more])).toEqual(awaited)
    })

    test('is the oldest plan’s while none paid it, in whatever order they were read', () => {
      const more = due(second, { tokens: '999999999999999999' })
      const announced = saleAt({ plans: [first, second] }).filter(({ type }) => type === 'sale.noticesRead')
      expect(shown([more, due(first)], undefined, announced)).toEqual(awaited)
      expect(shown([due(first), more], undefined, announced)).toEqual(awaited)
    })

    test('is apart from the other tranches', () => {
      expect(shown([due(first), due(second, { tranche: 1 })], first)).toEqual([
        'No payment found yetDeliveryDue 9 Mar 2027104,166.666 MAI',
        ...here,
      ])
    })
  })

  test('mark the parts of the calendar that have arrived whole, by what the books count', () => {
    const arrived = () => [...(section('allocation')?.querySelectorAll('li') ?? [])].map(day => day.className !== '')
    const counts = counted(buyer)
    open([...counts, paid([part('s1', '105338541666666')])])
    expect(arrived()).toEqual([true, false, false, false])
    cleanup()
    open([...counts, paid([part('s1', '105338541666665')])])
    expect(arrived()).toEqual([false, false, false, false])
    cleanup()
    open([...counts, paid([{ ...part('s1', '105338541666666'), status: 'confirmed' }])])
    expect(arrived()).toEqual([false, false, false, false])
    cleanup()
    open([...counts, paid([part('s1', '105338541666666'), part('s2', '316015625000001')])])
    expect(arrived()).toEqual([true, true, true, true])
  })
})

describe('the referral link', () => {
  test('is the page’s address with the account, to copy; earned is what the books say', () => {
    const { asked } = open(counted(buyer), '?x=1#buy')
    const link = referralLink(location, buyer)
    expect(link).toBe(`${location.origin}/sale?ref=${buyer}`)
    expect(section('referral')?.textContent).toContain(link)
    expect(section('referral')?.textContent).toContain('4,687.5 MAI')
    fireEvent.click(screen.getByRole('button', { name: 'Copy link' }))
    expect(asked.copied).toEqual([link])
  })

  test('is not offered after the sale, which tells only what the books say, and nothing when it failed', () => {
    const after = (result: 'success' | 'failed') => saleAt({ chainTime: (terms.end + 60) * 1000, result })
    open([...after('success'), ...counted(buyer)])
    expect(section('referral')?.textContent).toContain('4,687.5 MAI')
    expect(section('referral')?.textContent).not.toMatch(/ref=|when someone buys/)
    cleanup()
    open(after('success'))
    expect(section('referral')).toBeNull()
    cleanup()
    open([...after('failed'), ...counted(buyer)])
    expect(section('referral')).toBeNull()
  })

  test('is read from an address, or is unreadable', () => {
    expect(readReferrer('')).toBeUndefined()
    expect(readReferrer(`?a=1&ref=${friend}`)).toBe(friend)
    for (const wrong of ['?ref=', '?ref=A1', `?ref=${friend}0`, '?ref=%3Cb%3E'])
      expect(readReferrer(wrong)).toBe('unreadable')
  })
})

describe('an order through a link', () => {
  async function placed(search: string): Promise<unknown> {
    const { commands } = open([], search)
    fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
    for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
    fireEvent.click(screen.getByTestId('buy-button'))
    await act(async () => undefined)
    const [order] = commands
    return order?.type === 'order.place' && [order.data.termsHash === termsHash, order.data.referrer]
  }

  test('names the referrer, whose link the card names', async () => {
    expect(await placed(`?ref=${friend}`)).toEqual([true, friend])
    expect(screen.getByTestId('referred').textContent).toContain('6NHB')
  })

  test('names no one for the own link or one without an address, and says so', async () => {
    expect(await placed(`?ref=${buyer}`)).toEqual([true, undefined])
    expect(screen.getByTestId('referred').textContent).toContain('your own referral link')
    cleanup()
    localStorage.clear()
    expect(await placed('?ref=A1')).toEqual([true, undefined])
    expect(screen.getByTestId('referred').textContent).toContain('no valid address')
  })
})
