import { expect, test } from 'vitest'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { tellOwner } from '../../../src/worker/deciders/relay/owners.ts'

test('routing: one decider takes incoming messages, and hands each to the owner of its topic', () => {
  expect(deciders.filter(decider => decider['relay.message'])).toHaveLength(1)
})

test('routing: the failure of an effect goes to the one decider that orders it, with listed exceptions', () => {
  const askers = new Map<string, number>()
  for (const { failed = {} } of deciders)
    for (const type of Object.keys(failed)) askers.set(type, (askers.get(type) ?? 0) + 1)
  const shared = [...askers].filter(([, count]) => count > 1).map(([type]) => type)
  expect(shared.sort()).toEqual([
    // Readings of the sale and of the gate, told apart by their reference
    'chain.readNotices',
    'chain.readSale',
    // Looks at a code, and the gate's look at the one of its key
    'chain.watchInvoice',
    // The socket's owner, and connections that need the client
    'relay.open',
    // A pairing's session or an auth's; the relay decider notes that the client's file is missing
    'vault.deriveSession',
    // An owed answer or a message with a purpose, likewise
    'vault.seal',
  ])
})

test.each([
  ['request:17', ['17']],
  ['request:', ['']],
  ['settled:topic', []],
  ['request', []],
  [':17', []],
  ['constructor:17', []],
  [undefined, []],
])('routing: the owner of a message with the purpose %s gets its id', (purpose, expected) => {
  const told: string[] = []
  const request = {}
  tellOwner({ request }, purpose, (owner, id) => told.push(owner === request ? id : 'another owner'))
  expect(told).toEqual(expected)
})
