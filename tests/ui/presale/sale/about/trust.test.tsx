// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../../src/events/app.ts'
import { SaleBody } from '../../../../../src/ui/presale/SaleBody.tsx'
import { StoreProvider } from '../../../../../src/ui/react.tsx'
import { fact, noticeRef, saleAt, surroundings, terms, termsHash } from '../../story.ts'

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

describe('the trust panel', () => {
  test('names treasury, mint, authority and terms, each with an explorer link', () => {
    expect(facts(saleAt())).toMatchObject({
      Treasury: terms.treasury,
      'Token mint': terms.token.mint,
      Authority: terms.authority,
      'Terms, version 1': termsHash,
    })
    expect(linkOf('Treasury')).toBe(`https://solscan.io/account/${terms.treasury}`)
    expect(linkOf('Authority')).toBe(`https://solscan.io/account/${terms.authority}`)
    expect(linkOf('where the team announces its terms')).toBe(`https://solscan.io/account/${noticeRef}`)
  })

  test('is silent about minting and freezing before the mint is read', () => {
    expect(Object.keys(facts(saleAt()))).toEqual(['Treasury', 'Token mint', 'Authority', 'Terms, version 1'])
  })

  test('states that tokens cannot be created or frozen when both authorities are given up', () => {
    expect(facts([...saleAt(), fact({ type: 'sale.mintRead', data: { decimals: 9 } })])).toMatchObject({
      Minting: 'No one can create more MAI',
      Freezing: 'No one can freeze MAI',
    })
    expect(linkOf('Minting')).toBeUndefined()
  })

  test('names the authorities that can create or freeze tokens, with links', () => {
    const data = { mintAuthority: terms.authority, freezeAuthority: terms.treasury, decimals: 9 }
    expect(facts([...saleAt(), fact({ type: 'sale.mintRead', data })])).toMatchObject({
      Minting: '6NHB…cad3 can create more MAI',
      Freezing: '8YiS…WSDa can freeze MAI',
    })
    expect(linkOf('Minting')).toBe(`https://solscan.io/account/${terms.authority}`)
    expect(linkOf('Freezing')).toBe(`https://solscan.io/account/${terms.treasury}`)
  })

  test('has no link to notices unknown to an older build’s log, and gets it with the next reading', () => {
    const [before, after] = [{}, { noticeRef }].map(place =>
      fact({ type: 'sale.termsRead', data: { terms, termsHash, presaleRef: 'p', ...place } }),
    ) as [AppFact, AppFact]
    facts([before])
    expect(linkOf('Authority')).toBeDefined()
    expect(linkOf('where the team announces its terms')).toBeUndefined()
    cleanup()
    facts([before, after, before])
    expect(linkOf('where the team announces its terms')).toBe(`https://solscan.io/account/${noticeRef}`)
  })
})
