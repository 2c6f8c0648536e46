/** Pings to the wallet that scanned a code: each ends once, by an answer, its timeout or the end of its pairing. */
import { expect, test } from 'vitest'
import { answered, message, sealAll, settlement, shown, takeAll } from '../../wcStory.ts'
import { failing, type World } from '../../world.ts'

const ping = (world: World, pairingTopic = 'pairing-1') => {
  const came = world.command('pairing.ping', { pairingTopic })
  return { ...came, id: world.said('pairing.pinged').at(-1)?.payloadId ?? '' }
}
const ends = (world: World) => world.said('pairing.pingEnded')
const pings = (world: World) => Object.keys(world.model.pairing.open['pairing-1']?.pings ?? {})

test('pairing ping: it goes out as in the protocol, and ends once, with the answer', () => {
  const world = shown()
  const { types, facts, id } = ping(world)
  expect(types).toEqual(['pairing.pinged'])
  expect(facts[0]?.ref).toBeDefined()
  expect(world.last('vault.seal').data).toMatchObject({
    topic: 'pairing-1',
    payload: { method: 'wc_pairingPing', id },
  })
  sealAll(world)
  expect(world.last('relay.publish').data).toMatchObject({ topic: 'pairing-1', tag: 1002, ttl: 30, prompt: false })
  takeAll(world)
  expect([ends(world), pings(world)]).toEqual([[], [id]])
  const answer = { kind: 'result', id, acknowledged: true } as const
  expect(message(world, 'pairing-1', answer).types).toEqual(['pairing.pingEnded'])
  expect(ends(world)).toEqual([{ pairingTopic: 'pairing-1', payloadId: id }])
  expect([pings(world), world.timers().has(`ping:${id}`)]).toEqual([[], false])
  expect(message(world, 'pairing-1', answer).types).toEqual([])
})

test.each([false, true])(
  'pairing ping: without an answer it ends after 60 s, also across the worker’s death: %s',
  dies => {
    const world = shown()
    const { id } = ping(world)
    world.wait(20_000)
    if (dies) world.kill('lost')
    world.pass(39_999)
    expect(ends(world)).toEqual([])
    world.pass(1)
    expect(ends(world)).toMatchObject([{ payloadId: id, failure: { code: 'timeout' } }])
    expect(pings(world)).toEqual([])
  },
)

test('pairing ping: it ends with an error answer or a missing key', () => {
  const world = shown()
  const { id } = ping(world)
  message(world, 'pairing-1', { kind: 'error', id, error: { code: 10_001, message: 'Unsupported wc_ method.' } })
  ping(world)
  world.answer('vault.seal', 'effect.failed', failing('expired'))
  expect(ends(world).map(({ failure }) => failure?.code)).toEqual(['bad_response', 'expired'])
})

test('pairing ping: an expired code is not pinged, also before its timer', () => {
  const world = shown()
  world.wait(300_000)
  expect(ping(world).types).toEqual(['pairing.refused'])
  expect(world.said('pairing.refused')).toMatchObject([{ pairingTopic: 'pairing-1' }])
  expect(world.ordered('vault.seal').filter(({ data }) => JSON.stringify(data).includes('wc_pairingPing'))).toEqual([])
})

test('pairing ping: an answer on another topic is none, and pings of one code are told apart', () => {
  const world = shown()
  const [one, two] = [ping(world).id, ping(world).id]
  message(world, 'pairing-2', { kind: 'result', id: one, acknowledged: true })
  message(world, 'pairing-1', { kind: 'result', id: two, acknowledged: true })
  expect(ends(world)).toEqual([{ pairingTopic: 'pairing-1', payloadId: two }])
  expect(pings(world)).toEqual([one])
})

test('pairing ping: it outlives the wallet’s answer to the proposal, and ends with the code', () => {
  const world = shown()
  const { id } = ping(world)
  answered(world)
  expect(pings(world)).toEqual([id])
  message(world, 'session-1', settlement(world))
  world.pass(60_000)
  expect(ends(world)).toEqual([])
})

test('pairing ping: unknown, expired and deleted codes are refused in the official words', () => {
  const world = shown()
  expect(ping(world, 'pairing-9').types).toEqual(['pairing.refused'])
  answered(world)
  message(world, 'session-1', settlement(world))
  ping(world)
  expect(world.said('pairing.refused')).toEqual([
    { pairingTopic: 'pairing-9', code: 2, message: "No matching key. pairing topic doesn't exist: pairing-9" },
    {
      pairingTopic: 'pairing-1',
      code: 5,
      message: 'Missing or invalid. Record was recently deleted - pairing: pairing-1',
    },
  ])
  expect(world.said('pairing.pinged')).toEqual([])
})
