/** Requests of wallets get one answer, through deaths between the request and its sealed answer. */
import { describe, expect, test } from 'vitest'
import {
  answered,
  message,
  namespaces,
  open,
  type Payload,
  sealAll,
  settled,
  settlement,
  shown,
  takeAll,
} from '../../wcStory.ts'
import { createWorld, failing, type World } from '../../world.ts'

const id = '1799000000500001'
const questions: [string, string, Payload, object][] = [
  ['an update', 'session-1', { kind: 'update', id, namespaces: namespaces(undefined, []) }, { result: true }],
  ['an update that cannot be taken', 'session-1', { kind: 'update', id }, { error: { code: 1003 } }],
  ['an extension', 'session-1', { kind: 'extend', id }, { result: true }],
  ['an extension that cannot be taken', 'session-1', malformedExtension(), { error: { code: 1004 } }],
  ['a ping', 'session-1', { kind: 'ping', id }, { result: true }],
]
const onCode: [string, string, Payload, object][] = [
  ['a ping of a code', 'pairing-1', { kind: 'pairingPing', id }, { result: true }],
  ['a question nobody knows', 'pairing-1', { kind: 'request', id, method: 'wc_unheard' }, { error: { code: 10_001 } }],
]

function malformedExtension(): Payload {
  return { kind: 'extend', id, error: { code: 2, message: '' } }
}

const sealed = (world: World) => world.ordered('vault.seal').map(({ data }) => data)
const outgoing = (world: World) => Object.values(world.model.outbox).map(({ topic, payloadId }) => [topic, payloadId])

describe.each([...questions.map(one => [...one, settled] as const), ...onCode.map(one => [...one, shown] as const)])(
  'the answer to %s',
  (_name, topic, payload, expected, begun) => {
    test('is owed until its message is committed, and not after that', () => {
      const world = begun()
      const came = message(world, topic, payload, 'asked')
      expect(came.effects.find(({ type }) => type === 'relay.acknowledge')).toMatchObject({ after: 'stored' })
      expect(Object.values(world.model.mail.owed)).toMatchObject([{ topic, payloadId: id, owedAt: world.at }])
      sealAll(world)
      expect([world.model.mail.owed, outgoing(world)]).toEqual([{}, [[topic, id]]])
      world.kill('lost')
      world.pass(0)
      expect(sealed(world)).toEqual([])
    })

    test.each(['lost', 'start'] as const)('is sent by the next life after a death before it was sealed (%s)', cause => {
      const world = begun()
      message(world, topic, payload, 'asked')
      const [first] = sealed(world).slice(-1)
      world.kill(cause)
      world.pass(0)
      expect(sealed(world)).toEqual([{ ...first, callId: expect.any(String) as unknown }])
      expect(sealed(world)[0]?.payload).toMatchObject({ id, ...expected })
      // The relay missed the acknowledgement and pushes again
      open(world)
      expect(message(world, topic, payload, 'asked').types).toEqual([])
      expect(message(world, topic, payload, 'the same in another envelope').types).toEqual([])
      expect(sealed(world)).toHaveLength(1)
      sealAll(world)
      takeAll(world)
      expect(world.ordered('relay.publish').map(({ data }) => data.topic)).toEqual([topic])
      expect([world.model.mail.owed, world.model.outbox]).toEqual([{}, {}])
    })

    test('is not owed when the request is lost with its step', () => {
      const world = begun()
      message(world, topic, payload, 'asked')
      world.kill('lost', 1)
      world.pass(0)
      expect([world.model.mail.owed, sealed(world)]).toEqual([{}, []])
      message(world, topic, payload, 'asked')
      expect(sealed(world)).toHaveLength(1)
    })

    test('is sealed again when the vault failed, and not while it is being sealed', () => {
      const world = begun()
      message(world, topic, payload)
      world.answer('vault.seal', 'effect.failed', failing('storage_down'))
      const before = sealed(world).length
      world.pass(14_999)
      expect(sealed(world)).toHaveLength(before)
      world.pass(1)
      expect(sealed(world)).toHaveLength(before + 1)
      expect(sealed(world).at(-1)?.payload).toMatchObject({ id, ...expected })
      message(world, topic, { kind: topic === 'session-1' ? 'ping' : 'pairingPing', id: '1799000000500009' })
      world.answer('vault.seal', 'effect.failed', failing('storage_down'))
      world.pass(15_000)
      const ids = sealed(world).map(({ payload: { id } }) => id)
      expect(ids.filter(one => one === id)).toHaveLength(2)
      sealAll(world)
      expect(world.model.mail.owed).toEqual({})
    })

    test('is dropped when its key is gone, or when its relay would not store it any longer', () => {
      const gone = begun()
      message(gone, topic, payload)
      expect(gone.answer('vault.seal', 'effect.failed', failing('expired')).types).toContain('mail.forgone')
      expect(gone.model.mail.owed).toEqual({})
      const late = begun()
      message(late, topic, payload)
      const [{ ttl } = { ttl: 0 }] = Object.values(late.model.mail.owed)
      late.wait(ttl * 1000 - 1)
      late.kill('start')
      // A pairing expires earlier
      const isCode = topic === 'pairing-1' && ttl > 300
      expect([late.pass(0), sealed(late).length]).toEqual([[], isCode ? 0 : 1])
      late.wait(1)
      late.kill('start')
      expect(late.pass(0)).toEqual(isCode ? [] : ['mail.forgone'])
      expect([late.model.mail.owed, sealed(late)]).toEqual([{}, []])
    })

    test('carries the request’s purpose', () => {
      const world = begun()
      message(world, topic, payload)
      if (topic === 'session-1') message(world, topic, { kind: 'delete', id: '1799000000500002' })
      else message(world, topic, { kind: 'pairingDelete', id: '1799000000500002' })
      expect(world.model.mail.owed).toEqual({})
      world.kill('lost')
      world.pass(0)
      expect(sealed(world).filter(data => data.topic === topic)).toEqual([])
    })
  },
)

test('answers: the next life approves a settlement, with its purpose', () => {
  const world = shown()
  answered(world)
  message(world, 'session-1', settlement(world))
  world.kill('start')
  world.pass(0)
  expect(sealed(world)).toMatchObject([{ topic: 'session-1', payload: { result: true, id: '1798999000000001' } }])
  sealAll(world)
  expect(Object.values(world.model.outbox)).toMatchObject([{ tag: 1103, purpose: 'settled:session-1' }])
})

test('answers: they go out in the order of their requests, each once', () => {
  const world = settled()
  const ids = ['1799000000500001', '1799000000500002', '1799000000500003']
  for (const one of ids) message(world, 'session-1', { kind: 'ping', id: one })
  world.kill('lost')
  world.pass(0)
  world.kill('lost')
  world.pass(0)
  expect(sealed(world).map(({ payload }) => payload.id)).toEqual(ids)
})

test('answers: a session that ended between lives takes its owed answers along', () => {
  const world = settled()
  message(world, 'session-1', { kind: 'ping', id })
  world.wait(604_800_000)
  world.kill('start')
  expect(world.model.mail.owed).toEqual({})
  expect(world.timers().has('owed') ? world.pass(0) : []).toEqual([])
  expect(sealed(world)).toEqual([])
})

test('answers: a life without owed answers has no timer for them', () => {
  const world = createWorld()
  world.boot()
  expect(world.timers().has('owed')).toBe(false)
  const connected = settled()
  connected.kill('lost')
  expect(connected.timers().has('owed')).toBe(false)
})
