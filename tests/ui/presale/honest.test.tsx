// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import type { RefusedStatus } from '../../../src/events/sale/payments/payments.ts'
import type { Failure } from '../../../src/runtime/failure.ts'
import type { Purchase } from '../../../src/events/subjects/sale/purchase.ts'
import type { NoticeChange } from '../../../src/events/subjects/sale/saleFacts.ts'
import { purchaseRows } from '../../../src/ui/presale/buy/purchases/purchaseRows.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { TopBar } from '../../../src/ui/presale/TopBar.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import {
  buyer,
  connected,
  fact,
  legalUrl,
  noon,
  orderEnd,
  orderUntil,
  saleAt,
  signature,
  surroundings,
  terms,
  termsHash,
} from './story.ts'
import { addSurface, readTexts } from '../../../src/ui/texts/language.tsx'
import { pageTexts } from '../../../src/ui/texts/surfaces/surfaces.ts'
import { saleWordsIn } from '../../../src/ui/presale/saleWords.ts'

afterEach(cleanup)

function open(...facts: AppFact[]) {
  const made = surroundings(facts)
  render(
    <StoreProvider value={made.value}>
      <TopBar />
      <SaleBody />
    </StoreProvider>,
  )
  return made
}
const card = () => screen.getByTestId('order-status')
const button = () => screen.getByTestId('buy-button').textContent
const prefix = termsHash.slice(0, 16)
const told = (change: Partial<Purchase> = {}) =>
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
          status: 'final',
          terms: prefix,
          ...change,
        },
      ],
    },
  })
const announced = (...more: NoticeChange[]): NoticeChange[] => [{ slot: 1, verb: 'terms', hash: termsHash }, ...more]

describe('an order that is final', () => {
  test('is never solid: it is not judged, though a checkpoint covers it', () => {
    open(...saleAt(), ...connected(), ...orderUntil('accounted'), told({ slot: 900 }))
    expect(card().querySelector('header output')?.textContent).toBe('Final, no result yet')
    expect(card().querySelector('header .swatch')?.className).toBe('swatch is-hatch')
    expect(card().textContent).toContain('333,333.333 MAIquoted for 2.5 SOL')
    const row = screen.getByTestId('purchase-row')
    expect(row.querySelector('.swatch')?.className).toBe('swatch is-hatch')
    expect(row.textContent).toContain('FinalNo result yet')
    expect(screen.getByRole('columnheader', { name: 'MAI quoted' })).toBeTruthy()
    expect(document.body.textContent).not.toContain('Counted')
  })

  test.each<[RefusedStatus, Partial<Purchase>, NoticeChange[], string]>([
    ['early', { paidAt: terms.start * 1000 - 1000 }, [], 'It arrived before the sale opened.'],
    ['late', { paidAt: terms.end * 1000 + 60_000 }, [], 'It arrived after the sale had ended.'],
    ['paused', {}, [{ slot: 1999, verb: 'pause' }], 'The team had paused the sale.'],
    ['under_min', { units: '1000000' }, [], 'It is less than the smallest order.'],
    ['unknown_terms', { terms: '0123456789abcdef' }, [], 'It names terms the team never published.'],
    ['mismatch', { fault: 'mismatch' }, [], 'It pays another amount than its order says.'],
    ['malformed', { fault: 'malformed' }, [], 'Its order cannot be read.'],
    ['no_memo', { fault: 'no_memo' }, [], 'It names no order.'],
  ])('with the refusal %s says so at once, hollow, with its refund', (_, change, more, verdict) => {
    open(...saleAt({ changes: announced(...more) }), ...connected(), ...orderUntil('finalised'), told(change))
    const amount = change.units === undefined ? '2.5 SOL' : '0.001 SOL'
    const refund = `${verdict} ${amount} come back by 14 Feb 2027.`
    expect(card().querySelector('header output')?.textContent).toBe('Not accepted')
    expect(card().querySelector('header .swatch')?.className).toBe('swatch is-open')
    expect(screen.getByTestId('order-refund').textContent).toBe(refund)
    expect(card().textContent).not.toContain('333,333.333')
    expect(card().querySelector('.steps')?.textContent).toContain('Not accepted')
    const row = screen.getByTestId('purchase-row')
    expect(row.querySelector('.swatch')?.className).toBe('swatch is-open')
    expect(row.textContent).toContain(`0Not accepted${refund}`)
  })

  test('that is refused below the refundable minimum says that nothing comes back', () => {
    open(...saleAt(), ...connected(), ...orderUntil('finalised'), told({ units: '999999' }))
    const words = 'It is less than the smallest order. The terms return nothing below 0.001 SOL in all.'
    expect(card().querySelector('.note.is-warn')?.textContent).toBe(words)
    expect(screen.getByTestId('purchase-row').textContent).toContain(words)
    const at = { signature, orderId: 'k1', slot: 1, paidAt: noon, asset: 'SOL', quoted: '1', status: 'final' } as const
    const refused = new Map([[signature, 'under_min' as const]])
    const refundsOf = (units: string) =>
      purchaseRows(saleWordsIn('en'), buyer, {
        purchases: [{ ...at, units }],
        orders: {},
        verdicts: { counted: new Map(), refused },
        terms,
      }).map(({ refund }) => refund)
    expect([refundsOf('999999'), refundsOf('1000000')]).toEqual([['0'], ['1000000']])
  })

  test('that is a duplicate says that the second payment comes back', () => {
    const first = told({ signature: 'first', slot: 1990 })
    open(...saleAt(), ...connected(), ...orderUntil('finalised'), told(), first)
    expect(card().textContent).toContain('This order was paid twice. The first payment counts. 2.5 SOL come back')
    expect(
      screen.getAllByTestId('purchase-row').map(row => row.querySelector('.purchases-status')?.textContent),
    ).toContain('Final')
  })
})

describe('an allowlist sale', () => {
  const access = { mode: 'allowlist', sha256: '0'.repeat(64), url: './list.txt' } as const
  const sale = saleAt({ terms: { ...terms, access } })
  const read = (allowed: boolean) => fact({ type: 'sale.accessRead', data: { account: buyer, allowed } })

  test('shows whether the list is being read, cannot be read, or lacks the wallet', () => {
    const failure = { code: 'terms_invalid', message: '' } as const
    open(...sale, ...connected())
    expect(button()).toBe('Reading the sale’s list')
    cleanup()
    open(...sale, ...connected(), fact({ type: 'sale.accessFailed', data: { account: buyer, failure } }))
    expect(button()).toBe('The sale’s list cannot be read')
    cleanup()
    open(...sale, ...connected(), read(false))
    expect(button()).toBe('This wallet is not on the sale’s list')
    cleanup()
    open(...sale, ...connected(), read(true))
    expect(button()).toBe('Enter an amount')
  })

  test('names the refund to a wallet that is not on it', () => {
    open(...sale, ...connected(), read(false), ...orderUntil('finalised'), told())
    expect(card().textContent).toContain('This wallet is not on the list of this sale. 2.5 SOL come back')
  })
})

describe('an order refused by the core', () => {
  const words = (code: Failure['code'], facts: Record<string, string | number>) => {
    open(...saleAt(), ...connected(), ...orderUntil('drafted'), orderEnd('order.gateRefused', code, facts))
    return card().querySelector('.note')?.textContent
  }

  test.each([
    ['unauthorized', { rule: 'ALLOWLIST' }, 'This wallet is not on the list of this sale. Nothing was sent.'],
    ['unauthorized', {}, 'The payment could not be made.'],
    ['bad_input', { rule: 'MAX_BUYER' }, 'With what this wallet bought before it would pass the limit.'],
    ['bad_input', {}, 'The payment could not be made.'],
    ['treasury_mismatch', { rule: 'BUILT' }, 'This page built another payment than you agreed to. Do not pay here.'],
    ['treasury_mismatch', {}, 'The sale on the chain does not match its terms. Do not pay.'],
    ['rent', { whose: 'treasury' }, 'The treasury is not ready for payments. Tell the team.'],
    ['rent', { whose: 'buyer' }, 'Leave 0 or at least 0.00089088 SOL in your wallet.'],
    ['rent', { name: 'InsufficientFundsForRent', account: 0 }, 'Leave 0 or at least 0.00089088 SOL in your wallet.'],
    [
      'rent',
      { name: 'InsufficientFundsForRent', account: 1 },
      'The treasury is not ready for payments. Tell the team.',
    ],
  ] as const)('with %s and %j gives the reason', (code, facts, sentence) => {
    const said = words(code, facts)
    for (const part of sentence.split(/(?<=\.) /)) expect(said).toContain(part)
  })
})

describe('without a checkpoint', () => {
  const bare = saleAt().map(one => {
    if (one.type !== 'sale.noticesRead') return one
    const { checkpoint: _, ...data } = one.data
    return { ...one, data }
  })

  test('nothing counts as raised or audited, no price is current, and buying is off', () => {
    open(...bare, ...connected())
    expect(screen.getByTestId('raised').textContent).toBe('–')
    expect(document.querySelector('.legend')).toBeNull()
    expect(document.querySelector('.ladder .text-strong')).toBeNull()
    expect(screen.getByTestId('status').textContent).toContain('The price is not known.')
    expect(button()).toBe('Buying is off')
  })
})

describe('the legal document', () => {
  test('is linked after its hash was compared', () => {
    open(...saleAt(), ...connected())
    expect(screen.getByRole('link', { name: 'sale terms' }).getAttribute('href')).toBe(legalUrl)
    expect(screen.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(legalUrl)
  })

  test('is not linked before, nor after another one was found', () => {
    const before = saleAt().filter(({ type }) => type !== 'sale.legalRead')
    const failed = fact({ type: 'sale.legalFailed', data: { failure: { code: 'terms_invalid', message: '' } } })
    for (const facts of [before, [...before, failed]]) {
      open(...facts, ...connected())
      expect(screen.queryByRole('link', { name: /^(sale terms|Terms)$/ })).toBeNull()
      cleanup()
    }
  })

  test.each([
    ['terms_invalid', 'The sale terms document is not the one the team signed.'],
    ['bad_response', 'The sale terms document does not load.'],
  ] as const)('that fails with %s turns buying off in plain words', (code, verdict) => {
    const failed = fact({ type: 'sale.legalFailed', data: { failure: { code, message: '' } } })
    open(...saleAt(), ...connected(), failed)
    expect(button()).toBe('Buying is off')
    expect(document.querySelector('.note.sale-note')?.textContent).toContain(verdict)
  })
})

describe('the published content', () => {
  const content = {
    about: { title: 'What MAI is', text: 'A token.' },
    tokenomics: {
      note: 'No more are made.',
      rows: [
        { name: 'Presale', tokens: '750' },
        { name: 'Team', tokens: '250' },
      ],
    },
    roadmap: [
      { when: 'Q4 2026', title: 'Program audited', text: 'Both reports are public.', done: true as const },
      { when: 'After the sale', title: 'Launch' },
    ],
    questions: [{ question: 'Why?', answer: 'Because.' }],
    links: [
      { name: 'Privacy', url: 'https://sale.example/privacy.html' },
      { name: 'Trap', url: 'javascript:alert(1)' },
    ],
  }

  test('is shown unchanged, and a link of no web address is none', () => {
    open(...saleAt({ content }))
    expect(document.querySelector('#about')?.textContent).toBe('What MAI isA token.')
    expect(document.querySelector('.foot-sections')?.textContent).toBe(
      'SaleAboutWho holds the moneyTokenomicsRoadmapQuestions',
    )
    expect(document.querySelector('#tokenomics')?.textContent).toContain('1,000 MAI in total. No more are made.')
    expect(document.querySelector('#tokenomics')?.textContent).toContain('Team25025%')
    expect(document.querySelector('#faq')?.textContent).toContain('Why?')
    expect(screen.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe(content.links[0]?.url)
    expect(screen.queryByRole('link', { name: 'Trap' })).toBeNull()
  })

  test('lists the roadmap between tokenomics and questions, and marks what is done by a word and an icon', () => {
    open(...saleAt({ content }))
    const section = document.querySelector('#roadmap')
    expect(section?.previousElementSibling?.id).toBe('tokenomics')
    expect(section?.nextElementSibling?.id).toBe('faq')
    expect(section?.querySelector('h2')?.textContent).toBe('Roadmap')
    const entries = [...(section?.querySelectorAll('ol > li') ?? [])]
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      'Q4 2026 · DoneProgram auditedBoth reports are public.',
      'After the saleLaunch',
    ])
    expect(entries.map(entry => entry.querySelectorAll('svg').length)).toEqual([1, 0])
  })

  test.each([
    ['en', 'Roadmap', 'Done'],
    ['de', 'Roadmap', 'Abgeschlossen'],
    ['es', 'Hoja de ruta', 'Completado'],
    ['ja', 'ロードマップ', '完了'],
    ['ar', 'خارطة الطريق', 'مكتمل'],
  ] as const)('names the roadmap and its marks in %s', async (language, title, done) => {
    addSurface(pageTexts)
    expect(await readTexts(language)).toBe(true)
    open(...saleAt({ content }), fact({ type: 'tab.languageChosen', data: { language } }))
    expect(document.querySelector('#roadmap h2')?.textContent).toBe(title)
    expect(document.querySelector('#roadmap li')?.textContent).toContain(`Q4 2026 · ${done}`)
    expect(document.querySelector('.foot-sections a[href="#roadmap"]')?.textContent).toBe(title)
  })

  test('that is absent is left out: no tokenomics, no roadmap, no questions, no privacy link', () => {
    open(...saleAt())
    expect(document.querySelector('#about')).toBeNull()
    expect(document.querySelector('#tokenomics')).toBeNull()
    expect(document.querySelector('#roadmap')).toBeNull()
    expect(document.querySelector('#faq')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Privacy' })).toBeNull()
    expect(document.body.textContent).not.toMatch(/Tokenomics|Roadmap|Questions/)
    // True, as it can be pressed
    expect(document.querySelector('#trust')?.textContent).toMatch(/Anyone can recompute .*Verify/)
  })
})

test('honest: unjudged money is named beside a quote it may change', () => {
  const usd = (whole: bigint) => whole * 10n ** 12n
  open(...saleAt({ audited: usd(100_000n), live: usd(60_000n) }), ...connected())
  fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
  expect(document.querySelector('.buy .note.is-warn')?.textContent).toBe(
    '$60,000 came in and is not checked yet. If it all counts before your payment, you get 333,333.333 MAI instead of 666,666.666.',
  )
  expect(screen.getByText(/^333,333\.33.* MAI$/)).toBeTruthy()
})

test('honest: money that left the treasury hides what came in, and a quote says so', () => {
  const left = saleAt({ audited: 100_000n * 10n ** 12n, live: 0n }).map(one =>
    one.type === 'sale.read' ? { ...one, data: { ...one.data, balances: { SOL: '0', USDC: '60000000000' } } } : one,
  )
  open(...left, ...connected())
  fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
  expect(document.querySelector('.buy .note.is-warn')?.textContent).toBe(
    'Payments are not checked yet. If others buy first and you would get less, you’re refunded.',
  )
  expect(screen.getByText(/^666,666\.66.* MAI$/)).toBeTruthy()
  expect(screen.getByTestId('status').dataset.status).toBe('live')
  expect(screen.getByTestId('status').textContent).toMatch(/^LiveStage 1 of 3/)
  expect(document.querySelector('.price-chart-live')).toBeNull()
})

test('honest: money since the end of a stage may have moved the price beyond it', () => {
  const usd = (whole: bigint) => whole * 10n ** 12n
  const [one, ...others] = terms.stages
  const stages = [{ ...one, endsAt: noon / 1000 - 60 }, ...others] as typeof terms.stages
  open(...saleAt({ audited: 0n, live: usd(310_000n), terms: { ...terms, stages } }), ...connected())
  fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '2.5' } })
  expect(document.querySelector('.buy .note.is-warn')?.textContent).toBe(
    '$310,000 came in and is not checked yet. If it all counts before your payment, you get 266,666.666 MAI instead of 333,333.333.',
  )
})

test('honest: purchases that could not be read claim no figures, and say that they are read again', () => {
  const failure = { code: 'rate_limited', message: 'the node expected fewer calls' } as const
  open(...saleAt(), ...connected(), fact({ type: 'purchase.failed', data: { account: buyer, failure } }))
  expect(document.querySelector('#purchases .note')?.textContent).toBe(
    'The chain could not be read for this wallet. The page shows what is known and tries again.',
  )
})
