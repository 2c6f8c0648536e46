// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { GetWallet } from '../../../src/ui/connect/GetWallet.tsx'
import { WhatIsAWallet } from '../../../src/ui/connect/WhatIsAWallet.tsx'
import { listed, read } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

afterEach(cleanup)
const home = (name: string) => listed(name, { homepage: `https://${name.toLowerCase()}.example` })

test('get a wallet: three points explain a wallet and lead to getting one', () => {
  const on = onStage()
  on.show(<WhatIsAWallet />)
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
  fireEvent.click(screen.getByText('Get a wallet'))
  expect(on.said).toEqual([{ type: 'screen.shown', data: { screen: { name: 'GetWallet' } } }])
})

test('get a wallet: up to four wallets with a home page are suggested, the host’s first, each in a new tab', () => {
  const on = onStage()
  on.show(<GetWallet />)
  expect(on.types()).toEqual(['listing.open'])
  expect(screen.queryAllByRole('link')).toEqual([])
  on.facts(...read([listed('NoPage'), home('Alpha'), home('Beta'), home('Gamma'), home('Delta'), home('Omega')]), {
    type: 'listing.featuredRead',
    data: { wallets: [home('Beta')] },
  })
  const links = screen.getAllByRole('link')
  expect(links.map(link => link.textContent?.slice(1))).toEqual(['Beta', 'Alpha', 'Gamma', 'Delta'])
  expect(links[0]?.getAttribute('href')).toBe('https://beta.example')
  expect(links[0]?.getAttribute('target')).toBe('_blank')
  expect(links[0]?.getAttribute('rel')).toBe('noopener noreferrer')
})

test('get a wallet: a list that did not load says so and can be requested again', () => {
  const on = onStage()
  on.facts(
    { type: 'listing.asked', data: { page: 1, search: '' } },
    { type: 'listing.failed', data: { page: 1, search: '', failure: { code: 'unreachable', message: 'no' } } },
  )
  on.show(<GetWallet />)
  expect(document.body.textContent).toContain('The wallet list did not load')
  const before = on.commands.length
  fireEvent.click(screen.getByText('Try again'))
  expect(on.commands.slice(before)).toEqual([{ type: 'listing.open', data: {} }])
})

test('get a wallet: a list without any home page is not shown as loading', () => {
  const on = onStage()
  on.facts(...read([listed('NoPage')]))
  on.show(<GetWallet />)
  expect(document.body.textContent).toContain('No wallet to suggest')
  expect(document.querySelector('.skeleton')).toBeNull()
})
