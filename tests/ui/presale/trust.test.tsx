// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../src/events/app.ts'
import { SaleBody } from '../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../src/ui/react.tsx'
import { fact, noticeRef, saleAt, surroundings, terms, termsHash } from './story.ts'

afterEach(cleanup)

/** The facts of the trust panel by their names. */
function facts(told: readonly AppFact[]): Record<string, string> {
  const { value } = surroundings(told)
  render(
    <StoreProvider value={value}>
      <SaleBody />
    </StoreProvider>,
  )
  return Object.fromEntries(
    [...document.querySelectorAll('.facts > div')].map(row => [
      row.querySelector('dt')?.textContent ?? '',
      row.querySelector('dd')?.textContent ?? '',
    ]),
  )
}
const linkOf = (name: string) => screen.queryByRole('link', { name: `Open in explorer: ${name}` })?.getAttribute('href')

describe('who holds the money', () => {
  test('names treasury, mint, authority and terms, each with its place in an explorer', () => {
    expect(facts(saleAt())).toMatchObject({
      Treasury: terms.treasury,
      'Token mint': terms.token.mint,
      Authority: terms.authority,
      'Terms, version 1': termsHash,
    })
    expect(linkOf('Treasury')).toBe(`https://solscan.io/account/${terms.treasury}`)
    expect(linkOf('Authority')).toBe(`https://solscan.io/account/${terms.authority}`)
    expect(linkOf('Terms, version 1')).toBe(`https://solscan.io/account/${noticeRef}`)
  })

  test('has no link to notices that a log of an older build does not name, and learns it with the next reading', () => {
    const [before, after] = [{}, { noticeRef }].map(place =>
      fact({ type: 'sale.termsRead', data: { terms, termsHash, presaleRef: 'p', ...place } }),
    ) as [AppFact, AppFact]
    facts([before])
    expect(linkOf('Authority')).toBeDefined()
    expect(linkOf('Terms, version 1')).toBeUndefined()
    cleanup()
    facts([before, after, before])
    expect(linkOf('Terms, version 1')).toBe(`https://solscan.io/account/${noticeRef}`)
  })
})
