// @vitest-environment happy-dom
/** Verdicts of the audited books on an account's payments: order card, purchases, file, code and limit, in five languages. */
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import { verdictsOfAccount } from '../../../../src/events/sale/saleNow.ts'
import { type AccountedRow, judgements } from '../../../../src/events/subjects/sale/purchase.ts'
import { purchaseRows, purchasesCsv } from '../../../../src/ui/presale/buy/purchases/purchaseRows.ts'
import { SaleBody } from '../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../src/ui/react.tsx'
import { addSurface, languages, readTexts } from '../../../../src/ui/texts/language.tsx'
import { pageTexts } from '../../../../src/ui/texts/surfaces/surfaces.ts'
import { saleWordsIn } from '../../../../src/ui/presale/saleWords.ts'
import {
  accountedBy,
  buyer,
  connected,
  invoiceUntil,
  noon,
  orderUntil,
  purchases,
  saleAt,
  signature,
  surroundings,
  terms,
} from '../story.ts'

afterEach(cleanup)

function open(...more: AppFact[]) {
  const around = surroundings([...saleAt(), ...more])
  render(
    <StoreProvider value={around.value}>
      <SaleBody />
    </StoreProvider>,
  )
  return around
}

/** The card's order, by its row in the audited books. */
const judged = (row: Partial<AccountedRow>, more: { changed?: string[] } = {}) =>
  accountedBy([{ signature, slot: 2001, paidAt: noon, ...row }], more)
const ordered = (row: Partial<AccountedRow>) => [...connected(), ...orderUntil('accounted'), ...judged(row)]
const card = () => screen.getByTestId('order-status')
const status = () => card().querySelector('header output')?.textContent
const row = () => screen.getByTestId('purchase-row')
const swatch = (of: Element) => of.querySelector('.swatch')?.className
const partial = { accepted: '62500000', tokens: '6666666666667', units: '1000000000', status: 'partial' } as const
const none = { accepted: '0', tokens: '0' } as const

describe('an order that the audited books count', () => {
  test('is solid, with the tokens that they give', () => {
    open(...ordered({ tokens: '333333333333332' }))
    expect([status(), swatch(card())]).toEqual(['Accepted', 'swatch'])
    expect(card().textContent).toContain('333,333.333 MAIcounted for 2.5 SOL')
    expect(card().querySelector('.steps')?.textContent).toContain('Accepted')
    expect(card().querySelector('.steps')?.textContent).not.toContain('No result yet')
    expect(screen.queryByTestId('order-refund')).toBeNull()
    expect(swatch(row())).toBe('swatch')
    expect(row().textContent).toContain('333,333.333 countedAcceptedCounted in the team’s books')
    expect(screen.getByRole('columnheader', { name: 'MAI' })).toBeTruthy()
    expect(screen.getByTestId('allocation').textContent).toBe('333,333.333 MAI')
    expect(document.body.textContent).not.toContain('Not yet counted')
  })

  test('in part tells the part, and the rest with its day', () => {
    open(...ordered(partial))
    const words =
      '0.0625 SOL of it were accepted; the rest was over a limit of the sale. 0.9375 SOL come back by 14 Feb 2027.'
    expect([status(), swatch(card())]).toEqual(['Partly accepted', 'swatch'])
    expect(card().textContent).toContain('6,666.666 MAIcounted for 0.0625 SOL')
    expect(screen.getByTestId('order-refund').textContent).toBe(words)
    expect(row().textContent).toContain(`Partly accepted${words}`)
    expect(row().dataset.code).toBe('PARTIAL')
  })

  test('is told apart from a payment that they do not reach', () => {
    open(...connected(), purchases, ...accountedBy([{ signature: 'sigSol' }]))
    const rows = screen.getAllByTestId('purchase-row').map(one => one.textContent)
    expect(rows[0]).toContain('312,500.000 quotedFinalNo result yet')
    expect(rows[2]).toContain('416,666.666 countedAccepted')
  })
})

describe('a payment that the audited books refuse', () => {
  test.each<[AccountedRow['status'], string, string]>([
    ['price_protect', 'PRICE_LATE', 'The price had moved: it would have bought less than your minimum.'],
    ['sold_out', 'SOLD_OUT_LATE', 'The sale was sold out when it arrived.'],
    ['late', 'LATE', 'It arrived after the sale had ended.'],
    ['not_allowed', 'NOT_ALLOWED', 'This wallet is not on the list of this sale.'],
    ['buyer_cap', 'BUYER_CAP', 'This wallet had reached its limit.'],
    ['duplicate', 'DUPLICATE', 'This order was paid twice. The first payment counts.'],
  ])('by %s has the code %s, its reason and its day', (verdict, code, why) => {
    open(...ordered({ ...none, status: verdict }))
    const words = `${why} 2.5 SOL come back by 14 Feb 2027.`
    expect([status(), swatch(card())]).toEqual(['Not accepted', 'swatch is-open'])
    expect(screen.getByTestId('order-refund').textContent).toBe(words)
    expect(row().textContent).toContain(`0Not accepted${words}`)
    expect(row().dataset.code).toBe(code)
  })

  test('leaves the wallet’s limit free, an accepted one does not', () => {
    const left = () => /\$[\d,.]+ left for this wallet/.exec(document.body.textContent ?? '')?.[0]
    open(...connected(), purchases, ...accountedBy([{ signature: 'sigSol' }]))
    expect(left()).toBe('$24,225 left for this wallet')
    cleanup()
    open(...connected(), purchases, ...accountedBy([{ signature: 'sigSol', ...none, status: 'price_protect' }]))
    expect(left()).toBe('$24,625 left for this wallet')
    cleanup()
    open(...connected(), purchases, ...accountedBy([{ signature: 'sigSol', accepted: '62500000', status: 'partial' }]))
    expect(left()).toBe('$24,615 left for this wallet')
  })
})

test('a payment from another device, which no list has, is a purchase', () => {
  open(...connected(), ...accountedBy([{ signature: 'elsewhere', units: '1000000000', accepted: '1000000000' }]))
  expect(row().dataset.signature).toBe('elsewhere')
  expect(row().textContent).toContain('1 SOL416,666.666 countedAccepted')
})

test('two payments of one transaction are two rows', () => {
  const malformed = { signature: 'twice', ...none, status: 'malformed' } as const
  open(...connected(), ...accountedBy([malformed, { ...malformed, asset: 'USDC', units: '10000000' }]))
  const rows = screen.getAllByTestId('purchase-row').map(one => one.textContent)
  expect(rows).toEqual([expect.stringContaining('2.5 SOL'), expect.stringContaining('10 USDC')])
})

test('a verdict that differs from an earlier one says so', () => {
  open(...connected(), ...judged({ ...none, status: 'late' }, { changed: [signature] }))
  expect(row().textContent).toContain('An earlier count said otherwise.')
  cleanup()
  open(...connected(), ...judged({ ...none, status: 'late' }))
  expect(row().textContent).not.toContain('An earlier count said otherwise.')
})

test('a payment by a code tells the verdict without a connection', () => {
  const paid = invoiceUntil('final', { signature: 'sigCode', slot: 1990 })
  open(...paid, ...accountedBy([{ signature: 'sigCode', ...partial }]))
  const code = screen.getByTestId('invoice')
  expect(code.querySelector('header output')?.textContent).toBe('Partly accepted')
  cleanup()
  open(...paid, ...accountedBy([{ signature: 'sigCode', ...none, status: 'sold_out' }]))
  expect(screen.getByTestId('invoice').querySelector('header output')?.textContent).toBe('Not accepted')
})

test('the file has what the books give, codes and due days, and leaves out what they do not reach', () => {
  const known = accountedBy([
    { signature: 'sigSol', ...partial, units: '2500000000' },
    { signature: 'other', ...none, status: 'sold_out', paidAt: noon },
  ])
  const { store } = surroundings([...saleAt(), ...connected(), purchases, ...known])
  const { purchases: read = [], accounted } = store.model().purchase[buyer] ?? {}
  const verdicts = verdictsOfAccount(store.model(), buyer)
  const rows = purchaseRows(saleWordsIn('en'), buyer, { purchases: read, orders: {}, verdicts, accounted, terms })
  const lines = purchasesCsv(rows, terms).split('\r\n')
  const cells = Object.fromEntries(lines.map(line => [line.split(',').at(-1), line.split(',').slice(1, 10)]))
  expect(lines[0]).toBe(
    'date,paid,asset,quoted,accepted,tokens,status,code,refund,due,refunded,refund_signature,reason,signature',
  )
  expect(cells).toMatchObject({
    sigSol: [
      '2.5',
      'SOL',
      '416666.666666667',
      '0.0625',
      '6666.666666667',
      'Partly accepted',
      'PARTIAL',
      '2.4375',
      '2027-02-14',
    ],
    other: ['2.5', 'SOL', '0', '', '', 'Not accepted', 'SOLD_OUT_LATE', '2.5', '2027-02-14'],
    sigUsdc: ['375', 'USDC', '312500', '', '', 'Final', '', '0', ''],
  })
})

test.each(languages)('every verdict has its own words in %s', async language => {
  addSurface(pageTexts)
  expect(await readTexts(language)).toBe(true)
  const t = saleWordsIn(language)
  expect(t.order.counted === saleWordsIn('en').order.counted).toBe(language === 'en')
  const reasons = judgements.map(verdict => {
    const given = verdict === 'partial' ? partial : verdict === 'accepted' ? {} : none
    const { store } = surroundings([...saleAt(), ...accountedBy([{ signature: 's', status: verdict, ...given }])])
    const { accounted } = store.model().purchase[buyer] ?? {}
    const verdicts = verdictsOfAccount(store.model(), buyer)
    const [only] = purchaseRows(t, buyer, { purchases: [], orders: {}, verdicts, accounted, terms })
    expect(only?.reason).not.toContain('undefined')
    return only?.reason
  })
  expect(new Set(reasons).size).toBe(judgements.length)
})
