import { afterEach, describe, expect, test } from 'vitest'
import type { WaitingEvent } from '../../../src/events/subjects/service/analytics.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { createPulseDriver } from '../../../src/worker/drivers/pulse.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { type SmallServer, serve } from './harness.ts'

let server: SmallServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const openedAt = (at: number): WaitingEvent => ({
  eventId: '0f0b2b1e-3c4d-4e5f-8a9b-0c1d2e3f4a5b',
  at,
  event: 'MODAL_OPEN',
  connected: false,
})
const options = { networks: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], allWallets: 'SHOW' } as const

const settings = (url: string, configUrl = url) => ({
  projectId: 'p',
  configUrl,
  http: createHttp({ wait: async () => {} }),
  analytics: {
    url,
    pageUrl: 'https://shop.example/',
    terms: { consent: 'given' as const },
    options: { ...options, networks: [...options.networks] },
  },
})

/** Sends to a server, or with this `fetch`; returns the only answer. */
async function send(pulseUrl: string, events: WaitingEvent[], fetch?: typeof globalThis.fetch): Promise<Answer> {
  const answers: Answer[] = []
  const drivers = createPulseDriver(settings(pulseUrl), fetch)
  await drivers['pulse.send']({ id: 'e1.1.1', data: { events, genesisHash: '' } }, input => answers.push(input))
  expect(answers).toHaveLength(1)
  return answers[0] as Answer
}

describe('pulse.send', () => {
  test('posts each event once, in order, as text that needs no preflight', async () => {
    const kinds: (string | undefined)[] = []
    server = await serve((request, response) => {
      kinds.push(`${request.method} ${request.headers['content-type']}`)
      response.statusCode = 202
      response.end()
    })
    expect(await send(server.url, [openedAt(1), openedAt(2)])).toEqual({ type: 'pulse.sent', data: { count: 2 } })
    expect(server.requests.map(({ body }) => (JSON.parse(body) as { timestamp: number }).timestamp)).toEqual([1, 2])
    expect(server.requests[0]?.path).toBe('/e?projectId=p&st=appkit&sv=html-solana-1.7.19')
    expect(kinds).toEqual(Array(2).fill('POST text/plain;charset=UTF-8'))
  })

  test('names the host’s project in the events that have it, and in no other', async () => {
    server = await serve((_, response) => {
      response.statusCode = 202
      response.end()
    })
    const projectId = 'f'.repeat(32)
    const more: WaitingEvent = { ...openedAt(1), event: 'LOAD_MORE_TRANSACTIONS', isSmartAccount: false, cursor: '2' }
    const drivers = createPulseDriver({ ...settings(server.url), projectId })
    const data = { events: [more, openedAt(2)], genesisHash: '' }
    await drivers['pulse.send']({ id: 'e1.1.1', data }, () => undefined)
    const told = server.requests.map(({ body }) => (JSON.parse(body) as { props: unknown }).props)
    expect(told).toEqual([
      {
        type: 'track',
        event: 'LOAD_MORE_TRANSACTIONS',
        properties: { isSmartAccount: false, projectId, cursor: '2' },
      },
      { type: 'track', event: 'MODAL_OPEN', properties: { connected: false } },
    ])
  })

  test('ends at the first failure and tells how many were sent', async () => {
    server = await serve((_, response, count) => {
      response.statusCode = count === 2 ? 503 : 202
      response.end()
    })
    const answer = await send(server.url, [openedAt(1), openedAt(2), openedAt(3)])
    expect(answer).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code: 'unreachable', facts: { status: 503, sent: 1 } } },
    })
    expect(server.requests).toHaveLength(2)
  })

  test.each([
    [403, 'unauthorized'],
    [401, 'unauthorized'],
    [400, 'bad_response'],
    [429, 'rate_limited'],
  ])('fails after HTTP %i as %s, and is not tried again', async (status, code) => {
    server = await serve((_, response) => {
      response.statusCode = status
      response.end()
    })
    expect(await send(server.url, [openedAt(1)])).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code, facts: { status, sent: 0 } } },
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([429, 503])('says how long the service asks to wait, with HTTP %i', async status => {
    server = await serve((_, response) => {
      response.statusCode = status
      response.setHeader('retry-after', '120')
      response.end()
    })
    expect(await send(server.url, [openedAt(1)])).toMatchObject({
      data: { failure: { facts: { status, retryAfterMs: 120_000, sent: 0 } } },
    })
  })

  test('fails as unreachable without a connection', async () => {
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await send('http://127.0.0.1:9', [openedAt(1)], lost)).toMatchObject({
      type: 'effect.failed',
      data: { failure: { code: 'unreachable', facts: { sent: 0 } } },
    })
  })

  test('tells the host’s options with INITIALIZE, the network where it is known, and a report by its category', async () => {
    server = await serve((_, response) => response.end('{}'))
    const answers: Answer[] = []
    const drivers = createPulseDriver(settings(server.url))
    const events: WaitingEvent[] = [
      { eventId: 'a', at: 1, event: 'INITIALIZE' },
      { eventId: 'b', at: 2, event: 'API_ERROR', errorType: 'AppKitError', errorMessage: 'HTTP status code: 500' },
    ]
    const genesisHash = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
    await drivers['pulse.send']({ id: 'e1.1.1', data: { events, genesisHash } }, input => answers.push(input))
    expect(answers).toEqual([{ type: 'pulse.sent', data: { count: 2 } }])
    const bodies = server.requests.map(({ body }) => JSON.parse(body) as { url: string; props: unknown })
    expect(bodies.map(({ url }) => url)).toEqual(Array(2).fill('https://shop.example/'))
    expect(bodies.map(({ props }) => props)).toEqual([
      { type: 'track', event: 'INITIALIZE', properties: { ...options, caipNetworkId: options.networks[0] } },
      { type: 'error', event: 'API_ERROR', errorType: 'AppKitError', errorMessage: 'HTTP status code: 500' },
    ])
  })
})

describe('pulse.send as the page goes', () => {
  test('posts all in one list', async () => {
    server = await serve((_, response) => response.end('{}'))
    const answers: Answer[] = []
    const data = { events: [openedAt(1), openedAt(2)], genesisHash: '', atOnce: true }
    await createPulseDriver(settings(server.url))['pulse.send']({ id: 'e1.1.1', data }, input => answers.push(input))
    expect(answers).toEqual([{ type: 'pulse.sent', data: { count: 2 } }])
    expect(server.requests.map(({ path }) => path)).toEqual(['/batch?projectId=p&st=appkit&sv=html-solana-1.7.19'])
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject([{ timestamp: 1 }, { timestamp: 2 }])
  })
})

describe('pulse.readSwitch', () => {
  const read = async (body: string, status = 200): Promise<Answer> => {
    server = await serve((_, response) => {
      response.statusCode = status
      response.end(body)
    })
    const answers: Answer[] = []
    const drivers = createPulseDriver(settings('http://127.0.0.1:9', server.url))
    await drivers['pulse.readSwitch']({ id: 'e1.1.1', data: {} }, input => answers.push(input))
    return answers[0] as Answer
  }

  test('asks the project’s configuration', async () => {
    expect(await read('{"isAnalyticsEnabled":false}')).toEqual({ type: 'pulse.switched', data: { isOn: false } })
    expect(server?.requests[0]?.path).toBe('/getAnalyticsConfig?projectId=p&st=appkit&sv=html-solana-1.7.19')
  })

  test.each(['', '<html>', '{"isAnalyticsEnabled":"true"}', '[]', 'null', '{"__proto__":{"isAnalyticsEnabled":true}}'])(
    'fails over the answer %j',
    async body => {
      expect(await read(body)).toMatchObject({ type: 'effect.failed', data: { failure: { code: 'bad_response' } } })
    },
  )
})
