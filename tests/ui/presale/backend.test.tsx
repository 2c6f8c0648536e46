// @vitest-environment happy-dom
/** The page shows and hides by the capabilities of the sale's backend, and buys nothing under an unknown one. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { type SaleOffer, saleOffers, saleQuotes } from '../../../src/events/sale/backend.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { register, trial } from '../../worker/trialBackend.ts'
import { connected, fact, purchases, saleAt, surroundings, terms } from './story.ts'

afterEach(cleanup)

function open(facts: readonly AppFact[]): string {
  const { value } = surroundings(facts)
  render(
    <StoreProvider value={value}>
      <SaleBody />
    </StoreProvider>,
  )
  return document.body.textContent ?? ''
}

/** @returns the page of a sale whose backend can do this beside what the first one can */
function pageWith(can: Partial<SaleOffer['capabilities']>): string {
  const { capabilities, quoteFor } = saleOffers.direct
  register(saleOffers, { capabilities: { ...capabilities, ...can }, quoteFor })
  register(saleQuotes, saleQuotes.direct)
  return open([...saleAt({ terms: { ...terms, backend: trial } }), ...connected(), purchases])
}

const valueOf = (testid: string) => (screen.getByTestId(testid) as HTMLInputElement).value
const type = (testid: string, value: string) => fireEvent.change(screen.getByTestId(testid), { target: { value } })

const sentences = {
  treasury:
    'Payments go to the project’s treasury wallet. The team holds its keys, and you trust them to refund and to deliver.',
  several: 'Safer than one key is a treasury for which several people must sign.',
  team: 'No program on the chain can force a refund or a delivery.',
  refund: 'the terms oblige the team to return it within',
  stays: 'A payment cannot be taken back while the sale is open.',
  sends: 'The team sends it; you do nothing.',
  ladder: 'Capacity',
}
const shown = (page: string) =>
  Object.entries(sentences).flatMap(([name, sentence]) => (page.includes(sentence) ? [name] : []))

describe('the page of a sale', () => {
  test('of the first backend names the team, which refunds and delivers, and the stages', () => {
    expect(shown(open([...saleAt(), ...connected(), purchases]))).toEqual(Object.keys(sentences))
  })

  test.each<[string, Partial<SaleOffer['capabilities']>, string[]]>([
    ['refunds itself', { selfRefund: true }, ['treasury', 'several', 'team', 'stays', 'sends', 'ladder']],
    ['lets buyers claim', { claim: true }, ['treasury', 'several', 'team', 'refund', 'stays', 'ladder']],
    ['does both', { selfRefund: true, claim: true }, ['stays', 'ladder']],
    [
      'lets buyers take a payment back',
      { withdraw: true },
      ['treasury', 'several', 'team', 'refund', 'sends', 'ladder'],
    ],
    ['has one price', { multiStage: false }, ['treasury', 'several', 'team', 'refund', 'stays', 'sends']],
  ])('whose backend %s hides what it makes untrue', (_, can, stays) => {
    expect(shown(pageWith(can))).toEqual(stays)
  })
})

describe('a payment that is more than the sale has room for', () => {
  test.each([
    [false, 'The sale has $10 left. 0.001 SOL would come back by 14 Feb 2027.'],
    [true, 'The sale has $10 left. '],
  ])('comes back in part, unless the chain has the cap: %s', (onChainCap, sentence) => {
    const { capabilities, quoteFor } = saleOffers.direct
    register(saleOffers, { capabilities: { ...capabilities, onChainCap }, quoteFor })
    register(saleQuotes, saleQuotes.direct)
    const audited = 824_990n * 10n ** 12n
    open([...saleAt({ audited, live: 0n, terms: { ...terms, backend: trial } }), ...connected()])
    type('pay-amount', '0.0635')
    expect(screen.getByText('The sale has $10 left.').parentElement?.textContent).toBe(sentence)
  })
})

describe('the calculator', () => {
  test('quotes in both directions by the backend of the terms', () => {
    const { capabilities } = saleOffers.direct
    const { quote } = saleQuotes.direct
    const two: typeof quote = (...asked) => ({ ...quote(...asked), tokens: '2000000000' })
    register(saleQuotes, { quote: two })
    register(saleOffers, { capabilities, quoteFor: (sale, at, asset) => quote(sale, at, asset, '3000000000') })
    open([...saleAt({ terms: { ...terms, backend: trial } }), ...connected()])
    type('pay-amount', '1')
    expect(valueOf('get-amount')).toBe('2')
    type('get-amount', '1')
    expect(valueOf('pay-amount')).toBe('3')
  })
})

describe('terms of an unknown backend', () => {
  const failure = {
    code: 'terms_invalid' as const,
    message: 'presale terms: backend expected direct, got meteora',
    facts: { rule: 'TERMS_BACKEND', expected: 'direct', got: 'meteora' },
  }
  const sentence = 'It expected the backend direct, the terms name meteora. Buying is off.'

  test.each<[string, AppFact[]]>([
    ['first', [...saleAt().slice(0, 2), fact({ type: 'sale.termsRefused', data: { failure } })]],
    ['later', [...saleAt(), fact({ type: 'sale.distrusted', data: { about: 'terms', failure } })]],
  ])('read %s turn buying off and name both', (_, facts) => {
    expect(open([...facts, ...connected()])).toContain(sentence)
    expect(screen.getByTestId('buy-button').textContent).toBe('Buying is off')
  })

  test('in the log of a newer build show no figures, and say the same', () => {
    const page = open([...saleAt({ terms: { ...terms, backend: 'meteora' } }), ...connected()])
    expect(page).toContain(sentence)
    expect(page).not.toContain('262,840')
    expect(screen.getByTestId('buy-button').textContent).toBe('Buying is off')
  })
})
