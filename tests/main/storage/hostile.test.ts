/** Any text under any key: nothing throws, a second pass writes nothing, and a disconnection leaves nothing of ours. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesTo } from '../../../src/main/storage/changes.ts'
import { entriesOf } from '../../../src/main/storage/entries.ts'
import { firstRead } from '../../../src/main/storage/firstRead.ts'
import { connectorKeys, storageKeys } from '../../../src/main/storage/keys.ts'
import {
  account,
  at,
  createPlace,
  evmAccount,
  made,
  mainnet,
  otherAccount,
  page,
  phantomId,
  read,
  torch,
} from './story.ts'

const names = [...Object.values(storageKeys), ...Object.values(connectorKeys)].map(key => key.name)
const phantom = made('Phantom', [account])
const models = {
  none: page(),
  phantom: page(phantom, read('1')),
  two: page(phantom, made('Quill', [otherAccount])),
  torch: page(phantom, ...torch({ link: 'torch://' })),
}

const word = fc.constantFrom(
  'solana',
  'eip155',
  'moon',
  phantomId,
  'Quill',
  'walletConnect',
  account,
  evmAccount,
  mainnet,
)
const connection = fc.record({
  connectorId: fc.oneof(word, fc.integer()),
  accounts: fc.oneof(fc.array(fc.record({ address: fc.oneof(word, fc.constant(null)) }), { maxLength: 3 }), word),
})
const likely = fc.oneof(
  fc.dictionary(word, fc.array(connection, { maxLength: 3 }), { maxKeys: 3 }),
  fc.dictionary(word, fc.array(word, { maxLength: 3 }), { maxKeys: 3 }),
  fc.dictionary(
    word,
    fc.record({
      caipAddress: word,
      balance: fc.constantFrom('1', '1e5'),
      symbol: word,
      timestamp: fc.integer({ min: at - 60_000, max: at + 60_000 }),
    }),
  ),
  fc.record({ connections: fc.dictionary(word, fc.dictionary(word, fc.array(word))) }),
  fc.array(fc.record({ id: word, name: word }), { maxLength: 4 }),
)
const text = fc.oneof(
  word,
  fc.array(word, { maxLength: 4 }).map(words => words.join()),
  likely.map(value => JSON.stringify(value)),
  fc.jsonValue().map(value => JSON.stringify(value)),
  fc.constantFrom('', '{', 'connected', 'disconnected', '{"__proto__":{"solana":["x"]}}', '['.repeat(99)),
  fc.string(),
)
const stored = fc.dictionary(fc.constantFrom(...names), text)
const steps = fc.array(fc.constantFrom(...(Object.keys(models) as (keyof typeof models)[])), {
  minLength: 1,
  maxLength: 4,
})

type Place = ReturnType<typeof createPlace>
function bring(place: Place, step: keyof typeof models, isStart = false): void {
  const wanted = entriesOf(models[step])
  if (!wanted) throw new Error('the model expected a core, it has none')
  const { writes, dropped } = changesTo(wanted, place.getItem, { now: at, isStart })
  expect(dropped).toBeGreaterThanOrEqual(0)
  for (const [name, written] of writes) {
    if (written === null) place.removeItem(name)
    else place.setItem(name, written)
  }
}

describe('client storage: any stored text', () => {
  test('throws nothing, and a second pass writes nothing', () => {
    fc.assert(
      fc.property(stored, steps, (values, all) => {
        const place = createPlace(values)
        for (const [index, step] of all.entries()) {
          bring(place, step, index === 0)
          place.writes.length = 0
          bring(place, step)
          expect(place.writes).toEqual([])
        }
      }),
      { numRuns: 800 },
    )
  })

  test('gives every connection of the model its place, whatever was there', () => {
    fc.assert(
      fc.property(stored, values => {
        const place = createPlace(values)
        bring(place, 'two', true)
        expect(place.getItem('@appkit/connection_status')).toBe('connected')
        expect(place.getItem('@appkit/solana:connected_connector_id')).toBe('Quill')
        const written = storageKeys.connections.read(place.getItem('@appkit/connections') ?? '')
        expect(written.dropped).toBe(0)
        expect(written.value?.solana?.map(one => one.connectorId)).toEqual(expect.arrayContaining([phantomId, 'Quill']))
      }),
      { numRuns: 500 },
    )
  })

  test('takes the steps of a visit back to where it began', () => {
    fc.assert(
      fc.property(steps, all => {
        const place = createPlace({
          '@appkit/connections': '{"eip155":[{"connectorId":"x","accounts":[{"address":"0x1"}]}]}',
        })
        for (const step of all) bring(place, step)
        bring(place, 'none')
        expect(place.json('@appkit/connections')).toEqual({
          eip155: [{ connectorId: 'x', accounts: [{ address: '0x1' }] }],
        })
        expect(place.getItem('@appkit/solana:connected_connector_id')).toBeNull()
        expect(place.getItem('WALLETCONNECT_DEEPLINK_CHOICE')).toBeNull()
      }),
      { numRuns: 200 },
    )
  })

  test('is read at the first start without a throw', () => {
    fc.assert(
      fc.property(stored, values => {
        const found = firstRead(
          models.none,
          createPlace({ ...values, '@appkit/connection_status': 'connected' }).getItem,
        )
        expect(found === undefined || found.addresses.length > 0).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
