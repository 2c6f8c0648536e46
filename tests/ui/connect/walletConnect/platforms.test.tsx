// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { platformsOf } from '../../../../src/events/values/platforms.ts'
import { loadWays, WalletConnect } from '../../../../src/ui/connect/walletConnect/WalletConnect.tsx'
import { loadEncoder } from '../../../../src/ui/kit/figures/Qr.tsx'
import type { ListedWallet } from '../../../../src/events/subjects/service/listingFacts.ts'
import { listed, paired, read, requested } from '../../modalStage.ts'
import { onStage, settle } from '../../onStage.tsx'

beforeAll(loadEncoder)
beforeAll(loadWays)
afterEach(cleanup)

const torch = { walletId: 'id-Torch', name: 'Torch' }
const everything = {
  mobileLink: 'torch://',
  webappLink: 'https://web.torch.example',
  desktopLink: 'torchdesk://',
  rdns: 'app.torch',
}

test.each([
  [everything, false, ['qrcode', 'web', 'desktop', 'unsupported']],
  [everything, true, ['mobile', 'web']],
  [{ mobileLink: 'torch://' }, false, ['qrcode']],
  [{ rdns: 'app.torch' }, false, ['unsupported']],
  [{}, false, ['qrcode']],
  [{ mobileLink: 'javascript:alert(1)' }, true, ['qrcode']],
] as [Partial<ListedWallet>, boolean, string[]][])(
  'platforms: with %o, on a phone %s, they are %s',
  (links, phone, ways) => {
    expect(platformsOf(listed('Torch', links), phone)).toEqual(ways)
  },
)

async function shown(links: Partial<ListedWallet>, name = 'Torch') {
  const on = onStage()
  on.facts(...read([listed('Torch', links)]))
  on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet: { ...torch, name } }} />)
  await settle()
  on.facts({ type: 'relay.connected', data: {} }, requested('walletConnect', 'Torch', 'id-Torch'), paired('topic1'))
  await settle()
  return on
}
const tab = (name: string) => screen.getByRole('button', { name })

describe('on a desk', () => {
  test('the code comes first, and a tab shows each other way', async () => {
    const on = await shown(everything)
    expect(screen.queryByTestId('qr')).not.toBeNull()
    fireEvent.click(tab('Webapp'))
    expect(screen.queryByTestId('qr')).toBeNull()
    const open = screen.getByTestId('open-app')
    expect(open.getAttribute('href')).toBe('https://web.torch.example/wc?uri=wc%3Atopic1%402%3FsymKey%3D00')
    expect(open.getAttribute('target')).toBe('_blank')
    expect(on.opened).toEqual([])
    fireEvent.click(tab('Desktop'))
    await settle()
    const url = 'torchdesk://wc?uri=wc%3Atopic1%402%3FsymKey%3D00'
    expect(on.opened).toEqual([{ url, target: '_blank' }])
    expect(on.commands.at(-1)).toEqual({ type: 'link.choose', data: { pairingTopic: 'topic1', link: 'torchdesk://' } })
    fireEvent.click(tab('Mobile'))
    fireEvent.click(tab('Desktop'))
    await settle()
    expect(on.opened).toHaveLength(1)
    expect(on.types().filter(type => type === 'connection.connectWalletConnect')).toHaveLength(1)
  })

  test('a wallet that is only an extension is named as missing, and no code is made for it', async () => {
    const on = onStage()
    on.facts(...read([listed('Torch', { rdns: 'app.torch', chromeStore: 'https://store.example/torch' })]))
    on.show(<WalletConnect screen={{ name: 'WalletConnect', wallet: torch }} />)
    await settle()
    expect(document.body.textContent).toContain('Not detected')
    expect(screen.getByText('Get it').getAttribute('href')).toBe('https://store.example/torch')
    expect(on.commands).toEqual([])
  })
})

describe('where to get the wallet', () => {
  const places = {
    mobileLink: 'torch://',
    chromeStore: 'https://chrome.example/torch',
    appStore: 'https://apple.example/torch',
    playStore: 'https://google.example/torch',
    homepage: 'https://torch.example',
  }
  const agent = (userAgent: string) => vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
  afterEach(() => vi.restoreAllMocks())

  test('is a screen with all places on a desk', async () => {
    const on = await shown(places)
    fireEvent.click(screen.getByRole('button', { name: 'Get it' }))
    const then = { screen: { name: 'Downloads', wallet: torch } }
    expect(on.said.at(-1)).toEqual({ type: 'screen.shown', data: then })
  })

  test('is the one place that is known, without a screen between', async () => {
    await shown({ mobileLink: 'torch://', homepage: 'https://torch.example' })
    expect(screen.getByText('Get it').getAttribute('href')).toBe('https://torch.example')
  })

  test('names a wallet by at most twelve characters', async () => {
    await shown(places, 'Torch of Liberty')
    expect(screen.getByText('Don’t have Torch of Li…?')).toBeTruthy()
  })

  test.each([
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile', places.playStore],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', places.appStore],
  ])('is the system’s store on %s', async (userAgent, store) => {
    agent(userAgent)
    await shown(places)
    expect(screen.getByText('Get it').getAttribute('href')).toBe(store)
  })

  test('is not offered on a phone whose store lacks it', async () => {
    agent('Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140 Mobile')
    await shown({ mobileLink: 'torch://', homepage: 'https://torch.example' })
    expect(screen.queryByText('Get it')).toBeNull()
  })
})
