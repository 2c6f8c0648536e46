import { describe, expect, test } from 'vitest'
import { modelOf, snapshots } from '../../../../src/events/checkpoint/snapshot.ts'
import type { Ctx } from '../../../../src/worker/core/context.ts'
import { deletedLately } from '../../../../src/worker/deciders/session/deletedLately.ts'
import { walletConnect } from '../../story.ts'
import type { World } from '../../world.ts'
import { answered, idOf, message, publicKey, settled, shown, walletKey } from '../../wcStory.ts'

const textOf = ({ model }: World, kind: Parameters<typeof deletedLately>[1], id: string) =>
  deletedLately({ model } as Ctx, kind, id)?.message

describe('a lately deleted entity', () => {
  test('is refused in the official words, also after a restart and from a checkpoint', () => {
    const world = settled()
    const text = 'Missing or invalid. Record was recently deleted - session: session-1'
    expect(textOf(world, 'session', 'session-1')).toBeUndefined()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    expect(textOf(world, 'session', 'session-1')).toBe(text)
    expect(textOf(world, 'pairing', 'pairing-1')).toContain('pairing: pairing-1')
    world.kill('start')
    expect(textOf(world, 'session', 'session-1')).toBe(text)
    expect(modelOf(snapshots.snapshot(world.model))).toEqual(world.model)
  })

  test('is each ended session, pairing, proposal and request', () => {
    const world = shown()
    const proposalId = idOf(world)
    world.pass(400_000)
    expect(textOf(world, 'proposal', proposalId)).toContain(`proposal: ${proposalId}`)
    expect(textOf(world, 'request', 'nobody')).toBeUndefined()
  })

  test('is evicted half by half: of 200 the older hundred goes', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    for (let i = 0; i < 197; i++) {
      world.model.session[`t-${i}`] = { sessionTopic: `t-${i}` } as never
      message(world, `t-${i}`, { kind: 'delete', id: `${i}` })
    }
    // With the pairing and its proposal this is the two hundredth text
    expect(textOf(world, 'session', 'session-1')).toBeUndefined()
    expect(textOf(world, 'session', 't-98')).toContain('t-98')
    expect(textOf(world, 'session', 't-96')).toBeUndefined()
  })
})

describe('a lately deleted topic', () => {
  test('is not used for a session again', () => {
    const world = settled()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    shown(world, 'pairing-2')
    message(world, 'pairing-2', { kind: 'result', id: idOf(world, 'pairing-2'), responderKey: walletKey })
    const came = world.answer('vault.deriveSession', 'vault.sessionDerived', {
      pairingTopic: 'pairing-2',
      sessionTopic: 'session-1',
    })
    expect(came.types).toEqual(['pairing.rejected', 'connection.failed'])
    expect(world.said('pairing.rejected').at(-1)?.failure.message).toBe(
      'Missing or invalid. Record was recently deleted - session',
    )
  })

  test('is not used for a code again', () => {
    const world = shown()
    answered(world)
    world.pass(400_000)
    world.command('connection.connectWalletConnect', { wallet: walletConnect })
    const { attemptId } = world.last('vault.makePairing').data
    const pairingTopic = 'pairing-1'
    const came = world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey })
    expect(came.types).toEqual(['connection.failed'])
  })
})
