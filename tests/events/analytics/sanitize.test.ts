import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventCatalogue } from '../../../src/events/analytics/catalogue.ts'
import { type PulseEvent, sanitizeEvent } from '../../../src/events/analytics/sanitize.ts'
import { eventsQuoting, quoting, someSecrets } from './secrets.ts'

const solana = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'
const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const stamp = { eventId: '0f0b2b1e-3c4d-4e5f-8a9b-0c1d2e3f4a5b', at: 1_780_000_000_000 }
const tracked = (event: object) => ({ type: 'track', ...stamp, ...event }) as PulseEvent

const secretEvents = someSecrets.chain(secrets => fc.tuple(fc.constant(secrets), eventsQuoting(quoting(secrets))))

describe('sanitizer', () => {
  test('no event or report carries a key, topic, pairing URI or address', () => {
    fc.assert(
      fc.property(secretEvents, ([secrets, event]) => {
        const left = JSON.stringify(sanitizeEvent(event)).toLowerCase()
        for (const secret of Object.values(secrets)) expect(left).not.toContain(secret.toLowerCase())
        expect(left).not.toMatch(/wc:|symkey=/)
      }),
      { seed: 81, numRuns: 1000 },
    )
  })

  test('an event sanitized twice is the event sanitized once', () => {
    fc.assert(
      fc.property(secretEvents, ([, event]) => {
        const once = sanitizeEvent(event)
        expect(sanitizeEvent(once)).toEqual(once)
      }),
      { seed: 83, numRuns: 500 },
    )
  })

  test('INITIALIZE keeps the listed options alone', () => {
    const options = {
      projectId: 'p',
      metadata: { name: 'Shop' },
      addresses: { relayUrl: 'wss://relay' },
      sale: { authority: solana, id: '1' },
      networks: [mainnet, 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', `solana:${solana.slice(0, 32)}`, 'nothing'],
      themeMode: 'dark',
      allWallets: 'SOME',
      features: { analytics: true, send: 'yes', secret: true },
      siweConfig: { options: { enabled: true, nonce: 'n' }, getNonce: 'x' },
    }
    const sent = sanitizeEvent(tracked({ event: 'INITIALIZE', properties: options }))
    expect(sent).toMatchObject({ type: 'track' })
    expect((sent as { properties: unknown }).properties).toEqual({
      networks: [mainnet, 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'],
      themeMode: 'dark',
      features: { analytics: true },
      siweConfig: { options: { enabled: true } },
    })
  })

  test('INITIALIZE has no other property, however the host is configured', () => {
    const listed = Object.keys(eventCatalogue.INITIALIZE.fields)
    fc.assert(
      fc.property(fc.object({ key: fc.oneof(fc.string(), fc.constantFrom(...listed, '__proto__')) }), properties => {
        const sent = sanitizeEvent(tracked({ event: 'INITIALIZE', properties })) as { properties: object }
        expect(Object.keys(sent.properties).filter(name => !listed.includes(name))).toEqual([])
      }),
      { seed: 84, numRuns: 500 },
    )
  })

  test('CONNECT_PROXY_ERROR leaves without its uri', () => {
    const properties = { message: 'no app', uri: 'wc:1', mobile_link: 'phantom://', name: 'Phantom' }
    expect(sanitizeEvent(tracked({ event: 'CONNECT_PROXY_ERROR', properties }))).toEqual(
      tracked({
        event: 'CONNECT_PROXY_ERROR',
        properties: { message: 'no app', mobile_link: 'phantom://', name: 'Phantom' },
      }),
    )
  })

  test('an address leaves in no field: its own holds a mask', () => {
    const projectId = '123456789abcdef1'.repeat(2)
    const event = tracked({
      event: 'LOAD_MORE_TRANSACTIONS',
      properties: { isSmartAccount: false, address: solana, projectId, cursor: `after ${solana}` },
      caipNetworkId: mainnet,
      address: solana,
    })
    expect(sanitizeEvent(event)).toEqual(
      tracked({
        event: 'LOAD_MORE_TRANSACTIONS',
        properties: { isSmartAccount: false, address: '…', projectId, cursor: 'after …' },
        caipNetworkId: mainnet,
      }),
    )
  })

  test('amounts leave as decimal text alone', () => {
    const swap = { isSmartAccount: false, network: 'eip155:1', swapFromToken: 'SOL', swapToToken: 'USDC' }
    const amountOf = (amount: unknown) => {
      const properties = { ...swap, swapFromAmount: amount, swapToAmount: '1' }
      const sent = sanitizeEvent(tracked({ event: 'SWAP_SUCCESS', properties }))
      return (sent as { properties: { swapFromAmount?: unknown } }).properties.swapFromAmount
    }
    expect(['0', '12.5', '1000000.000000001'].map(amountOf)).toEqual(['0', '12.5', '1000000.000000001'])
    expect([12.5, '1e9', '-1', '01', '.5', '9'.repeat(31)].map(amountOf)).toEqual(Array(6).fill(undefined))
  })

  test('a report has no stack', () => {
    const report = { type: 'error', ...stamp, errorMessage: 'm', stackTrace: 'at read', uncaught: true } as PulseEvent
    expect(sanitizeEvent(report)).toEqual({
      type: 'error',
      ...stamp,
      category: 'INTERNAL_SDK_ERROR',
      errorMessage: 'm',
    })
  })

  test('texts end after 1,024 characters, lists after 50 members', () => {
    const long = 'word '.repeat(2000)
    const report: PulseEvent = { type: 'error', ...stamp, errorMessage: long }
    const { errorMessage } = sanitizeEvent(report) as { errorMessage: string }
    expect(errorMessage).toHaveLength(1020)
    expect(errorMessage).toMatch(/ word…$/)
    const properties = { networks: Array.from({ length: 60 }, (_, at) => `eip155:${at}`) }
    const sent = sanitizeEvent(tracked({ event: 'INITIALIZE', properties })) as { properties: object }
    expect(sent.properties).toEqual({ networks: properties.networks.slice(0, 50) })
  })

  test('a report has INTERNAL_SDK_ERROR as its default category', () => {
    const report: PulseEvent = { type: 'error', ...stamp, errorType: 'TypeError', errorMessage: `no ${solana}` }
    expect(sanitizeEvent(report)).toEqual({
      ...report,
      category: 'INTERNAL_SDK_ERROR',
      errorMessage: 'no …',
    })
  })
})
