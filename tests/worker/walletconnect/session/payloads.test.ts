import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readApproval,
  readEvent,
  readMetadata,
  readSettlement,
  readUpdate,
} from '../../../../src/worker/walletconnect/session/payloads.ts'
import { endsWell, faultOf } from '../refusals.ts'

const key = 'd1'.repeat(32)
const namespaces = { solana: { accounts: ['solana:main:A'], methods: ['solana_signMessage'], events: [] } }
const settlement = { relay: { protocol: 'irn' }, namespaces, controller: { publicKey: key, metadata: {} }, expiry: 7 }

describe('a settlement', () => {
  test('is read with what a wallet may leave out', () => {
    expect(readSettlement(settlement)).toEqual({
      namespaces,
      controller: { publicKey: key, metadata: { name: '', description: '', url: '', icons: [] } },
      expiry: 7,
    })
    expect(readSettlement({ ...settlement, sessionConfig: { disableDeepLink: true } }).disableDeepLink).toBe(true)
  })

  test('keeps the properties that say something, as many and as long as there is use for', () => {
    const sessionProperties = { a: 'b', nothing: null, number: 7, long: 'x'.repeat(4097) }
    const scopedProperties = { 'eip155:1': { a: [1] }, nothing: null }
    expect(readSettlement({ ...settlement, sessionProperties, scopedProperties })).toMatchObject({
      sessionProperties: { a: 'b' },
      scopedProperties: { 'eip155:1': '{"a":[1]}' },
    })
    const { scopedProperties: none } = readSettlement({ ...settlement, scopedProperties: { nothing: null } })
    expect(none).toBeUndefined()
  })

  test('loses chains that are no chains, and members nobody defined', () => {
    const odd = { solana: { ...namespaces.solana, chains: ['solana:main', 7, 'x'], extra: 1 } }
    expect(readSettlement({ ...settlement, namespaces: odd }).namespaces).toEqual({
      solana: { ...namespaces.solana, chains: ['solana:main'] },
    })
    const none = { solana: { ...namespaces.solana, chains: 'solana:main' } }
    expect(readUpdate({ namespaces: none })).toEqual(namespaces)
  })

  test.each([
    ['relay', { ...settlement, relay: {} }],
    ['controller', { ...settlement, controller: { publicKey: 'ab' } }],
    ['expiry', { ...settlement, expiry: '7' }],
    ['expiry', { ...settlement, expiry: 1.5 }],
    // In ms it would be no exact number, and no date
    ['expiry', { ...settlement, expiry: 8_640_000_000_001 }],
    ['namespaces', { ...settlement, namespaces: {} }],
    ['params', null],
    ['params', [settlement]],
  ])('without a sound %s is a fault that names it', (name, params) => {
    const fault = faultOf(() => readSettlement(params))
    expect(fault.code).toBe('bad_response')
    expect(fault.message).toContain(name)
  })

  test('with malformed namespaces tells the code to answer with, and quotes nothing of them', () => {
    const bad = { solana: { ...namespaces.solana, accounts: ['x'] } }
    expect(faultOf(() => readSettlement({ ...settlement, namespaces: bad })).facts?.wcCode).toBe(5103)
    expect(faultOf(() => readUpdate({ namespaces: bad })).message).toBe(
      'update() expected namespaces of their form, got error 5103',
    )
  })
})

test.each([
  null,
  true,
  {},
  { responderPublicKey: 7 },
  { responderPublicKey: 'ab' },
  { responderPublicKey: key.toUpperCase() },
])('a proposal answered with %j is not approved', result => {
  expect(faultOf(() => readApproval(result)).code).toBe('bad_response')
})

test.each([{}, { event: {} }, { event: { name: '' }, chainId: 'a:b' }, { event: { name: 'x' } }])(
  'an event %j is refused',
  params => {
    expect(faultOf(() => readEvent(params)).code).toBe('bad_response')
  },
)

test('an event without data has null', () => {
  expect(readEvent({ event: { name: 'x' }, chainId: 'a:b' })).toEqual({ name: 'x', data: null, chainId: 'a:b' })
})

test('a wallet that says nothing of itself, or far too much, is described within bounds', () => {
  expect(readMetadata('x')).toEqual({ name: '', description: '', url: '', icons: [] })
  const loud = readMetadata({ name: 'n'.repeat(9_999), icons: [7, ...Array(99).fill('i')] })
  expect([loud.name.length, loud.icons.length]).toEqual([2_000, 8])
})

test('whatever a wallet sends ends in a value or in a fault', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (value, inside) => {
      for (const given of [
        value,
        { namespaces: value },
        { ...settlement, namespaces: { solana: value }, relay: inside },
      ]) {
        for (const read of [readApproval, readSettlement, readUpdate, readEvent, readMetadata]) {
          expect(endsWell(() => read(given))).toBe(true)
        }
      }
    }),
    { numRuns: 1000 },
  )
})
