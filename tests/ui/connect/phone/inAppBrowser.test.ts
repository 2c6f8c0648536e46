import { expect, test } from 'vitest'
import { ownBrowserOf } from '../../../../src/events/values/ownBrowsers.ts'
import { browserAddress } from '../../../../src/ui/connect/phone/inAppBrowser.ts'

const phantom = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
const solflare = '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79'
const coinbase = 'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa'
const binance = '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25'
const visit = {
  page: 'https://mai.example/sale?ref=A1#asset=SOL&units=5',
  origin: 'https://mai.example',
  system: 'ios' as const,
  chain: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
}
const page = 'https%3A%2F%2Fmai.example%2Fsale%3Fref%3DA1%23asset%3DSOL%26units%3D5'

test.each([
  ['Phantom', phantom, `https://phantom.app/ul/browse/${page}?ref=https%3A%2F%2Fmai.example`],
  ['Solflare', solflare, `https://solflare.com/ul/v1/browse/${page}?ref=${page}`],
  ['Coinbase', coinbase, `https://go.cb-w.com/dapp?cb_url=${page}`],
])('in-app browser: %s opens the whole address, encoded once', (_, walletId, expected) => {
  expect(browserAddress(walletId, visit, {})).toBe(expected)
})

test('in-app browser: Phantom has an intent on Android', () => {
  expect(browserAddress(phantom, { ...visit, system: 'android' }, {})).toBe(
    `intent://browse/${page}?ref=https%3A%2F%2Fmai.example#Intent;scheme=phantom;package=app.phantom;end`,
  )
})

test.each([
  [visit.chain, visit.chain],
  [undefined, '1'],
])('in-app browser: Binance gets its page and the network %s as base64 in base64', (chain, defaultChain) => {
  const address = browserAddress(binance, { ...visit, chain }, {}) ?? ''
  const link = new URL(atob(new URL(address).searchParams.get('_dp') ?? ''))
  expect(address).toMatch(/^https:\/\/app\.binance\.com\/en\/download\?_dp=/)
  expect(link.href).toMatch(/^bnc:\/\/app\.binance\.com\/mp\/app\?appId=yFK5FCqYprrXDiVFbhyRx7&/)
  expect(atob(link.searchParams.get('startPagePath') ?? '')).toBe('/pages/browser/index')
  expect(atob(link.searchParams.get('startPageQuery') ?? '')).toBe(`url=${page}&defaultChainId=${defaultChain}`)
})

test.each([
  [phantom, 'phantom'],
  [solflare, 'solflare'],
  [coinbase, 'coinbaseSolana'],
  [binance, 'binancew3w'],
])('in-app browser: %s is not opened where window.%s is', (walletId, provider) => {
  expect(browserAddress(walletId, visit, { [provider]: {} })).toBeUndefined()
  expect(ownBrowserOf(walletId)).toBeDefined()
})

test.each(['toString', '__proto__', 'other'])('in-app browser: a wallet with the id %s has none', walletId => {
  expect(browserAddress(walletId, visit, {})).toBeUndefined()
  expect(ownBrowserOf(walletId)).toBeUndefined()
})
