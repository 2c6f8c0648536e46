// @vitest-environment happy-dom
/** Refunds at the payments that they are for: order card, purchases and file name the transaction that paid them. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import type { AccountedRow, PurchasesOf } from '../../../../src/events/subjects/sale/purchase.ts'
import { refundsPaid } from '../../../../src/ui/presale/buy/purchases/payoutRows.ts'
import { purchaseRows, purchasesCsv } from '../../../../src/ui/presale/buy/purchases/purchaseRows.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { saleWordsIn } from '../../../../src/ui/presale/saleWords.ts'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import {
  accountedBy,
  buyer,
  connected,
  fact,
  noon,
  orderUntil,
  saleAt,
  signature,
  surroundings,
  terms,
} from '../story.ts'
import { situationOf } from '../situations.ts'

afterEach(cleanup)

function open(...more: AppFact[]): void {
  render(
    <StoreProvider value={surroundings(more).value}>
      <SaleBody />
    </StoreProvider>,
  )
}

const [plan, later] = ['a1'.repeat(32), 'b2'.repeat(32)]
const paidAt = Date.UTC(2027, 1, 3, 12, 0)
const none = { accepted: '0', tokens: '0' } as const
const row = (more: Partial<AccountedRow>) => ({ signature, slot: 2001, paidAt: noon, ...more })

/** Batch 4 of a plan pays the payment at place 12 back, unless said otherwise; its transaction is on the chain. */
function repaid({
  of = plan,
  at = ['12'],
  part = 'places' as 'places' | 'accepted',
  asset = 'SOL',
  units = '2500000000',
  proof = 'proof',
  status = 'final' as 'final' | 'confirmed',
} = {}) {
  const refund = { plan: of, batch: 4, places: [], accepted: [], [part]: at }
  return fact({
    type: 'purchase.read',
    at: noon + 1,
    data: {
      account: buyer,
      purchases: [],
      payouts: [{ signature: proof, slot: 9000, paidAt, asset, units, status }],
      batches: [{ signature: proof, plan: of, batch: 4 }],
      planned: [{ plan: of, batch: 4, asset, units }],
      refunds: [refund],
    },
  })
}
const books = (more: Partial<AccountedRow>) => accountedBy([row(more)], { places: ['12'] })
const card = () => screen.getByTestId('order-status')
const status = () => card().querySelector('header output')?.textContent
const purchase = () => screen.getByTestId('purchase-row')
const proof = () => screen.queryByTestId('refund-proof')?.getAttribute('href')

describe('a refunded payment', () => {
  const late = [...saleAt(), ...connected(), ...orderUntil('accounted'), ...books({ ...none, status: 'late' })]

  test('says when the money came back, and leads to the transaction that paid it', () => {
    open(...late, repaid())
    expect(screen.getByTestId('order-refund').textContent).toContain('2.5 SOL came back on 3 Feb 2027.')
    expect(purchase().textContent).toContain(
      'Not acceptedIt arrived after the sale had ended. 2.5 SOL came back on 3 Feb 2027.',
    )
    expect(proof()).toContain('/tx/proof')
  })

  test.each([
    ['another payment', repaid({ at: ['13'] })],
    ['less than is owed', repaid({ units: '2499999999' })],
    ['another asset', repaid({ asset: 'USDC' })],
    ['what a fork may still drop', repaid({ status: 'confirmed' })],
    [
      'another amount than planned',
      { ...repaid(), data: { ...repaid().data, planned: [{ plan, batch: 4, asset: 'SOL', units: '1' }] } } as AppFact,
    ],
    ['no batch of the plan', { ...repaid(), data: { ...repaid().data, batches: [] } } as AppFact],
  ])('is not told of a payout for %s', (_, payout) => {
    open(...late, payout)
    expect(purchase().textContent).toContain('2.5 SOL come back by 14 Feb 2027.')
    expect(proof()).toBeUndefined()
  })

  test('in part tells the rest that came back', () => {
    const rest = { accepted: '62500000', tokens: '6666666666667', units: '1000000000', status: 'partial' } as const
    open(...saleAt(), ...connected(), ...orderUntil('accounted'), ...books(rest), repaid({ units: '937500000' }))
    expect(screen.getByTestId('order-refund').textContent).toContain('0.9375 SOL came back on 3 Feb 2027.')
    expect(proof()).toContain('/tx/proof')
  })
})

describe('payments that a plan’s batch left out', () => {
  const late = { ...none, status: 'late' } as const
  const refused = accountedBy([row(late), row({ ...late, signature: 'other', units: '1500000000' })], {
    places: ['2', '11'],
  })
  type Read = Omit<Partial<PurchasesOf>, 'readAt'>
  const read = (more: Read) =>
    fact({ type: 'purchase.read', at: noon + 1, data: { account: buyer, purchases: [], payouts: [], ...more } })
  const due = (of: string, units: string) => ({ plan: of, batch: 0, asset: 'SOL', units })
  const back = (of: string, places: string[]) => ({ plan: of, batch: 0, places, accepted: [] })
  const paid = (proof: string, of: string, units: string): Read => ({
    payouts: [{ signature: proof, slot: 9000, paidAt, asset: 'SOL', units, status: 'final' }],
    batches: [{ signature: proof, plan: of, batch: 0 }],
  })
  function shown(more: Read) {
    open(...saleAt(), ...connected(), ...refused, read(more))
    const payouts = screen
      .getAllByTestId('payout-row')
      .map(one => [one.querySelector('b')?.textContent, one.dataset.signature])
    const refunds = screen
      .getAllByTestId('purchase-row')
      .map(({ textContent }) => /c[ao]me back (?:on|by)/.exec(textContent ?? '')?.[0])
    cleanup()
    return { payouts, refunds }
  }
  const [isDue, isBack] = ['come back by', 'came back on']
  const merged = {
    planned: [due(plan, '2500000000'), due(later, '4000000000')],
    refunds: [back(plan, ['2']), back(later, ['2', '11'])],
  }

  test('are one row with what the later plan adds, awaited, then paid by it', () => {
    expect(shown(merged)).toEqual({ payouts: [['4 SOL', undefined]], refunds: [isDue, isDue] })
    expect(shown({ ...merged, ...paid('second', later, '4000000000') })).toEqual({
      payouts: [['4 SOL', 'second']],
      refunds: [isBack, isBack],
    })
  })

  test('are not due again by a later plan when the first one paid them', () => {
    expect(shown({ ...merged, ...paid('first', plan, '2500000000') })).toEqual({
      payouts: [['2.5 SOL', 'first']],
      refunds: [isBack, isDue],
    })
  })

  test('are not more by a later plan that has them alone', () => {
    const raised = {
      planned: [due(plan, '2500000000'), due(later, '9900000000')],
      refunds: [back(plan, ['2']), back(later, ['2'])],
    }
    expect(shown(raised).payouts).toEqual([['2.5 SOL', undefined]])
  })

  test('may be one of an account’s two in the batch: the other is paid', () => {
    const two = {
      planned: [due(plan, '2500000000'), due(plan, '1500000000')],
      refunds: [back(plan, ['2']), back(plan, ['11'])],
    }
    const part = paid('part', plan, '1500000000')
    expect(shown({ ...two, ...part })).toEqual({
      payouts: [
        ['2.5 SOL', undefined],
        ['1.5 SOL', 'part'],
      ],
      refunds: [isDue, isBack],
    })
    expect(shown({ ...two, ...paid('whole', plan, '4000000000') }).refunds).toEqual([isBack, isBack])
    expect(shown({ ...two, ...paid('odd', plan, '1500000001') }).refunds).toEqual([isDue, isDue])
  })

  test('are not told when the amounts do not tell which arrived', () => {
    const units = ['2500000000', '1500000000', '1500000000', '4000000000']
    const rowsOf = (some: string[]) => ({
      planned: some.map(of => due(plan, of)),
      refunds: some.map((_, at) => back(plan, at === 0 ? ['2'] : at === 1 ? ['11'] : [])),
    })
    const same = { ...rowsOf(units.slice(1, 3)), ...paid('part', plan, '1500000000') }
    expect(shown(same).refunds).toEqual([isDue, isDue])
    const three = { ...rowsOf([units[0], units[1], units[3]] as string[]), ...paid('part', plan, '4000000000') }
    expect(shown(three).refunds).toEqual([isDue, isDue])
  })
})

describe.each([
  ['was disconnected', fact({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })],
  [
    'gave way to another',
    fact({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [terms.treasury] } }),
  ],
])('the order of an account that %s', (_, gone) => {
  test.each([
    ['late', situationOf('late').facts, 'It arrived after the sale had ended. 2.5 SOL come back by'],
    [
      'final in a failed sale',
      [...situationOf('failed').facts, ...orderUntil('finalised')],
      'The soft cap was missed.',
    ],
  ] as const)('is still judged as its own, %s', (_name, facts, words) => {
    open(...facts, gone)
    expect(screen.getByTestId('order-refund').textContent).toContain(words)
    expect(card().textContent).not.toContain('Delivery by the terms')
  })

  test('does not lead to purchases that are not its own', () => {
    const final = [...saleAt(), ...connected(), ...orderUntil('finalised')]
    open(...final)
    expect(card().querySelector('[href="#purchases"]')).toBeTruthy()
    cleanup()
    open(...final, gone)
    expect(card().textContent).toContain('Delivery by the terms')
    expect(card().querySelector('[href="#purchases"]')).toBeNull()
  })
})

describe('an order of a failed sale', () => {
  const failed = [
    ...saleAt({ chainTime: (terms.end + 60) * 1000, result: 'failed' }),
    ...connected(),
    ...orderUntil('accounted'),
  ]

  test('that was accepted says that the money comes back, and promises no tokens', () => {
    open(...failed, ...books({}))
    expect(status()).toBe('Refund due')
    expect(screen.getByTestId('order-refund').textContent).toBe(
      'The soft cap was missed. 2.5 SOL come back by 14 Feb 2027.',
    )
    expect(card().textContent).not.toContain('No result yet')
    expect(card().textContent).not.toContain('MAI')
  })

  describe('of which a part was accepted', () => {
    const partial = books({ accepted: '62500000', tokens: '6666666666667', status: 'partial' })
    const rest = repaid({ units: '2437500000' })
    const accepted = repaid({ of: later, part: 'accepted', units: '62500000', proof: 'second' })
    const [restCame, acceptedCame] = ['2.4375 SOL came back on 3 Feb 2027.', '0.0625 SOL came back on 3 Feb 2027.']
    const proofs = () => screen.queryAllByTestId('refund-proof').map(one => one.getAttribute('href'))

    test('is due the rest of what came in, once the part that was not taken came back before', () => {
      open(...failed, ...partial, rest)
      const words = `The soft cap was missed. ${restCame} 0.0625 SOL come back by 14 Feb 2027.`
      expect(status()).toBe('Refund due')
      expect(screen.getByTestId('order-refund').textContent).toBe(words)
      expect(purchase().textContent).toContain(words)
      expect(proofs()).toEqual([expect.stringContaining('/tx/proof')])
      const [due] = screen.getAllByTestId('payout-row').map(one => one.querySelector('b')?.textContent)
      expect(due).toBe('2.4375 SOL')
    })

    test('was refunded once both parts came back, each with its proof', () => {
      open(...failed, ...partial, rest, accepted)
      expect(status()).toBe('Refunded')
      expect(purchase().textContent).toContain(`RefundedThe soft cap was missed. ${restCame} ${acceptedCame}`)
      expect(proofs()).toEqual([expect.stringContaining('/tx/proof'), expect.stringContaining('/tx/second')])
    })

    test('was refunded by one plan’s payment of both', () => {
      const both = repaid()
      const data = { ...both.data, refunds: [{ plan, batch: 4, places: ['12'], accepted: ['12'] }] }
      open(...failed, ...partial, { ...both, data } as AppFact)
      expect(purchase().textContent).toContain('RefundedThe soft cap was missed. 2.5 SOL came back on 3 Feb 2027.')
      expect(proofs()).toEqual([expect.stringContaining('/tx/proof')])
    })

    test('is not promised the second part below the terms’ minimum', () => {
      const small = books({ accepted: '999999', tokens: '1', status: 'partial' })
      open(...failed, ...small, repaid({ units: '2499000001' }))
      expect(purchase().textContent).toContain(
        '2.499000001 SOL came back on 3 Feb 2027. The terms return nothing below 0.001 SOL in all.',
      )
    })
  })

  test('was refunded by what it accepted alone, when that is all', () => {
    open(...failed, ...books({}), repaid({ part: 'accepted' }))
    expect(status()).toBe('Refunded')
    expect(proof()).toContain('/tx/proof')
  })
})

describe('the file', () => {
  /** The first payment's line, where two payments are owed for; the second has place 13. */
  function line(payments: Partial<AccountedRow>[], ...payouts: AppFact[]) {
    const paused = payments.map(more => row({ ...none, status: 'paused', ...more }))
    const { store } = surroundings([...saleAt(), ...accountedBy(paused, { places: ['12', '13'] }), ...payouts])
    const read = store.model().purchase[buyer] as PurchasesOf
    const rows = purchaseRows(saleWordsIn('en'), buyer, {
      ...read,
      orders: {},
      verdicts: { counted: new Map(), refused: new Map() },
      paidBack: refundsPaid(read),
      terms,
      isFailed: payments.some(({ status }) => status === 'partial'),
    })
    return purchasesCsv(rows, terms).split('\r\n')[1]
  }
  // Below the minimum by itself: the payee's other payment comes back with it
  const two = [{ units: '999999' }, { signature: 'other', units: '2500000000' }]

  test('names the transaction of each refund', () => {
    expect(line([{}], repaid())).toMatch(/,PAUSED,2\.5,2027-02-14,2\.5,proof,"[^"]*",/)
  })

  test('tells of a failed sale all that comes back of a payment, and what of it came by which transactions', () => {
    const partial = { accepted: '62500000', status: 'partial' } as const
    const rest = repaid({ units: '2437500000' })
    expect(line([partial], rest)).toMatch(/,SALE_FAILED,2\.5,2027-02-14,2\.4375,proof,"[^"]*",/)
    const second = repaid({ of: later, part: 'accepted', units: '62500000', proof: 'second' })
    expect(line([partial], rest, second)).toMatch(/,SALE_FAILED,2\.5,2027-02-14,2\.5,proof second,"[^"]*",/)
  })

  test('names what came back with another payment, when it is what is owed for both', () => {
    const both = repaid({ at: ['12', '13'], units: '2500999999' })
    expect(line(two, both)).toMatch(/,PAUSED,0\.000999999,2027-02-14,0\.000999999,proof,"[^"]*",/)
    const less = repaid({ at: ['12', '13'], units: '2500999998' })
    expect(line(two, less)).toMatch(/,PAUSED,0,,,,"[^"]*",/)
  })

  test('tells two payments of one transaction apart', () => {
    const first = [{}, { units: '3000000000' }]
    expect(line(first, repaid({ at: ['13'], units: '3000000000' }))).toMatch(/,PAUSED,2\.5,2027-02-14,,,"[^"]*",/)
  })

  test('names the transaction that is final where one before it was dropped', () => {
    const dropped = repaid({ status: 'confirmed', proof: 'dropped' })
    expect(line([{}], repaid(), dropped)).toMatch(/,PAUSED,2\.5,2027-02-14,2\.5,proof,"[^"]*",/)
  })
})
