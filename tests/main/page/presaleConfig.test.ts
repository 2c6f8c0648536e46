import { afterEach, expect, test, vi } from 'vitest'
import { presale } from '../../../src/main/page/presale.ts'
import { presaleSettings } from '../../../src/main/page/presaleConfig.ts'

const addresses = {
  projectId: '',
  relayUrl: 'wss://relay.example',
  solanaRpcUrl: 'https://rpc.example',
  apiUrl: 'https://api.example',
  configUrl: 'https://config.example',
  termsUrl: 'https://mai.example/terms.json',
}
afterEach(() => vi.unstubAllGlobals())

test('the presale page’s config is read like a host’s, with a build that has no project id, too', async () => {
  vi.stubGlobal('location', { origin: 'https://mai.example' })
  vi.stubGlobal('document', { baseURI: 'https://mai.example/sale/' })
  const { ui, host } = presale(addresses)
  const settings = presaleSettings(addresses, ui.featured)
  const choice = settings.host
  expect(typeof host === 'function' && (await host())).toEqual(choice)
  // The interface has the token's name, and offers nothing that only a host's page has
  const { appName, host: ofHosts, ...read } = settings.ui
  expect({ ...ui, appName }).toEqual({ ...read, appName: 'MAI presale' })
  expect(ofHosts).toEqual({ recording: false })
  expect(choice.featured).toEqual(ui.featured)
  expect(choice.metadata).toMatchObject({ url: 'https://mai.example', icons: ['https://mai.example/sale/icon.svg'] })
  expect(choice.features).toMatchObject({ analytics: true, email: false, socials: [], onramp: [] })
})
