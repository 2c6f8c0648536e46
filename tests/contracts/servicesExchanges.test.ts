/** Payment by an exchange, through the Blockchain API's `/v1/json-rpc`. */
import { expect, test } from 'vitest'
import { fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services exchanges')
const call = (method: string, params: unknown, headers: Record<string, string> = {}) =>
  here.ask(`/v1/json-rpc?projectId=${projectId}`, { body: { jsonrpc: '2.0', id: 1, method, params }, headers })
const asset = 'eip155:84532/slip44:60'
const payment = { exchangeId: 'reown_test', asset, amount: '0.5', recipient: `eip155:84532:${fixtureEvmAccount}` }

test('exchanges: listed by asset, inclusion and exclusion; an unsupported asset has none', async () => {
  const list = async (params: unknown) => (await call('reown_getExchanges', { page: 1, ...(params as object) })).body
  expect(await list({ asset })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {
      total: 1,
      exchanges: [
        {
          id: 'reown_test',
          name: 'Reown Test Exchange',
          imageUrl: 'https://pay-assets.reown.com/reown_test_128_128.webp',
        },
      ],
    },
  })
  expect(await list({})).toMatchObject({ result: { total: 3 } })
  expect(await list({ exclude: ['binance'] })).toMatchObject({ result: { total: 2 } })
  expect(await list({ includeOnly: ['coinbase'] })).toMatchObject({ result: { exchanges: [{ imageUrl: null }] } })
  expect(await list({ asset: 'eip155:5/slip44:60' })).toMatchObject({ result: { total: 0, exchanges: [] } })
})

test('exchanges: a payment is in progress first and then has succeeded', async () => {
  const { body } = await call('reown_getExchangePayUrl', payment)
  const { url, sessionId } = (body as { result: { url: string; sessionId: string } }).result
  expect(sessionId).toMatch(/^[0-9a-f]{32}$/)
  expect(new URL(url).searchParams.get('sessionId')).toBe(sessionId)
  const status = async (id = sessionId) =>
    (await call('reown_getExchangeBuyStatus', { exchangeId: 'reown_test', sessionId: id })).body
  expect(await status()).toMatchObject({ result: { status: 'IN_PROGRESS', txHash: null } })
  expect(await status()).toMatchObject({
    result: { status: 'SUCCESS', txHash: expect.stringMatching(/^0x/) as string },
  })
  expect(await status('other')).toMatchObject({ result: { status: 'UNKNOWN', txHash: null } })
})

test.each([
  ['reown_getExchangePayUrl', { ...payment, exchangeId: 'none' }, -7, 'Exchange not found: none'],
  ['reown_getExchangePayUrl', { ...payment, asset: 'x' }, -7, 'Asset not supported: x'],
  ['reown_getExchangePayUrl', { ...payment, amount: '-1' }, -7, 'Invalid amount: -1'],
  ['reown_getExchangePayUrl', { ...payment, recipient: 'me' }, -7, 'Invalid recipient: me'],
  ['reown_getExchangeBuyStatus', { sessionId: 'a'.repeat(51) }, -8, 'Invalid session id'],
  ['reown_getExchanges', null, -32602, 'Invalid params'],
])('exchanges: %s refuses %o with code %d', async (method, params, code, sentence) => {
  const { status, body } = await call(method, params)
  expect([status, body]).toEqual([400, { jsonrpc: '2.0', id: 1, error: { code, message: `${method}: ${sentence}` } }])
})

test('exchanges: an unknown method, another version and a bad project are refused', async () => {
  expect(await call('eth_call', [])).toMatchObject({ status: 400, body: { error: { code: -32601 } } })
  const ask = (query: string, body: unknown) => here.ask(`/v1/json-rpc?${query}`, { body })
  expect((await ask(`projectId=${projectId}`, { id: 1, method: 'reown_getExchanges' })).status).toBe(422)
  const stranger = await ask('projectId=x', { jsonrpc: '2.0', id: 1, method: 'reown_getExchanges', params: {} })
  expect(stranger).toMatchObject({ status: 400, body: { error: { code: -1 } } })
})

test('exchanges: only pages of the project may read an answer; every page may ask what they are', async () => {
  const allowed = async (origin: string, method = 'reown_getExchanges') =>
    (await call(method, { page: 1 }, { origin })).headers.get('access-control-allow-origin')
  expect(await allowed('http://127.0.0.1:5173')).toBe('http://127.0.0.1:5173')
  expect(await allowed('https://shop.example')).toBeNull()
  expect(await allowed('https://shop.example', 'eth_call')).toBe('*')
  await here.control({ set: { origins: ['https://*.shop.example'] } })
  expect(await allowed('https://www.shop.example')).toBe('https://www.shop.example')
  expect(await allowed('https://www.shop.example.evil.example')).toBeNull()
  expect(await allowed('http://localhost:3000')).toBe('http://localhost:3000')
  const preflight = await here.ask('/v1/json-rpc', { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('x-allowed-origins')]).toEqual([204, 'https://*.shop.example'])
})
