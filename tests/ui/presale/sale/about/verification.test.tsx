// @vitest-environment happy-dom
/** "Verify this sale": its states, in words and figures, and what a press asks for. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../../src/events/app.ts'
import type { LedgerFact } from '../../../../../src/events/subjects/sale/ledger.ts'
import { Verification } from '../../../../../src/ui/presale/sale/about/Verification.tsx'
import { SaleBody } from '../../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../../src/ui/react.tsx'
import saleDe from '../../../../../src/ui/texts/sale/de.ts'
import saleEs from '../../../../../src/ui/texts/sale/es.ts'
import saleJa from '../../../../../src/ui/texts/sale/ja.ts'
import saleAr from '../../../../../src/ui/texts/sale/ar.ts'
import ledgerDe from '../../../../../src/ui/texts/ledger/de.ts'
import ledgerEs from '../../../../../src/ui/texts/ledger/es.ts'
import ledgerJa from '../../../../../src/ui/texts/ledger/ja.ts'
import ledgerAr from '../../../../../src/ui/texts/ledger/ar.ts'
import { ledgerArea } from '../../../../../src/ui/texts/ledger/en.ts'
import { saleArea } from '../../../../../src/ui/texts/sale/en.ts'
import { connected, fact, noon, saleAt, surroundings, terms } from '../../story.ts'

afterEach(cleanup)

function open(...more: LedgerFact[]) {
  return openIn(<Verification terms={terms} />, more)
}
function openIn(page: ReactNode, more: LedgerFact[]) {
  const facts: AppFact[] = [...saleAt(), ...connected(), ...more.map(one => fact(one))]
  const { value, commands } = surroundings(facts)
  render(<StoreProvider value={value}>{page}</StoreProvider>)
  return commands
}
const shown = () => screen.getByTestId('verification').textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const asked = (act: 'start' | 'pause' | 'resume' | 'stop') => ({ type: 'ledger.verify', data: { act } })
const at = (listed: number, judged: number): LedgerFact => ({ type: 'ledger.progressed', data: { listed, judged } })

const books = {
  slot: 900,
  raised: `150000${'0'.repeat(12)}`,
  pos: `150000${'0'.repeat(12)}`,
  tokens: `250000000${'0'.repeat(9)}`,
  orders: 1846,
  buyers: 1204,
  refundsOwed: { SOL: '2500000000', USDC: '0' },
  balances: { SOL: '1000000000', USDC: '5000000' },
  hash: `9c1f${'ab'.repeat(28)}e07a`,
}
const computed = (published?: Partial<typeof books>): LedgerFact => ({
  type: 'ledger.computed',
  data: {
    ...books,
    slot: 1000,
    time: noon,
    transactions: 2_050,
    outcome: 'open',
    ...(published && {
      published: { ...books, ...published },
      publishedTime: noon - 86_400_000,
      recomputed: books,
    }),
  },
})

const languages = {
  en: [saleArea.english, ledgerArea.english],
  de: [saleDe, ledgerDe],
  es: [saleEs, ledgerEs],
  ja: [saleJa, ledgerJa],
  ar: [saleAr, ledgerAr],
} as const

describe('the sentence on recomputing', () => {
  test.each(Object.entries(languages))(
    'names figures that Verify shows and compares, and no others: %s',
    (_, texts) => {
      const [{ relyOn }, { figures }] = texts
      const claims = Object.entries(figures).flatMap(([name, label]) =>
        relyOn.toLowerCase().includes(label.toLowerCase()) ? [name] : [],
      )
      expect(claims).toEqual(['raised', 'tokens', 'refundsOwed'])
      open(computed({ raised: '1', tokens: '1', refundsOwed: { SOL: '1', USDC: '0' } }))
      const compared = [...document.querySelectorAll('.verification-figures')].map(table =>
        [...table.querySelectorAll('th')].map(({ textContent }) => textContent),
      )
      const { raised, tokens, refundsOwed } = ledgerArea.english.figures
      expect(compared[0]).toEqual([raised, tokens, refundsOwed])
      expect(compared[1]).toEqual(expect.arrayContaining([raised, tokens, refundsOwed]))
    },
  )
})

describe('the team’s signed figures', () => {
  const counts = { orders: 1845, buyers: 1203, refundsOwed: { SOL: '2500000000', USDC: '0' } }
  const openWith = (...more: LedgerFact[]) => {
    const { value } = surroundings([
      ...saleAt({ counts, tokens: `250000000${'0'.repeat(9)}` }),
      ...more.map(one => fact(one)),
    ])
    render(<StoreProvider value={value}>{<Verification terms={terms} />}</StoreProvider>)
  }
  const rows = () =>
    [...(screen.queryByTestId('published')?.querySelectorAll('tr') ?? [])].map(row =>
      [...row.children].map(cell => cell.textContent),
    )

  test('are shown with their moment, until this device has compared them', () => {
    openWith()
    expect(screen.getByTestId('published').querySelector('caption')?.textContent).toContain('1 Jan')
    expect(rows()).toEqual([
      ['Raised', '$262,840.00'],
      ['Sold', '250,000,000 MAI'],
      ['Orders', '1,845'],
      ['Buyers', '1,203'],
      ['Refunds in all', '2.5 SOL'],
    ])
    cleanup()
    openWith(at(1846, 1204))
    expect(rows()).toHaveLength(5)
    cleanup()
    openWith(computed({}))
    expect(rows()).toEqual([])
  })

  test('are not made up where the record has none', () => {
    open()
    expect(rows()).toEqual([])
  })
})

describe('verifying the sale', () => {
  test('is offered beside the facts, and begins with a press', () => {
    const commands = open()
    expect(shown()).toContain('Your browser reads every payment from the chain')
    press('Verify')
    expect(commands).toContainEqual(asked('start'))
  })

  test('tells how far it is, and can be paused, continued and stopped', () => {
    const commands = open(at(1846, 1204))
    expect(shown()).toContain('1,204 of 1,846.')
    expect(
      screen.getByRole('img', { name: 'Reading payments' }).querySelector('.meter-fill')?.getAttribute('width'),
    ).toMatch(/^65\.2/)
    press('Pause')
    press('Stop')
    expect(commands).toEqual(expect.arrayContaining([asked('pause'), asked('stop')]))
    cleanup()
    const later = open({ type: 'ledger.progressed', data: { listed: 1846, judged: 1204, paused: true } })
    press('Go on')
    expect(later).toContainEqual(asked('resume'))
  })

  test('lists before it reads', () => {
    open(at(2000, 0))
    expect(shown()).toContain('Listing payments2,000 so far.')
  })

  test('says that the figures match, and shows them up to now', () => {
    openIn(<SaleBody />, [computed({})])
    expect(shown()).toContain('It matches')
    for (const text of ['2,050 transactions', '$150,000.00', '250,000,000 MAI', '1,846', '1,204', '2.5 SOL', '9c1f'])
      expect(shown()).toContain(text)
    expect(screen.getByTestId('buy-button').textContent).not.toBe('Buying is off')
  })

  test('names what left the treasury, and says nothing of it where nothing did', () => {
    const { data } = computed({}) as Extract<LedgerFact, { type: 'ledger.computed' }>
    open({ type: 'ledger.computed', data: { ...data, outflows: { SOL: '1500005000', USDC: '0' } } })
    expect(shown()).toContain('Left the treasury1.500005 SOL')
    cleanup()
    open(computed({}))
    expect(shown()).not.toContain('Left the treasury')
  })

  test('shows both figures where they differ, and buying is off', () => {
    openIn(<SaleBody />, [computed({ raised: `150400${'0'.repeat(12)}`, orders: 1845 })])
    expect(shown()).toContain('It does not match')
    const [first] = screen.getAllByRole('table').filter(table => table.classList.contains('verification-figures'))
    expect(
      [...(first?.querySelectorAll('tbody tr') ?? [])].map(row => [...row.children].map(cell => cell.textContent)),
    ).toEqual([
      ['Raised', 'Team $150,400.00', 'Chain $150,000.00'],
      ['Orders', 'Team 1,845', 'Chain 1,846'],
    ])
    expect(screen.getByTestId('buy-button').textContent).toBe('Buying is off')
  })

  test('without published figures shows its own alone', () => {
    open(computed())
    expect(shown()).toContain('The team has published no figures to compare with.')
  })

  test.each([
    [{ code: 'unreachable', message: '', facts: { rule: 'BEHIND' } }, 'the Solana node has not come that far'],
    [{ code: 'bad_response', message: '' }, 'their file is not the announced one'],
    [{ code: 'offline', message: '' }, 'their file could not be read'],
  ] as const)('that could not compare says why: %o', (uncompared, words) => {
    const { type, data } = computed() as Extract<LedgerFact, { type: 'ledger.computed' }>
    const commands = open({ type, data: { ...data, uncompared } })
    expect(shown()).toContain(`The team’s figures were not compared: ${words}`)
    expect(shown()).not.toContain('published no figures')
    press('Again')
    expect(commands).toContainEqual(asked('start'))
  })

  test.each([
    ['rpc_lying', 'contradict each other'],
    ['rate_limited', 'Solana isn’t responding'],
    ['terms_invalid', 'An earlier version of the terms'],
    ['unknown', 'Something unexpected happened'],
  ] as const)('that failed by %s says why, and begins again', (code, words) => {
    const commands = open({ type: 'ledger.failed', data: { failure: { code, message: code } } })
    expect(shown()).toContain(words)
    press('Again')
    expect(commands).toContainEqual(asked('start'))
  })

  test('that was stopped says that nothing was compared', () => {
    open({ type: 'ledger.stopped', data: {} })
    expect(shown()).toContain('Nothing was compared.')
  })
})
