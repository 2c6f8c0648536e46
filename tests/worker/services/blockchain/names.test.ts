import { describe, expect, test } from 'vitest'
import {
  readName,
  readNames,
  readRegistration,
  readSuggestions,
} from '../../../../src/worker/services/blockchain/names.ts'
import { aliceName, evmAddress } from './examples.ts'

const refused = expect.objectContaining({ code: 'bad_response' })

describe('a name', () => {
  test('that is not registered has no addresses: the service answers an empty list', () => {
    expect(readName([], 'the name', undefined)).toEqual({ name: '', addresses: {}, attributes: [] })
  })

  test.each([null, [], undefined, { bio: 7 }])('may come with %j for attributes', attributes => {
    expect(readName({ ...aliceName, attributes }, 'the name', undefined)).toEqual({
      name: 'alice.reown.id',
      addresses: { '60': evmAddress },
      attributes: [],
    })
  })

  test.each([
    ['a list with something in it', [aliceName]],
    ['no addresses', { ...aliceName, addresses: undefined }],
    ['a coin type that is none', { ...aliceName, addresses: { eth: { address: evmAddress } } }],
    ['an address that is none', { ...aliceName, addresses: { '60': { address: '<b>' } } }],
    ['letters that names do not have', { ...aliceName, name: 'ALICE\u202e' }],
  ])('is refused: %s', (_name, body) => {
    expect(() => readName(body, 'the name', undefined)).toThrow(refused)
  })

  test('has attributes in one visible line each', () => {
    const attributes = { bio: `a\u202eb\n${'x'.repeat(300)}` }
    const { attributes: kept } = readName({ ...aliceName, attributes }, 'the name', undefined)
    expect(kept).toEqual([['bio', `ab ${'x'.repeat(252)}`]])
  })
})

test('names: a malformed one is dropped and counted', () => {
  const { names, dropped } = readNames([{ name: 'x' }, aliceName, null], 'the names', undefined)
  expect([names.map(({ name }) => name), dropped]).toEqual([['alice.reown.id'], 2])
})

test('suggestions: one that does not say whether it is taken is dropped and counted', () => {
  const free = { name: 'bob.reown.id', registered: false }
  const suggestions = [free, { name: 'carol.reown.id' }, { ...free, registered: 'false' }]
  expect(readSuggestions({ suggestions }, 'the suggestions', undefined)).toEqual({ suggestions: [free], dropped: 2 })
})

test.each([
  [aliceName, true],
  [{ ...aliceName, success: true }, true],
  [{ success: true }, true],
  [{ success: false }, false],
])('registrations: %j says %s', (body, success) => {
  expect(readRegistration(body, 'the registration', undefined)).toEqual({ success })
})

test.each([{}, [], { success: 'true' }, { name: 'alice.reown.id' }])('registrations: %j is refused', body => {
  expect(() => readRegistration(body, 'the registration', undefined)).toThrow(refused)
})
