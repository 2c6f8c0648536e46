import fc from 'fast-check'
import { expect, test } from 'vitest'
import { relayNames } from '../../../src/worker/host/relayNames.ts'

test('relay names: relays that differ only in possible secrets have separate names without them', () => {
  expect(
    relayNames([
      'wss://relay.example/?token=hush',
      'wss://other.example',
      'wss://relay.example/?token=secret',
      'wss://me:word@relay.example/',
    ]).map(({ name }) => name),
  ).toEqual(['wss://relay.example/', 'wss://other.example', 'wss://relay.example/#2', 'wss://relay.example/#3'])
})

test('relay names: each configured relay has one unique name, the same in every life', () => {
  const urls = fc.array(
    fc.tuple(fc.constantFrom('wss://a.example', 'wss://a.example/x'), fc.constantFrom('', '?t=1', '?t=2', '#2', '#3')),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(urls, parts => {
      const given = parts.map(part => part.join(''))
      const named = relayNames(given)
      expect(new Set(named.map(({ name }) => name)).size).toBe(named.length)
      expect(named.map(({ url }) => url)).toEqual([...new Set(given)])
      expect(relayNames(given)).toEqual(named)
    }),
  )
})
