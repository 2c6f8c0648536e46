/**
 * Parameters of each published message, by the reference's tables (§4.4, §9.3, §10): tag, time to live in seconds,
 * prompt.
 */
import { expect, test } from 'vitest'
import { account, caip2, ready, walletConnect } from '../story.ts'
import { tab, type World } from '../world.ts'
import {
  answered,
  message,
  namespaces,
  open,
  publicKey,
  sealAll,
  settled,
  settlement,
  shown,
  takeAll,
} from '../wcStory.ts'

type Published = [tag: number, ttl: number, prompt: boolean]

/** @returns how the message of `say` is published once it is sealed */
function published(world: World, say: () => unknown): Published {
  const before = world.ordered('relay.publish').length
  say()
  sealAll(world)
  const all = world.ordered('relay.publish').slice(before)
  expect(all).toHaveLength(1)
  const { tag = 0, ttl = 0, prompt = false } = all[0]?.data ?? {}
  return [tag, ttl, prompt]
}

const events = { solana: { ...namespaces().solana, methods: ['solana_signMessage'], events: ['accountsChanged'] } }

/** A settled session whose events the page may emit. */
function session(): World {
  const world = settled(['solana_signTransaction', 'solana_signMessage'])
  takeAll(world)
  return world
}

/** The wallet has answered and is about to settle. */
function settling(): World {
  const world = shown()
  answered(world)
  return world
}

const sessionTopic = 'session-1'
const asking = {
  sessionTopic,
  chainId: caip2,
  method: 'solana_signMessage',
  params: `{"message":"x","pubkey":"${account}"}`,
}
const says =
  (kind: 'ping' | 'extend' | 'update' | 'settle', more: object = {}) =>
  (world: World) =>
    message(world, sessionTopic, { kind, id: `${world.at}001`, ...more })

test.each<[string, () => World, (world: World) => unknown, Published]>([
  ['a yes to a settlement', settling, world => message(world, sessionTopic, settlement(world)), [1103, 300, false]],
  [
    'a no to a settlement',
    settling,
    world => message(world, sessionTopic, settlement(world, { controllerKey: publicKey })),
    [1103, 300, false],
  ],
  [
    'a yes to a settlement that comes again',
    settled,
    world => message(world, sessionTopic, settlement(world, { id: '8' })),
    [1103, 300, false],
  ],
  ['a yes to an update', session, says('update', { namespaces: events }), [1105, 86_400, false]],
  ['a no to an update', session, says('update', { error: { code: 5, message: '' } }), [1105, 86_400, false]],
  ['a yes to an extension', session, says('extend'), [1107, 86_400, false]],
  ['a no to an extension', session, says('extend', { error: { code: 5, message: '' } }), [1107, 86_400, false]],
  ['an answer to a ping', session, says('ping'), [1115, 86_400, false]],
  ['an extension', session, world => world.command('session.extend', { sessionTopic }), [1106, 86_400, false]],
  ['a ping', session, world => world.command('session.ping', { sessionTopic }), [1114, 86_400, false]],
  [
    'an event',
    session,
    world => world.command('session.emit', { sessionTopic, event: 'accountsChanged', chainId: caip2, data: '[]' }),
    [1110, 300, true],
  ],
  ['a request', session, world => world.command('request.send', asking), [1108, 900, true]],
  [
    'a request that may take longer',
    session,
    world => world.command('request.send', { ...asking, expirySeconds: 604_800 }),
    [1108, 604_800, true],
  ],
  [
    'a request that may take less',
    session,
    world => world.command('request.send', { ...asking, expirySeconds: 300 }),
    [1108, 300, true],
  ],
  ['an end', session, world => world.command('session.disconnect', { sessionTopic }), [1112, 86_400, false]],
  [
    'an answer to a ping of the pairing',
    shown,
    world => message(world, 'pairing-1', { kind: 'pairingPing', id: '7' }),
    [1003, 30, false],
  ],
  [
    'a no to what nobody knows',
    shown,
    world => message(world, 'pairing-1', { kind: 'request', id: '7', method: 'wc_pairingFoo' }),
    [0, 86_400, false],
  ],
])('%s', (_, begin, say, wanted) => {
  const world = begin()
  expect(published(world, () => say(world))).toEqual(wanted)
})

test('publishing: a proposal, in one call and the plain way', () => {
  const world = ready()
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  open(world)
  world.input('page.visible', { visible: true }, { tab })
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  sealAll(world)
  expect(world.last('relay.propose').data.ttl).toBe(300)
  const { callId } = world.last('relay.propose').data
  const how = published(world, () => world.input('relay.failed', { callId, error: { code: -32_601, message: '' } }))
  expect(how).toEqual([1100, 300, true])
})
