import { describe, expect, test } from 'vitest'
import { failing } from '../world.ts'
import { message, open, sealAll, settled, shown, takeAll } from '../wcStory.ts'
import { ready, walletConnect } from '../story.ts'

const ping = { kind: 'ping', id: '77' } as const

describe('a message to a wallet', () => {
  test('is sealed once, kept, and goes out with the same call id and bytes until the relay has it', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const first = world.last('relay.publish').data
    world.fire(`outbox:${first.callId}`)
    expect(world.last('relay.publish').data).toEqual(first)
    expect(world.ordered('vault.seal').filter(effect => effect.data.callId === first.callId)).toHaveLength(1)
    world.input('relay.taken', { callId: first.callId })
    expect(world.model.outbox).toEqual({})
    expect(world.last('vault.forget').data.refs).toEqual([first.messageRef])
    expect(world.timers().has(`outbox:${first.callId}`)).toBe(false)
    expect(world.input('relay.taken', { callId: first.callId }).facts).toEqual([])
  })

  test('waits for the relay, and goes out as soon as it is there', () => {
    const world = settled()
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    message(world, 'session-1', ping)
    const before = world.ordered('relay.publish').length
    sealAll(world)
    expect(world.ordered('relay.publish')).toHaveLength(before)
    world.fire('relay:retry')
    open(world)
    expect(world.ordered('relay.publish')).toHaveLength(before + 1)
  })

  test('that the relay refuses is tried again until its life is over', () => {
    const world = settled()
    message(world, 'session-1', ping)
    sealAll(world)
    const { callId } = world.last('relay.publish').data
    world.input('relay.failed', { callId, error: { code: -32000, message: 'busy' } })
    world.fire(`outbox:${callId}`)
    expect(world.last('relay.publish').data.callId).toBe(callId)
    world.wait(86_400_000)
    expect(world.fire(`outbox:${callId}`).types).toContain('outbox.dropped')
    expect(world.model.outbox).toEqual({})
  })

  test('has a call id of its own, higher than the one before', () => {
    const world = settled()
    for (const id of ['1', '2', '3']) message(world, 'session-1', { kind: 'ping', id })
    const ids = world.ordered('vault.seal').map(effect => BigInt(effect.data.callId))
    expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0n))).toBe(true)
    expect(ids.every(id => String(id).length === 19)).toBe(true)
  })
})

describe('a proposal', () => {
  test.each([
    [{ code: -32601, message: 'Method not found' }],
    [{ code: -32000, message: 'unknown method wc_proposeSession' }],
  ])('that the relay does not know how to carry (%j) goes out as subscribe and publish, with the same bytes', error => {
    const world = ready()
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    world.answer('vault.makePairing', 'vault.pairingMade', {
      attemptId,
      pairingTopic: 'pairing-1',
      publicKey: 'cd'.repeat(32),
    })
    open(world)
    sealAll(world)
    const { callId, messageRef } = world.last('relay.propose').data
    world.input('relay.failed', { callId, error })
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
    expect(world.last('relay.publish').data).toMatchObject({ topic: 'pairing-1', messageRef, tag: 1100, prompt: true })
    expect(world.last('relay.publish').data.callId).not.toBe(callId)
    takeAll(world)
    expect(world.model.pairing.open['pairing-1']?.phase).toBe('proposed')
  })

  test('is heard on its topic again after every new socket', () => {
    const world = shown()
    world.input('relay.closed', { code: 1006, ...failing('unreachable') })
    world.fire('relay:retry')
    open(world)
    expect(world.last('relay.subscribe').data.topics).toEqual(['pairing-1'])
  })
})
