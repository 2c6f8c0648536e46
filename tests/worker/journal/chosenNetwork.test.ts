import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { chooseNetwork, forgetOnTheWay, onTheWayTo } from '../../../src/worker/journal/chosenNetwork.ts'

const entering = { connections: [], sessions: [] }
const first = { from: 'a', to: 'b', entering }
const second = { from: 'b', to: 'c', entering }

test('chosen network: what arrived is forgotten, what a later switch sent meanwhile stays', async () => {
  await chooseNetwork('solana:b', first)
  expect(await onTheWayTo('b')).toEqual(first)
  await chooseNetwork('solana:c', second)
  await forgetOnTheWay(first)
  expect(await onTheWayTo('c')).toEqual(second)
  await forgetOnTheWay(second)
  expect(await onTheWayTo('c')).toBeUndefined()
})
