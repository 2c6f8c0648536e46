// @vitest-environment happy-dom
/** The page's sentences about unexpected terms, notices and assets. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import type { SaleContent } from '../../../src/events/sale/content.ts'
import type { Terms } from '../../../src/events/sale/terms/termsShape.ts'
import { networks } from '../../../src/events/values/networks.ts'
import { changeWords } from '../../../src/ui/presale/sale/changeWords.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { buyer, connected, fact, noon, saleAt, surroundings, terms, termsHash } from './story.ts'
import { saleWordsIn } from '../../../src/ui/presale/saleWords.ts'

afterEach(cleanup)

function open(facts: readonly AppFact[], sale?: { authority: string; id: string }) {
  const { value, commands } = surroundings(facts)
  if (sale) value.config.sale = sale
  render(
    <StoreProvider value={value}>
      <SaleBody />
    </StoreProvider>,
  )
  return commands
}

const pinned = (known: Terms) => fact({ type: 'sale.pinned', data: { terms: known, termsHash: 'known' } })
const begun = { build: 'test', cause: 'start', storage: 'durable' } as const
const button = () => screen.getByTestId('buy-button').textContent

describe('a sale that changed since it was pinned', () => {
  const changed = [pinned({ ...terms, treasury: buyer }), ...saleAt(), ...connected()]

  test('shows the old and the new treasury in full, and buying is off', () => {
    open(changed)
    const shown = screen.getByTestId('sale-changed')
    expect(shown.querySelector('del')?.textContent).toBe(`before: ${buyer}`)
    expect(shown.querySelector('ins')?.textContent).toBe(`now: ${terms.treasury}`)
    expect(button()).toBe('Buying is off')
  })

  test('is accepted by a press, which names the terms', () => {
    const commands = open(changed)
    fireEvent.click(screen.getByTestId('confirm-change'))
    expect(commands).toContainEqual({ type: 'sale.confirmChange', data: { termsHash } })
  })

  test('says that a press waits for the announcement, where that is not read in this visit', () => {
    open([...changed, fact({ type: 'sale.changeAccepted', data: { termsHash } })])
    expect(screen.getByTestId('confirm-change').getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByTestId('change-accepted').textContent).toContain('You accepted them.')
  })

  test('in what the first announcement froze has no button, and says that a payment would not count', () => {
    const failure = { code: 'terms_changed', message: '', facts: { rule: 'FROZEN' } } as const
    open([...changed, fact({ type: 'sale.distrusted', data: { about: 'terms', failure } })])
    expect(screen.getByTestId('sale-changed').querySelector('ins')?.textContent).toBe(`now: ${terms.treasury}`)
    expect(screen.queryByTestId('confirm-change')).toBeNull()
    expect(document.body.textContent).toContain('Payments by changed ones do not count. Do not pay.')
    expect(button()).toBe('Read the terms again')
  })

  test('under another authority has no button, and is called another sale', () => {
    open([pinned({ ...terms, authority: buyer }), ...saleAt(), ...connected()])
    expect(screen.getByTestId('sale-changed').textContent).toContain(terms.authority)
    expect(screen.queryByTestId('confirm-change')).toBeNull()
    expect(screen.getByTestId('status').textContent).not.toContain('Live')
    expect(document.body.textContent).toContain('Do not pay.')
  })

  test('that is unchanged mentions no changes', () => {
    open([pinned(terms), ...saleAt(), ...connected()])
    expect(screen.queryByTestId('sale-changed')).toBeNull()
  })
})

test.each([
  ['stages.1.price', '1200000000', '1500000000', ['Stage 2: price', '$0.0012', '$0.0015']],
  ['softCap', '200000000000000000', '', ['Soft cap', '$200,000', 'none']],
  ['end', '1801353600', '1801267200', ['End', '31 Jan 2027, 00:00 UTC', '30 Jan 2027, 00:00 UTC']],
  ['access.mode', 'open', 'allowlist', ['Open to', 'every wallet', 'wallets on a list']],
  ['stages.0.name', 'open', 'early', ['Stage 1: name', 'open', 'early']],
  ['assets.1.kind', 'spl', 'native', ['Asset 2: kind', 'token', 'coin of the network']],
  ['vesting.tgeBps', '2500', '325', ['First part of the delivery', '25%', '3.25%']],
  ['vesting.cliffSeconds', '0', '5400', ['Wait before the other parts', '0 s', '90 min']],
  ['vesting.periodSeconds', '2592000', '90000', ['Time between the parts', '30 d', '25 h']],
  ['vesting.periods', '3', '12', ['Parts after the first', '3', '12']],
  ['referral.pool', '15000000000000000', '1', ['All bonuses together, at most', '15,000,000 MAI', '0.000000001 MAI']],
  ['refund.minUnits.USDC', '10000', '', ['Smallest refund in USDC', '0.01 USDC', 'none']],
  ['token.program', 'spl-token', 'token-2022', ['Token program', 'spl-token', 'token-2022']],
])('sale trust: the change of %s is described in words', (path, before, after, [name, was, is]) => {
  expect(changeWords(saleWordsIn('en'), { path, before, after }, terms, terms)).toEqual({
    name,
    before: was,
    after: is,
  })
})

test('sale trust: each value of a change has the units of its own terms', () => {
  const token = { ...terms.token, symbol: 'OLD', decimals: 0 }
  const change = { path: 'referral.pool', before: '15', after: '15000000000' }
  expect(changeWords(saleWordsIn('en'), change, { ...terms, token }, terms)).toMatchObject({
    before: '15 OLD',
    after: '15 MAI',
  })
})

test('sale trust: terms the team has not signed fill no chart and are called unconfirmed', () => {
  const [termsRead] = saleAt().filter(one => one.type === 'sale.termsRead')
  if (!termsRead) throw new Error('expected the terms')
  const published = { ...termsRead, data: { ...termsRead.data, termsHash: 'ff'.repeat(32) } } as AppFact
  open([...saleAt().map(one => (one.type === 'sale.termsRead' ? published : one)), ...connected()])
  expect(document.querySelector('.price-chart-audited')).toBeNull()
  expect(screen.getByTestId('raised').textContent).toBe('–')
  expect(document.querySelector('.raised-under')?.textContent).toBe('These prices are not confirmed.')
  expect(document.querySelector('.note.sale-note')?.textContent).toContain(
    'Buying is off until the team signs them. Published: ',
  )
  expect(button()).toBe('Read the terms again')
})

describe('a page for one sale', () => {
  const { authority, id } = terms
  const none = { code: 'unsupported', message: 'for developers' } as const
  const ofBefore = [...saleAt(), ...connected(), fact({ type: 'core.started', data: { life: 2, ...begun } })]

  test('shows it', () => {
    open([...saleAt(), ...connected()], { authority, id })
    expect(document.body.textContent).toContain(terms.treasury)
    expect(screen.getByTestId('status').textContent).toContain('Live')
  })

  test.each([
    ['id', { authority, id: 'another-sale' }],
    ['authority', { authority: buyer, id }],
  ])('shows nothing of a sale of another %s that another tab reads, and says so', (_name, sale) => {
    const content: SaleContent = {
      tokenomics: { rows: [{ name: 'Sale', tokens: '5' }] },
      roadmap: [{ when: 'Later', title: 'Launch' }],
      questions: [{ question: 'When?', answer: 'Later.' }],
      links: [],
    }
    open([...saleAt({ content }), ...connected()], sale)
    expect(document.body.textContent).not.toContain(terms.treasury)
    const links = [...document.querySelectorAll('.foot-sections a')]
    expect(links.map(link => link.getAttribute('href'))).toEqual(['#sale', '#trust'])
    expect(document.body.textContent).toContain('These terms belong to another sale. Buying is off. Do not pay.')
    expect(button()).toBe('Buying is off')
  })

  test('shows nothing of another sale that it knows from an earlier visit, while it reads its own', () => {
    open([...ofBefore], { authority, id: 'another-sale' })
    expect(document.body.textContent).not.toContain(terms.treasury)
    expect(document.body.textContent).not.toContain('Do not pay')
    expect(button()).toBe('Loading the sale')
  })

  test.each([
    ['on a first visit', [fact({ type: 'sale.termsRefused', data: { failure: none } })]],
    ['later', [...saleAt(), fact({ type: 'sale.distrusted', data: { about: 'terms', failure: none } })]],
  ])('names the tab in the way when that one has no sale, %s', (_name, facts) => {
    const life = fact({ type: 'core.started', data: { life: 1, ...begun } })
    open([life, fact({ type: 'tab.attached', data: { life: 1 } }), ...facts], { authority, id })
    expect(document.body.textContent).toContain('Another tab of this site is open that has no sale.')
    expect(document.body.textContent).not.toContain('This page has no sale')
    expect(button()).toBe('Reload this page')
  })

  test('on another network says so, and its button leads back to that of the sale', () => {
    const [home, active] = networks.map(({ caip2 }) => caip2) as [string, string]
    const offer = fact({ type: 'network.offered', data: { home, active, networks: [home, active] } })
    const refused = fact({ type: 'sale.termsRefused', data: { failure: none } })
    const life = fact({ type: 'core.started', data: { life: 1, ...begun } })
    const commands = open([life, fact({ type: 'tab.attached', data: { life: 1 } }), offer, refused], { authority, id })
    expect(document.body.textContent).toContain('You are on another network.')
    expect(button()).toBe('Go back to the sale’s network')
    fireEvent.click(screen.getByTestId('buy-button'))
    expect(commands).toContainEqual({ type: 'network.switch', data: { caip2: home } })
  })

  const setAside = { code: 'bad_response', message: 'for developers', facts: { until: 'reload' } } as const
  const leftOut = fact({ type: 'sale.unreachable', data: { failure: setAside, retryAt: noon + 8000 } })
  const words = 'Reading it stopped this page twice.'

  test('whose reading is left out until a reload promises no other attempt', () => {
    open([...saleAt(), leftOut], { authority, id })
    expect(document.body.textContent?.split(words)).toHaveLength(2)
    expect(document.body.textContent).not.toContain('Retrying')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(button()).not.toBe('Reload this page')
  })

  test.each([
    ['once its numbers are old', saleAt({ chainTime: noon - 125_000 }).map(one => ({ ...one, at: noon - 125_000 }))],
    ['before its terms are known', [fact({ type: 'sale.termsRefused', data: { failure: setAside } })]],
  ])('has its button reload the page %s', (_name, facts) => {
    open([...facts, leftOut], { authority, id })
    expect(document.body.textContent?.split(words)).toHaveLength(2)
    expect(document.body.textContent).not.toMatch(/Retrying|Try now|responding/)
    expect(button()).toBe('Reload this page')
  })

  test('that is left out while the device is offline promises no other attempt either', () => {
    open([...saleAt(), leftOut, fact({ type: 'network.offline', data: {} })], { authority, id })
    expect(screen.getByTestId('status').textContent).toContain('You are offline.')
    expect(document.body.textContent).not.toContain('Retrying')
  })

  test('whose own terms do not load says that, and shows nothing known of another', () => {
    const failure = { code: 'unreachable', message: 'for developers' } as const
    const stale = fact({ type: 'sale.unreachable', data: { failure, retryAt: noon } })
    open([...ofBefore, stale], { authority, id: 'another-sale' })
    expect(document.body.textContent).not.toContain(terms.treasury)
    expect(button()).toBe('View only')
  })
})

describe('terms of another sale', () => {
  test.each([
    [
      'another authority',
      { code: 'terms_invalid', facts: { rule: 'SALE_AUTHORITY' } },
      'belong to another sale. Buying is off. Do not pay.',
    ],
    [
      'another sale',
      { code: 'terms_invalid', facts: { rule: 'SALE_ID' } },
      'belong to another sale. Buying is off. Do not pay.',
    ],
    ['no sale at all', { code: 'unsupported' }, 'This page has no sale. There is nothing to buy here.'],
  ] as const)('by %s are called that, on a first visit and a later one', (_name, failure, words) => {
    const told = { message: 'm', ...failure } as never
    const [started, attached, ...sale] = saleAt()
    for (const facts of [
      [started, attached, fact({ type: 'sale.termsRefused', data: { failure: told } })],
      [started, attached, ...sale, fact({ type: 'sale.distrusted', data: { about: 'terms', failure: told } })],
    ]) {
      open(facts as AppFact[])
      expect(document.body.textContent).toContain(words)
      cleanup()
    }
  })
})

describe('outdated data', () => {
  const known = saleAt().flatMap(one => (one.type === 'sale.noticesRead' ? [one.data] : []))
  const notices = { ...known.at(-1), termsHash, paused: false, closed: false, partial: true }

  test('of partly read notices is shown with its age, and buying continues', () => {
    open([...saleAt(), ...connected(), fact({ type: 'sale.noticesRead', data: { ...notices, asOf: noon - 180_000 } })])
    expect(document.body.textContent).toContain(
      'Announcements of the team as known at 14 Jan 2027, 09:38 UTC, 3 min ago. A newer one may exist.',
    )
    expect(button()).not.toBe('Buying is off')
  })

  test('of withheld notices is called unread', () => {
    open([...saleAt(), fact({ type: 'sale.noticesRead', data: notices })])
    expect(document.body.textContent).toContain('Some announcements of the team could not be read.')
  })

  test('of notices that cannot be read now is told with its age and a way to read them; without any, nothing is sold', () => {
    const unread = (since?: number) =>
      fact({
        type: 'sale.noticesUnread',
        data: {
          failure: { code: 'unreachable', message: '' },
          retryAt: noon + 20_000,
          ...(since !== undefined && { since }),
        },
      })
    const commands = open([...saleAt(), ...connected(), unread(noon - 180_000)])
    expect(document.body.textContent).toContain(
      'Announcements of the team as known at 14 Jan 2027, 09:38 UTC, 3 min ago. A newer one may exist. Retrying in 20 s.',
    )
    expect(button()).not.toBe('View only')
    fireEvent.click(screen.getByText('Try now'))
    expect(commands).toEqual([{ type: 'sale.refresh', data: {} }])
    cleanup()
    open([...saleAt().filter(({ type }) => type !== 'sale.noticesRead'), ...connected(), unread()])
    expect(document.body.textContent).toContain('Some announcements of the team could not be read.')
    expect(button()).toBe('View only')
  })

  test('of an earlier visit is shown, and allows no purchase', () => {
    const again = fact({ type: 'core.started', data: { life: 2, build: 'test', cause: 'start', storage: 'durable' } })
    open([...saleAt(), ...connected(), again])
    expect(document.body.textContent).toContain('$262,840.00')
    expect(button()).toBe('Loading the sale')
  })

  test('of partly read purchases is not called none', () => {
    open([
      ...saleAt(),
      ...connected(),
      fact({ type: 'purchase.read', data: { account: buyer, purchases: [], more: 'unread' } }),
    ])
    expect(document.body.textContent).toContain('More payments are listed for this wallet.')
    expect(document.body.textContent).not.toContain('No purchases yet')
  })
})

describe('an asset with an unproved symbol', () => {
  const local: Terms = { ...terms, cluster: { name: 'localnet', genesisHash: buyer } }
  const mint = terms.assets[1]?.mint ?? ''

  test('has its mint beside it where it is chosen and paid', () => {
    open([...saleAt({ terms: local }), ...connected()])
    const select = screen.getByTestId('asset-select')
    expect([...select.querySelectorAll('option')].map(one => one.textContent)).toEqual(['SOL', 'USDC (EPjF…Dt1v)'])
    fireEvent.change(select, { target: { value: 'USDC' } })
    fireEvent.change(screen.getByTestId('pay-amount'), { target: { value: '100' } })
    expect(screen.getByTestId('asset-mint').textContent).toBe(mint)
    for (const box of screen.getAllByRole('checkbox')) fireEvent.click(box)
    expect(button()).toBe('Pay 100 USDC (EPjF…Dt1v)')
  })

  test('with a known mint has its symbol alone', () => {
    open([...saleAt(), ...connected()])
    const select = screen.getByTestId('asset-select')
    expect([...select.querySelectorAll('option')].map(one => one.textContent)).toEqual(['SOL', 'USDC'])
    fireEvent.change(select, { target: { value: 'USDC' } })
    expect(screen.queryByTestId('asset-mint')).toBeNull()
  })
})
