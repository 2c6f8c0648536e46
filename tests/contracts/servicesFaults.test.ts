/** Every fault switch on a route of each family of the local services. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { fixtureAccount, fixtureEvmAccount } from '../stack/services/fixtures.ts'
import type { Fault } from '../stack/services/faults.ts'
import { mainnet, project, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services faults')
const { ask } = here
afterEach(() => vi.useRealTimers())

/** `origin`: the page's, where the service names it instead of any. */
type Route = { path: string; body?: unknown; pattern: string; origin?: string }
const get = (pattern: string, path = pattern): Route => ({ path: `${path}?${project}&chainId=${mainnet}`, pattern })
const post = (pattern: string, body: unknown, path = pattern): Route => ({ ...get(pattern, path), body })

/** One route of each family; its path as a fault names it. */
const routes: Route[] = [
  get('/v1/supported-chains'),
  get('/v1/identity/*', `/v1/identity/${fixtureAccount}`),
  get('/v1/account/*/history', `/v1/account/${fixtureAccount}/history`),
  get('/v1/account/*/balance', `/v1/account/${fixtureAccount}/balance`),
  post('/v1/fungible/price', {
    currency: 'usd',
    addresses: [`${mainnet}:So11111111111111111111111111111111111111111`],
    projectId,
  }),
  { path: `/v1/convert/tokens?${project}&chainId=eip155:1`, pattern: '/v1/convert' },
  get('/v1/profile', '/v1/profile/account/alice.reown.id'),
  get('/v1/onramp', '/v1/onramp/options'),
  get('/v1/sessions/*', `/v1/sessions/eip155:1:${fixtureEvmAccount}`),
  post('/v1/', { jsonrpc: '2.0', id: 1, method: 'getHealth' }),
  {
    path: `/v1/bundler?projectId=${projectId}&chainId=eip155:1`,
    body: { jsonrpc: '2.0', id: 1, method: 'eth_sendUserOperation', params: [] },
    pattern: '/v1/bundler',
  },
  get('/appkit/v1/config'),
  get('/projects/v1/origins'),
  get('/getAnalyticsConfig'),
  { path: `/getWallets?${project}`, pattern: '/getWallets' },
  get('/getWalletImage', '/getWalletImage/one'),
  get('/public/getAssetImage', '/public/getAssetImage/one'),
  get('/public/getCurrencyImage', '/public/getCurrencyImage/USD'),
  get('/public/getTokenImage', '/public/getTokenImage/USDC'),
  {
    ...post('/v1/json-rpc', { jsonrpc: '2.0', id: 1, method: 'reown_getExchanges', params: { page: 1 } }),
    origin: 'http://127.0.0.1:5173',
  },
  post('/e', { props: { event: 'MODAL_OPEN' } }),
  post('/batch', [{ props: { event: 'MODAL_OPEN' } }]),
]
const asked = ({ path, body }: Route) => ask(path, body === undefined ? {} : { body })
const fail = ({ pattern }: Route, fault: Fault) => here.control({ fail: { [pattern]: { times: 1, ...fault } } })
const statuses: Fault[] = [
  { status: 401 },
  { status: 403 },
  { status: 429 },
  { status: 429, retryAfter: 30 },
  { status: 429, retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' },
  { status: 500 },
  { status: 503 },
]

describe.each(routes.map(route => [route.pattern, route] as const))('faults of %s', (pattern, route) => {
  test('no fault: the answer is good', async () => {
    const { status, headers } = await asked(route)
    expect(status).toBe(['/e', '/batch'].includes(pattern) ? 202 : 200)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(headers.get('access-control-allow-origin')).toBe(route.origin ?? '*')
  })

  test.each(statuses)('status: %o, once', async fault => {
    await fail(route, fault)
    const { status, headers, body } = await asked(route)
    expect([status, headers.get('retry-after')]).toEqual([
      fault.status,
      fault.retryAfter === undefined ? null : String(fault.retryAfter),
    ])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    const isEnveloped = pattern.startsWith('/v1') && fault.status !== 500
    expect(body).toEqual(isEnveloped ? { status: 'FAILED', reasons: [expect.anything()] } : undefined)
    expect((await asked(route)).status).toBeLessThan(300)
  })

  test('malformed, empty and HTML bodies come with 200', async () => {
    await fail(route, { malformed: true })
    await expect(asked(route)).rejects.toThrow(SyntaxError)
    await fail(route, { empty: true })
    expect(await asked(route)).toMatchObject({ status: 200, text: '' })
    await fail(route, { html: true })
    expect(await asked(route)).toMatchObject({ status: 200, text: expect.stringMatching(/^<!doctype html>/) as string })
  })

  test('a wrong shape and an oversized body are JSON', async () => {
    await fail(route, { shape: true })
    expect(await asked(route)).toMatchObject({ status: 200, body: { count: 'many' } })
    await fail(route, { oversized: 300_000 })
    const { text, body } = await asked(route)
    expect(text.length).toBeGreaterThanOrEqual(300_000)
    expect(typeof body).toBe('string')
  })

  test('a truncated body ends before its announced length', async () => {
    await fail(route, { truncated: true })
    const init = route.body === undefined ? {} : { method: 'POST', body: JSON.stringify(route.body) }
    const answer = await fetch(`${here.services.url}${route.path}`, init)
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1)
    await expect(answer.arrayBuffer()).rejects.toThrow()
    expect((await asked(route)).status).toBeLessThan(300)
  })

  test('a held request waits for its release, others go on', async () => {
    await fail(route, { hold: true })
    const held = asked(route)
    await expect.poll(() => here.services.state().held).toHaveLength(1)
    await asked(route)
    expect(here.services.state().held).toHaveLength(1)
    await here.control({ release: '/none' })
    expect(here.services.state().held).toHaveLength(1)
    await here.control({ release: pattern })
    expect((await held).status).toBeLessThan(300)
    expect(here.services.state().held).toEqual([])
  })
})

describe('latency', () => {
  const requests = () => Object.values(here.services.state().requests).reduce((sum, count) => sum + count, 0)

  test.each(routes.map(route => [route.pattern, route] as const))(
    'of 12 s on %s: a client gives up after 10 s, and the answer comes after 12',
    async (pattern, route) => {
      // The service's delay and the client's limit run on this clock; requests pass as ever
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      await here.control({ fail: { [pattern]: { latencyMs: 12_000, times: 2 } } })
      const before = requests()
      const ended: string[] = []
      const client = createHttp()
        .text({
          url: `${here.services.url}${route.path}`,
          what: 'the service',
          retries: 0,
          ...(route.body === undefined ? {} : { body: JSON.stringify(route.body) }),
        })
        .catch((cause: unknown) => cause)
        .finally(() => ended.push('client'))
      const patient = asked(route).finally(() => ended.push('patient'))
      while (requests() < before + 2) await new Promise(setImmediate)

      await vi.advanceTimersByTimeAsync(9999)
      expect(ended).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(await client).toMatchObject({ code: 'timeout', facts: { timeoutMs: 10_000 } })
      await vi.advanceTimersByTimeAsync(1999)
      expect(ended).toEqual(['client'])
      await vi.advanceTimersByTimeAsync(1)
      expect((await patient).status).toBeLessThan(300)
    },
  )
})

describe('faults', () => {
  test('a held request can fail after its release, and a reset releases all', async () => {
    await here.control({ fail: { '/getWallets': { hold: true, status: 503 } } })
    const both = [ask(`/getWallets?${project}`), ask(`/getWallets?${project}&page=2`)]
    await expect.poll(() => here.services.state().held).toEqual(['/getWallets', '/getWallets'])
    await here.control({ reset: true })
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([503, 503])
    expect((await ask(`/getWallets?${project}`)).status).toBe(200)
  })
  test('of several paths that match, the longest counts; a slash at the end excludes the paths below', async () => {
    const chains = '/v1/supported-chains'
    await here.control({ fail: { '/v1': { status: 500 }, [chains]: { status: 503 }, '/v1/': { status: 429 } } })
    expect((await ask(chains)).status).toBe(503)
    expect((await ask('/v1/onramp/options')).status).toBe(500)
    expect((await ask(`/v1?chainId=${mainnet}&${project}`, { body: {} })).status).toBe(429)
    await here.control({ fail: { [chains]: null, '/v1': null } })
    expect((await ask(chains)).status).toBe(200)
  })
  test("a set text replaces a status's own, and a truncated status is cut", async () => {
    const text = 'Unauthorized: origin not allowed'
    await here.control({ fail: { '/v1/account/*/balance': { status: 403, text } } })
    const { path } = get('', `/v1/account/${fixtureAccount}/balance`)
    expect(await ask(path)).toMatchObject({ status: 403, text })
    await here.control({ fail: { '/v1/account/*/balance': { status: 503, truncated: true } } })
    const answer = await fetch(`${here.services.url}${path}`)
    expect(answer.status).toBe(503)
    await expect(answer.text()).rejects.toThrow()
  })
  test('refusals of an unknown route carry a request id of their own', async () => {
    const ids = await Promise.all(
      ['/nothing', '/v1/nothing'].map(async path => (await ask(path)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(2)
    expect(ids).not.toContain(null)
  })
  test('requests are counted by route without ids and trailing slash', async () => {
    const before = here.services.state().requests
    await ask(`/v1/account/${fixtureAccount}/balance?${project}`)
    await ask(`/v1/identity/${fixtureAccount}?${project}`)
    await ask(`/v1/?chainId=${mainnet}&${project}`)
    const { requests } = here.services.state()
    for (const route of ['/v1/account/*/balance', '/v1/identity/*', '/v1'])
      expect(requests[route]).toBe((before[route] ?? 0) + 1)
  })
  test.each([
    [{ '/e': { oversized: 100_000_000 } }, '/e expected oversized up to 67108864, got 100000000'],
    [{ '/e': { retryAfter: -1 } }, '/e expected retryAfter as seconds or an HTTP date, got -1'],
    [{ '/e': { hold: 1 } }, '/e expected hold as a boolean, got 1'],
    [{ '/e': { status: 99 } }, '/e expected status from 200 to 599, got 99'],
    [{ '/e': { wrong: true } }, '/e has no fault wrong'],
    [{ e: {} }, 'e is no path'],
  ])('an invalid fault is refused: %o', async (faults, sentence) => {
    expect(await ask('/control', { body: { fail: faults } })).toMatchObject({
      status: 400,
      body: { error: `services control: ${sentence}` },
    })
  })
})

test('a page of another origin may send the Solana library’s header to every route', async () => {
  for (const { path } of routes.filter(({ origin }) => origin === undefined)) {
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'solana-client' }
    const preflight = await ask(path, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(preflight.headers.get('access-control-allow-headers')?.split(',')).toEqual(
      expect.arrayContaining(['content-type', 'solana-client', 'x-sdk-type', 'x-sdk-version']),
    )
  }
})
