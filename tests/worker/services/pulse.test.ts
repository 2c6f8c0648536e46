import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PulseEvent } from '../../../src/events/analytics/sanitize.ts'
import { pulseBeacon, type PulseHost, pulseRequest } from '../../../src/worker/services/pulse.ts'
import { eventsQuoting, quoting, someSecrets } from '../../events/analytics/secrets.ts'

const host: PulseHost = {
  pulseUrl: 'https://pulse.example.org',
  projectId: '0123456789abcdef0123456789abcdef',
  version: 'html-solana-1.7.19',
  pageUrl: 'https://shop.example/presale?ref=ab#top',
}
const stamp = { eventId: '0f0b2b1e-3c4d-4e5f-8a9b-0c1d2e3f4a5b', at: 1_780_000_000_000 }
/** With an address, which no event has. */
const connected = {
  type: 'track',
  ...stamp,
  event: 'CONNECT_SUCCESS',
  properties: { method: 'browser', name: 'Phantom' },
  caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  address: '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri',
} as PulseEvent
const bodyOf = (event: PulseEvent, change: Partial<PulseHost> = {}): unknown =>
  JSON.parse(pulseRequest({ ...host, ...change }, event).body)

describe('a request to the analytics service', () => {
  test('names the project, the kit and its version', () => {
    expect(pulseRequest(host, connected).url).toBe(
      'https://pulse.example.org/e?projectId=0123456789abcdef0123456789abcdef&st=appkit&sv=html-solana-1.7.19',
    )
  })

  test('keeps the path of the service, and has a version when none is set', () => {
    const { version: _, ...unset } = host
    const { url } = pulseRequest({ ...unset, pulseUrl: 'http://127.0.0.1:9/pulse/' }, connected)
    expect(url).toBe(
      'http://127.0.0.1:9/pulse/e?projectId=0123456789abcdef0123456789abcdef&st=appkit&sv=html-wagmi-4.2.2',
    )
  })

  test('has an event with its properties and network, and no address', () => {
    expect(bodyOf(connected)).toEqual({
      eventId: stamp.eventId,
      url: 'https://shop.example/presale',
      domain: 'shop.example',
      timestamp: 1_780_000_000_000,
      props: {
        type: 'track',
        event: 'CONNECT_SUCCESS',
        properties: {
          method: 'browser',
          name: 'Phantom',
          caipNetworkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        },
      },
    })
  })

  test('has an error report with flat properties and a time as text', () => {
    const report: PulseEvent = {
      type: 'error',
      ...stamp,
      category: 'API_ERROR',
      errorType: 'AppKitError',
      errorMessage: 'HTTP status code: 500',
    }
    expect(bodyOf(report)).toEqual({
      eventId: stamp.eventId,
      url: 'https://shop.example/presale',
      domain: 'shop.example',
      timestamp: '2026-05-28T20:26:40.000Z',
      props: {
        type: 'error',
        event: 'API_ERROR',
        errorType: 'AppKitError',
        errorMessage: 'HTTP status code: 500',
      },
    })
  })

  test.each([
    ['https://me:word@shop.example:8443/a/b?c=d#e', 'https://shop.example:8443/a/b', 'shop.example'],
    [
      'https://shop.example/u/83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri/x',
      'https://shop.example/u/…/x',
      'shop.example',
    ],
    [`https://shop.example/${'a/'.repeat(2000)}`, 'https://shop.example…', 'shop.example'],
    ['about:blank?a=b', '', ''],
    ['file:///home/me/page.html', '', ''],
    ['nothing', '', ''],
  ])('names the page %s as %j', (pageUrl, url, domain) => {
    expect(bodyOf(connected, { pageUrl })).toMatchObject({ url, domain })
  })

  test('carries no key, topic or address of any event or page', () => {
    const cases = someSecrets.chain(secrets =>
      fc.tuple(fc.constant(secrets), eventsQuoting(quoting(secrets)), quoting(secrets), fc.constantFrom('/', '?', '#')),
    )
    fc.assert(
      fc.property(cases, ([secrets, event, text, mark]) => {
        const pageUrl = `https://shop.example${mark}${encodeURI(text.replace(/\p{Cs}/gu, ''))}`
        const { body } = pulseRequest({ ...host, pageUrl }, event)
        for (const secret of Object.values(secrets)) expect(body.toLowerCase()).not.toContain(secret.toLowerCase())
        expect(body.toLowerCase()).not.toMatch(/wc:|symkey=/)
      }),
      { seed: 111, numRuns: 500 },
    )
  })
})

describe('a beacon of the analytics service', () => {
  const opened = (count: number): PulseEvent[] =>
    Array.from({ length: count }, () => ({
      type: 'track',
      ...stamp,
      event: 'CONNECT_ERROR',
      properties: { message: 'é '.repeat(500) },
    }))

  test('has the bodies of all events in a list', () => {
    const [one, two] = [connected, { ...connected, at: 1 }]
    expect(pulseBeacon(host, [one, two])).toEqual({
      url: 'https://pulse.example.org/batch?projectId=0123456789abcdef0123456789abcdef&st=appkit&sv=html-solana-1.7.19',
      body: `[${pulseRequest(host, one).body},${pulseRequest(host, two).body}]`,
      count: 2,
    })
  })

  test('is none without events', () => {
    expect(pulseBeacon(host, [])).toBeUndefined()
  })

  test('has the oldest events that fit into 45,000 bytes', () => {
    const events = opened(40)
    const { body, count } = pulseBeacon(host, events) ?? { body: '', count: 0 }
    const bytes = new TextEncoder().encode(body).length
    const each = new TextEncoder().encode(pulseRequest(host, events[0] ?? connected).body).length
    expect(bytes).toBeLessThanOrEqual(45_000)
    expect(bytes + each + 1).toBeGreaterThan(45_000)
    expect(JSON.parse(body)).toHaveLength(count)
  })
})
