/** The chain of a host's request that names none. */
import { describe, expect, test } from 'vitest'
import { caip2 } from '../../story.ts'
import { message, settled } from '../../wcStory.ts'

const other = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const set = (world: ReturnType<typeof settled>, chainId: string, sessionTopic = 'session-1') =>
  world.command('session.setChain', { sessionTopic, chainId })

describe('a host’s default chain', () => {
  test('is stored with the session, also across deaths; the wallet is not notified', () => {
    const world = settled()
    const before = world.ordered('vault.seal').length
    expect(set(world, other).types).toEqual(['session.chainSet'])
    expect(world.ordered('vault.seal')).toHaveLength(before)
    for (const cause of ['lost', 'start'] as const) {
      world.kill(cause)
      expect(world.model.session['session-1']?.chains).toEqual({ solana: other })
    }
  })

  test('is recorded once, however often it is set', () => {
    const world = settled()
    set(world, other)
    expect(set(world, other).types).toEqual([])
    expect(set(world, caip2).types).toEqual(['session.chainSet'])
  })

  test('gives way to the wallet’s later chain', () => {
    const world = settled()
    set(world, other)
    const event = { id: `${world.at}001`, event: 'chainChanged', chainId: caip2, chain: caip2, data: '"x"' }
    message(world, 'session-1', { kind: 'event', ...event })
    expect(world.model.session['session-1']?.chains).toEqual({ solana: caip2 })
  })

  test.each([
    ['eip155:1', 5, 'Missing or invalid. setDefaultChain() chainId: eip155:1'],
    ['solana', 5, 'Missing or invalid. setDefaultChain() chainId: solana'],
    ['__proto__:x', 5, 'Missing or invalid. setDefaultChain() chainId: __proto__:x'],
  ])('is refused when it is %s, unknown to the session', (chain, code, words) => {
    const world = settled()
    expect(set(world, chain).types).toEqual(['session.refused'])
    expect(world.said('session.refused').at(-1)).toMatchObject({ code, message: words })
  })

  test('is refused in the official words without a session, and in an expired one', () => {
    const world = settled()
    set(world, other, 'nowhere')
    world.wait(604_800_000)
    set(world, other)
    expect(world.said('session.refused').map(({ code, message: words }) => [code, words])).toEqual([
      [2, "No matching key. session or pairing topic doesn't exist: nowhere"],
      [6, 'Expired. session topic: session-1'],
    ])
  })
})
