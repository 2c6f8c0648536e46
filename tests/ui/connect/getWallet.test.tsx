// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { GetWallet } from '../../../src/ui/connect/GetWallet.tsx'
import { Downloads } from '../../../src/ui/connect/Downloads.tsx'
import { WhatIsAWallet } from '../../../src/ui/connect/WhatIsAWallet.tsx'
import { listed, read } from '../modalStage.ts'
import { onStage } from '../onStage.tsx'

afterEach(cleanup)
const guide = 'https://walletguide.walletconnect.network/'
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
  expect(screen.getAllByRole('link')).toHaveLength(1)
  on.facts(...read([listed('NoPage'), home('Alpha'), home('Beta'), home('Gamma'), home('Delta'), home('Omega')]), {
    type: 'listing.featuredRead',
    data: { wallets: [home('Beta')] },
  })
  const links = screen.getAllByRole('link')
  expect(links.slice(0, -1).map(link => link.textContent?.slice(1))).toEqual(['Beta', 'Alpha', 'Gamma', 'Delta'])
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
  expect(screen.getByText('All wallets').closest('a')?.href).toBe(guide)
})

test('get a wallet: the guide leads to all others', () => {
  const on = onStage()
  on.facts(...read([home('Alpha')]))
  on.show(<GetWallet />)
  const link = screen.getByText('All wallets').closest('a')
  expect([link?.target, link?.href]).toEqual(['_blank', guide])
})

test('where to get one wallet: each place that is known over https, by its host, in a new tab', () => {
  const on = onStage()
  const places = {
    chromeStore: 'https://chrome.example/torch',
    appStore: 'https://',
    playStore: 'javascript:alert(1)',
    homepage: 'https://torch.example',
  }
  on.facts(...read([listed('Torch', places)]))
  on.show(<Downloads wallet={{ walletId: 'id-Torch', name: 'Torch' }} />)
  const links = screen.getAllByTestId('get-place') as HTMLAnchorElement[]
  expect(links.map(({ href, target, textContent }) => [href, target, textContent])).toEqual([
    [places.chromeStore, '_blank', 'CChrome extensionchrome.example'],
    [`${places.homepage}/`, '_blank', 'WWebsitetorch.example'],
  ])
})

test('where to get one wallet: without a known place it says so, and leads to the guide', () => {
  const on = onStage()
  on.show(<Downloads wallet={{ walletId: 'id-Torch', name: 'Torch' }} />)
  expect(document.body.textContent).toContain('No wallet to suggest')
  expect(screen.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href)).toEqual([guide])
})
