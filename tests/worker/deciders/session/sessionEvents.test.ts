/** Wallets' events: ordered, also across a restart, and delivered to subscribers. */
import { describe, expect, test } from 'vitest'
import type { Proposal } from '../../../../src/events/schema/fields.ts'
import { caip2, ready } from '../../story.ts'
import {
  answered,
  message,
  namespaces,
  type Payload,
  sealAll,
  settled,
  settlement,
  shown,
  takeAll,
} from '../../wcStory.ts'
import type { World } from '../../world.ts'

const chain = 'eip155:1'
const eip155 = {
  accounts: [`${chain}:0x${'ab'.repeat(20)}`],
  methods: ['personal_sign'],
  events: ['message', 'chainChanged', 'otp'],
}
const proposal: Proposal = {
  required: {},
  optional: {
    solana: { chains: [caip2], methods: ['solana_signTransaction'], events: ['accountsChanged'] },
    eip155: { chains: [chain], methods: ['personal_sign'], events: ['message', 'chainChanged'] },
  },
}

/** A session whose proposal names custom events. */
function listening(): World {
  const world = shown(ready(), 'pairing-1', proposal)
  answered(world)
  message(world, 'session-1', settlement(world, { namespaces: { ...namespaces(), eip155 } }))
  sealAll(world)
  takeAll(world)
  return world
}

const event = (world: World, ms: number, more: Partial<Payload>): Payload => ({
  kind: 'event',
  id: `${world.at + ms}001`,
  event: 'message',
  chainId: chain,
  ...more,
})
const heard = (world: World, payload: Payload) => message(world, 'session-1', payload).types

describe('an event', () => {
  test('that was proposed is passed on with its data, and never answered', () => {
    const world = listening()
    const before = world.ordered('vault.seal').length
    expect(heard(world, event(world, 0, { data: '{"type":"x"}' }))).toEqual(['session.eventHeard'])
    expect(world.said('session.eventHeard')).toEqual([
      {
        sessionTopic: 'session-1',
        name: 'message',
        chainId: chain,
        data: '{"type":"x"}',
        order: Number(`${world.at}001`),
      },
    ])
    expect(world.ordered('vault.seal')).toHaveLength(before)
  })

  test('that was not proposed is not passed on, even if approved', () => {
    const world = listening()
    expect(heard(world, event(world, 0, { event: 'otp' }))).toEqual([])
    expect(heard(world, event(world, 0, { event: 'message', chainId: 'eip155:5' }))).toEqual([])
    expect(heard(settled(), event(world, 0, {}))).toEqual([])
  })

  test('older than the newest of its name is dropped, in the next life too; one of another name is not', () => {
    const world = listening()
    heard(world, event(world, 5, {}))
    for (const live of [true, false]) {
      if (!live) world.kill('lost')
      expect(heard(world, event(world, live ? 4 : 3, {}))).toEqual([])
      const other = event(world, live ? 1 : 2, { event: 'chainChanged', chain })
      expect(heard(world, other)).toEqual(['session.eventHeard'])
    }
  })

  test('of the same moment is accepted, the very same one is not', () => {
    const world = listening()
    const first = event(world, 0, {})
    heard(world, first)
    expect(heard(world, { ...first, id: `${world.at}000` })).toEqual(['session.eventHeard'])
    expect(heard(world, { ...first, id: `${world.at}000` })).toEqual([])
  })

  test('with an unordered id is accepted and makes later ones not old', () => {
    const world = listening()
    expect(heard(world, event(world, 0, { id: '9'.repeat(40) }))).toEqual(['session.eventHeard'])
    expect(world.model.session['session-1']?.heard).toEqual({})
    expect(heard(world, event(world, 0, {}))).toEqual(['session.eventHeard'])
  })

  test('about the chain updates the wallet’s chain, in the next life too', () => {
    const world = listening()
    heard(world, event(world, 0, { event: 'chainChanged', chain: 'eip155:137', data: '137' }))
    world.kill('lost')
    expect(world.model.session['session-1']?.chains).toEqual({ eip155: 'eip155:137' })
  })

  test('named like a member of Object.prototype is refused', () => {
    const world = settled()
    expect(heard(world, event(world, 0, { event: 'toString' }))).toEqual([])
  })
})
