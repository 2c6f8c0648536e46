import { describe, expect, test } from 'vitest'
import { walletConnect } from '../story.ts'
import { publicKey, sealAll } from '../wcStory.ts'
import { createWorld, tab, type World } from '../world.ts'

/** A proposal is sealed, and the relay is open. */
function proposed(attests = true): World {
  const world = createWorld(attests ? { attests: true } : {})
  world.boot()
  world.attach()
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  world.answer('relay.open', 'relay.opened', {})
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  sealAll(world)
  return world
}

describe('a message whose sender wallets want to have witnessed', () => {
  test('goes out once the page’s frame has it witnessed', () => {
    const world = proposed()
    expect(world.ordered('attest.get')).toMatchObject([{ after: 'stored', tab }])
    expect(world.ordered('relay.propose')).toEqual([])
    world.answer('attest.get', 'attest.got', { isGiven: true })
    expect(world.ordered('relay.propose')).toHaveLength(1)
  })

  test('goes out without a witness when none comes in time, and once only when it comes late', () => {
    const world = proposed()
    world.pass(5500)
    expect(world.ordered('relay.propose')).toHaveLength(1)
    world.answer('attest.get', 'attest.got', { isGiven: true })
    expect(world.ordered('relay.propose')).toHaveLength(1)
  })

  test('is witnessed once, however often it has to go out', () => {
    const world = proposed()
    world.answer('attest.get', 'attest.got', { isGiven: true })
    world.pass(16_000)
    expect(world.ordered('relay.propose').length).toBeGreaterThan(1)
    expect(world.ordered('attest.get')).toHaveLength(1)
  })

  test('goes out at once where no service is set', () => {
    const world = proposed(false)
    expect([world.ordered('attest.get').length, world.ordered('relay.propose').length]).toEqual([0, 1])
  })
})
