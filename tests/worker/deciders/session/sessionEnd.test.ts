/** Ends of sessions by the page, also across deaths, and the end of one namespace of several. */
import { describe, expect, test } from 'vitest'
import type { Proposal } from '../../../../src/events/schema/fields.ts'
import { caip2, ready, walletConnect } from '../../story.ts'
import { answered, message, namespaces, publicKey, open, sealAll, settled, settlement, takeAll } from '../../wcStory.ts'
import { failing, type World } from '../../world.ts'

const disconnect = (world: World, sessionTopic = 'session-1', namespace?: string) =>
  world.command('session.disconnect', { sessionTopic, ...(namespace === undefined ? {} : { namespace }) })

const evm = { accounts: [`eip155:1:0x${'ab'.repeat(20)}`], methods: ['personal_sign'], events: ['chainChanged'] }
const proposal: Proposal = {
  required: {},
  optional: {
    eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] },
    solana: { chains: [caip2], methods: ['solana_signTransaction'], events: [] },
  },
}

/** A session with two namespaces. */
function both(required: Proposal['required'] = {}): World {
  const world = ready()
  const asked = { ...proposal, required }
  world.command('connection.connectWalletConnect', { wallet: walletConnect, proposal: asked })
  const { attemptId } = world.last('vault.makePairing').data
  open(world)
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-1', publicKey })
  sealAll(world)
  takeAll(world)
  answered(world)
  message(world, 'session-1', settlement(world, { namespaces: { ...namespaces(), eip155: evm } }))
  sealAll(world)
  takeAll(world)
  return world
}

describe('a session ended by the person', () => {
  test('ends its connection, and its wallet is notified', () => {
    const world = settled()
    expect(disconnect(world).types).toEqual(['connection.ended', 'session.deleted', 'parting.owed'])
    expect(world.last('vault.seal').data.payload).toMatchObject({ method: 'wc_sessionDelete', code: 6000 })
    sealAll(world)
    expect(world.model.parting).toEqual({})
    expect(world.timers().has('session:session-1')).toBe(false)
  })

  test('is announced to its wallet by the next life, when this one dies before the message was sealed', () => {
    const world = settled()
    disconnect(world)
    for (const cause of ['lost', 'start'] as const) {
      world.kill(cause)
      expect(world.last('vault.seal').data).toMatchObject({
        topic: 'session-1',
        payload: { method: 'wc_sessionDelete' },
      })
      expect(world.ordered('relay.open')).toHaveLength(1)
    }
    open(world)
    sealAll(world)
    expect(world.last('relay.publish').data).toMatchObject({ topic: 'session-1', tag: 1112 })
    world.kill('lost')
    expect(world.ordered('vault.seal')).toEqual([])
    open(world)
    takeAll(world)
    expect(world.last('vault.forget').data.topics).toEqual(['session-1'])
  })

  test('is no longer announced once its key is gone, or after the wallet ended it, too', () => {
    const gone = settled()
    disconnect(gone)
    expect(gone.answer('vault.seal', 'effect.failed', failing('expired')).types).toContain('parting.settled')
    const late = settled()
    disconnect(late)
    late.wait(604_800_000)
    expect(late.kill('start').types).toContain('parting.settled')
    expect(late.ordered('vault.seal')).toEqual([])
  })

  test('is announced later when the vault is unreachable now', () => {
    const world = settled()
    disconnect(world)
    world.answer('vault.seal', 'effect.failed', failing('storage_down'))
    world.kill('lost')
    expect(world.last('vault.seal').data.payload).toMatchObject({ method: 'wc_sessionDelete' })
  })

  test('cannot be ended again: it was deleted lately, and an unknown one is unknown', () => {
    const world = settled()
    disconnect(world)
    disconnect(world)
    disconnect(world, 'session-9')
    expect(world.said('session.refused')).toEqual([
      {
        sessionTopic: 'session-1',
        code: 5,
        message: 'Missing or invalid. Record was recently deleted - session: session-1',
      },
      {
        sessionTopic: 'session-9',
        code: 2,
        message: "No matching key. session or pairing topic doesn't exist: session-9",
      },
    ])
  })
})

describe('one namespace of several', () => {
  test('is left without a message to the wallet; the rest stays', () => {
    const world = both()
    expect(disconnect(world, 'session-1', 'solana').types).toEqual(['connection.ended', 'session.namespaceLeft'])
    expect(world.ordered('vault.seal').filter(effect => !effect.answered)).toEqual([])
    expect(world.model.session['session-1']).toMatchObject({ namespaces: { eip155: evm }, left: ['solana'] })
    expect(world.model.connection.made).toEqual({})
  })

  test('ends its own requests and no others, and accepts no requests or events any more', () => {
    const world = both()
    const chains = [caip2, 'eip155:1']
    const ask = (chainId: string) =>
      world.command('request.send', {
        sessionTopic: 'session-1',
        chainId,
        method: chainId === caip2 ? 'solana_signTransaction' : 'personal_sign',
        params: '{}',
      })
    chains.forEach(ask)
    const phases = () => Object.fromEntries(Object.values(world.model.request).map(one => [one.chainId, one.phase]))
    const event = (chainId: string, n: number) => {
      const payload = {
        kind: 'event',
        id: `${world.at}00${n}`,
        event: 'chainChanged',
        chainId,
        chain: chainId,
      } as const
      return message(world, 'session-1', payload).types
    }
    expect(Object.values(phases())).not.toContain('ended')
    expect(event(caip2, 1)).toEqual(['session.eventHeard'])
    expect(world.model.session['session-1']?.chains).toEqual({ solana: caip2 })
    disconnect(world, 'session-1', 'solana')
    expect(phases()).toMatchObject({ [caip2]: 'ended', 'eip155:1': expect.not.stringMatching('ended') as string })
    expect(ask(caip2).types).toEqual(['request.refused'])
    expect(event(caip2, 2)).toEqual([])
    expect(event('eip155:1', 3)).toEqual(['session.eventHeard'])
    expect(world.model.session['session-1']?.chains).toEqual({ eip155: 'eip155:1' })
  })

  test('stays left when the wallet repeats it in an update, and does not count as missing', () => {
    const world = both({ solana: { chains: [caip2], methods: ['solana_signTransaction'], events: [] } })
    disconnect(world, 'session-1', 'solana')
    for (const again of [{ ...namespaces(), eip155: evm }, { eip155: evm }]) {
      message(world, 'session-1', { kind: 'update', id: `${world.at}001`, namespaces: again })
      expect(world.last('vault.seal').data.payload).toMatchObject({ result: true })
      expect(Object.keys(world.model.session['session-1']?.namespaces ?? {})).toEqual(['eip155'])
    }
    expect(world.model.connection.made).toEqual({})
  })

  test('ends the session when it was the last one', () => {
    const world = both()
    disconnect(world, 'session-1', 'eip155')
    expect(world.model.connection.active).not.toBeNull()
    expect(disconnect(world, 'session-1', 'solana').types).toEqual([
      'connection.ended',
      'session.deleted',
      'parting.owed',
    ])
  })

  test('without a namespace is refused', () => {
    const world = both()
    expect(disconnect(world, 'session-1', 'cosmos').types).toEqual(['session.refused'])
    expect(Object.keys(world.model.session['session-1']?.namespaces ?? {})).toEqual(['solana', 'eip155'])
  })
})

test('session end: the next life announces a refused settlement, too', () => {
  const world = both()
  disconnect(world)
  sealAll(world)
  takeAll(world)
  world.command('connection.connectWalletConnect', { wallet: walletConnect })
  const { attemptId } = world.last('vault.makePairing').data
  world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic: 'pairing-2', publicKey })
  answered(world, 'pairing-2', 'session-2')
  message(world, 'session-2', settlement(world, { namespaces: {} }))
  world.kill('lost')
  expect(world.ordered('vault.seal')).toEqual([])
  world.pass(0)
  const told = world.ordered('vault.seal').map(({ data }) => [data.topic, data.payload])
  const error = { code: 1005, message: 'Invalid session settle request.' }
  expect(told).toEqual([['session-2', { error, id: '1798999000000001' }]])
  // The relay's time to live for the answer is over, so the wallet gets the delete of any other end
  world.wait(300_000)
  world.kill('lost')
  expect(world.last('vault.seal').data).toMatchObject({ topic: 'session-2', payload: { method: 'wc_sessionDelete' } })
  sealAll(world)
  expect(world.pass(0)).toContain('mail.forgone')
  world.kill('lost')
  world.pass(0)
  expect(world.ordered('vault.seal')).toEqual([])
  expect([world.model.parting, world.model.mail.owed]).toEqual([{}, {}])
})
