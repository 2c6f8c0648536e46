import { describe, expect, test } from 'vitest'
import { isProved, openOrder } from '../../../../src/events/subjects/order/order.ts'
import {
  account,
  caip2,
  intent,
  placed,
  preparedOf,
  signedOf,
  theOrder,
  throughGate,
  watched,
  gone,
  landedOf,
} from '../../story.ts'
import { answered, message, namespaces, open, sealAll, settled, settlement, shown, takeAll } from '../../wcStory.ts'

const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

/** An order whose wallet is being asked over WalletConnect. */
function asked(methods = ['solana_signTransaction']) {
  const world = settled(methods)
  placed(world)
  if (!methods.includes('solana_signTransaction')) throughGate(world)
  const [request] = Object.values(world.model.request)
  if (!request) throw new Error('expected a request, got none')
  return { world, request, id: request.requestId }
}

describe('a request', () => {
  test('is committed before it is published, with its chain, its account and its end', () => {
    const { world, request, id } = asked()
    expect(theOrder(world)).toMatchObject({ phase: 'awaitingSignature', ask: { askId: id, means: 'sign' } })
    expect(request).toMatchObject({ method: 'solana_signTransaction', chainId: caip2, phase: 'sent' })
    expect(world.last('vault.seal').data).toMatchObject({
      topic: 'session-1',
      payload: {
        method: 'wc_sessionRequest',
        id,
        chainId: caip2,
        expiryTimestamp: Math.floor(request.expiresAt / 1000),
        request: { method: 'solana_signTransaction', bytesRef: 'unsigned-hash-1', pubkey: account },
      },
    })
    sealAll(world)
    expect(world.last('relay.publish')).toMatchObject({
      after: 'stored',
      data: { topic: 'session-1', tag: 1108, ttl: 900, prompt: true },
    })
    takeAll(world)
    expect(world.model.request[id]?.phase).toBe('delivered')
  })

  test('is not made where its wallet approved the account on another public network alone', () => {
    const world = shown()
    answered(world)
    const approved = `${devnet}:${account}`
    message(world, 'session-1', settlement(world, { namespaces: namespaces(undefined, [approved]) }))
    sealAll(world)
    takeAll(world)
    world.answer('chain.readBalances', 'chain.balances', { account, slot: 1000, amounts: { SOL: '20000000000' } })
    world.command('order.place', intent(world))
    expect(theOrder(world)).toMatchObject({
      phase: 'gateRefused',
      failure: { code: 'unsupported', facts: { rule: 'WALLET_NETWORK' } },
    })
    expect(world.model.request).toEqual({})
  })

  test('is not made after its wallet withdrew the network while the payment was built', () => {
    const world = settled()
    world.command('order.place', intent(world))
    const elsewhere = namespaces(undefined, [`${devnet}:${account}`])
    message(world, 'session-1', { kind: 'update', id: '1798999500000001', namespaces: elsewhere })
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { facts: { rule: 'WALLET_NETWORK' } } })
    expect(world.model.request).toEqual({})
  })

  test('answered by the wallet before the relay is no longer called delivered', () => {
    const { world, id } = asked()
    sealAll(world)
    message(world, 'session-1', { kind: 'error', id, error: { code: 5000, message: 'no' } })
    const { callId } = world.last('relay.publish').data
    expect(world.input('relay.taken', { callId }).types).toEqual(['outbox.taken'])
  })

  test('answered with signed bytes leads to the gate and on to the chain', () => {
    const { world, id } = asked()
    const came = message(world, 'session-1', { kind: 'result', id, ...signedOf(world) })
    expect(came.types).toEqual(['request.answered', 'order.signed'])
    throughGate(world)
    expect(theOrder(world).phase).toBe('sending')
  })

  test('answered with a bare signature records it, and puts it into the requested bytes', () => {
    const { world, id } = asked()
    const came = message(world, 'session-1', { kind: 'result', id, signature: 'sig-1' })
    expect(came.types).toEqual(['request.answered', 'order.signed'])
    expect(world.last('chain.insertSignature').data).toMatchObject({ bytesRef: 'unsigned-hash-1', signature: 'sig-1' })
    world.answer('chain.insertSignature', 'wallet.signed', signedOf(world))
    expect(theOrder(world)).toMatchObject({ phase: 'signed', signed: { bytesRef: 'signed-hash-1' } })
    throughGate(world)
    expect(world.last('chain.submit').data.bytesRef).toBe('signed-hash-1')
  })

  test('answered with a wrong signature is refused and watched', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, signature: 'sig-1' })
    world.fail('chain.insertSignature', 'bad_response')
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'bad_response' } })
    expect(world.last('bytes.forget').data.refs).toEqual(['unsigned-hash-1'])
    gone(world)
    expect(isProved(theOrder(world))).toBe(true)
  })

  test('answered by a sending wallet is followed by its signature', () => {
    const { world, id } = asked(['solana_signAndSendTransaction'])
    message(world, 'session-1', { kind: 'result', id, signature: 'sig-1' })
    expect(theOrder(world)).toMatchObject({ phase: 'sending', signed: { signature: 'sig-1' } })
    expect(world.ordered('chain.submit')).toEqual([])
  })

  test.each([
    [{ code: 5000, message: 'User rejected.' }, 'user_rejected'],
    [{ code: 4001, message: 'User denied' }, 'user_rejected'],
    [{ code: 0, message: '' }, 'bad_response'],
    [{ code: -32000, message: 'boom' }, 'bad_response'],
  ] as const)('refused with %j ends the order as %s', (error, code) => {
    const { world, id } = asked()
    const came = message(world, 'session-1', { kind: 'error', id, error })
    expect(came.types).toEqual(['request.failed', 'order.rejected'])
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code } })
    expect(openOrder(world.model)).toBeUndefined()
  })

  test('refused with an empty error by a sending wallet leaves the order in doubt', () => {
    const { world, id } = asked(['solana_signAndSendTransaction'])
    message(world, 'session-1', { kind: 'error', id, error: { code: 0, message: '' } })
    expect(theOrder(world)).toMatchObject({ phase: 'unknown', failure: { code: 'bad_response' } })
  })

  test.each([
    [{ code: 5000, message: 'User rejected.' }, 'rejected', 'user_rejected'],
    [{ code: 4001, message: '' }, 'rejected', 'user_rejected'],
    [{ code: -32000, message: 'User rejected.' }, 'unknown', 'bad_response'],
    [{ code: 0, message: 'User rejected.' }, 'unknown', 'bad_response'],
  ] as const)('refused with %j by a sending wallet is %s', (error, phase, code) => {
    const { world, id } = asked(['solana_signAndSendTransaction'])
    message(world, 'session-1', { kind: 'error', id, error })
    expect(theOrder(world)).toMatchObject({ phase, failure: { code } })
  })

  test('with an unreadable answer has ended, and the chain decides about its order', () => {
    const { world, id } = asked()
    const error = { code: 0, message: 'a signed transaction expected the signature of its payer, it has none' }
    const came = message(world, 'session-1', { kind: 'unopened', id, error })
    expect(came.types).toEqual(['request.failed', 'order.unknown'])
    expect(world.timers().has(`watch:${theOrder(world).orderId}`)).toBe(true)
    expect(message(world, 'session-1', { kind: 'unopened', id, error }).types).toEqual([])
  })

  test('answered without a signature still counts as answered', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, acknowledged: true })
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code: 'bad_response' } })
  })

  test('ends once: later answers and refusals are late', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, ...signedOf(world) })
    expect(message(world, 'session-1', { kind: 'result', id, ...signedOf(world) }).types).toEqual(['request.late'])
    const error = { code: 5000, message: '' }
    expect(message(world, 'session-1', { kind: 'error', id, error }).types).toEqual(['request.late'])
    expect(theOrder(world).phase).toBe('signed')
  })

  test('that ended deletes the bytes of a late answer, except its order’s own', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, ...signedOf(world) })
    message(world, 'session-1', { kind: 'result', id, ...signedOf(world) })
    expect(world.ordered('bytes.forget')).toEqual([])
    message(world, 'session-1', { kind: 'result', id, ...signedOf(world), bytesRef: 'another' })
    expect(world.ordered('bytes.forget').map(({ data }) => data.refs)).toEqual([['another']])
  })

  test('is answered on its own topic and under its own id only', () => {
    const { world, id } = asked()
    expect(message(world, 'session-2', { kind: 'result', id, ...signedOf(world) }).types).toEqual([])
    expect(message(world, 'session-1', { kind: 'result', id: '1', ...signedOf(world) }).types).toEqual([])
    expect(theOrder(world).phase).toBe('awaitingSignature')
  })

  test('expires after 15 minutes, when the order has long been in doubt', () => {
    const { world, id } = asked()
    const facts = world.pass(900_000)
    expect(facts.indexOf('order.unknown')).toBeLessThan(facts.indexOf('request.failed'))
    expect(world.model.request[id]?.phase).toBe('ended')
    expect(theOrder(world).phase).toBe('unknown')
    expect(message(world, 'session-1', { kind: 'result', id, ...signedOf(world) }).types).toEqual(['request.late'])
  })

  test('declined and then sent is late, and its signature is looked for', () => {
    const { world, id } = asked(['solana_signAndSendTransaction'])
    message(world, 'session-1', { kind: 'error', id, error: { code: 5000, message: '' } })
    const came = message(world, 'session-1', { kind: 'result', id, signature: 'sig-9' })
    expect(came.types).toEqual(['request.late', 'order.signed'])
    watched(world, { status: 'confirmed', landed: [landedOf(world, { signature: 'sig-9' })] })
    expect(theOrder(world)).toMatchObject({ phase: 'confirmed', signed: { signature: 'sig-9' } })
  })

  test.each(['solana_signTransaction', 'solana_signAndSendTransaction'])(
    'that never reached the relay is dropped once its order is given up: %s',
    method => {
      const { world, id } = asked([method])
      world.input('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
      sealAll(world)
      world.pass(120_000)
      expect(theOrder(world).phase).toBe('unknown')
      gone(world)
      expect(theOrder(world).phase).toBe('expired')
      for (const cause of ['lost', 'start'] as const) {
        world.kill(cause)
        open(world)
        sealAll(world)
        expect(world.ordered('relay.publish').filter(({ data }) => data.tag === 1108)).toEqual([])
      }
      expect(world.model.outbox).toEqual({})
      expect(world.model.request[id]?.phase).toBe('sent')
    },
  )

  test('that cannot be sealed got no answer, and ends', () => {
    const { world, id } = asked()
    world.fail('vault.seal', 'expired')
    expect(world.model.request[id]?.phase).toBe('ended')
    expect(theOrder(world)).toMatchObject({ phase: 'rejected', failure: { code: 'expired' } })
  })
})

describe('a quarantined message of a wallet', () => {
  test('acknowledges the relay, and leaves its order to the chain', () => {
    const { world, id } = asked()
    const came = world.input('core.setAside', {
      input: 'relay.message',
      pushId: '9',
      topic: 'session-1',
      payloadId: id,
    })
    expect(came.types).toEqual(['request.failed', 'order.unknown', 'core.inputSetAside'])
    expect(came.effects).toContainEqual(expect.objectContaining({ type: 'relay.acknowledge', data: { pushId: '9' } }))
    expect(world.timers().has(`watch:${theOrder(world).orderId}`)).toBe(true)
    expect(
      world.input('core.setAside', { input: 'relay.message', pushId: '9', topic: 'other', payloadId: id }).types,
    ).toEqual(['core.inputSetAside'])
  })

  test('of an attempt to connect ends the attempt, so that a new code can be requested', () => {
    const world = shown()
    const data = { input: 'relay.message', pushId: '9', topic: 'pairing-1', payloadId: '1' }
    expect(world.input('core.setAside', data).types).toEqual([
      'pairing.rejected',
      'connection.failed',
      'core.inputSetAside',
    ])
    expect(world.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'bad_response' } })
  })
})

describe('after the worker’s death', () => {
  test('an unsealed request goes out once, with the same id', () => {
    const { world, id } = asked()
    world.kill('lost')
    expect(world.ordered('vault.seal').map(effect => effect.data.payload.id)).toEqual([id])
    open(world)
    sealAll(world)
    expect(world.ordered('relay.publish')).toHaveLength(1)
  })

  test('an unsealed request of a session that expired meanwhile is not sent again', () => {
    const world = shown()
    answered(world)
    message(world, 'session-1', settlement(world, { expiresAt: world.at + 300_000 }))
    sealAll(world)
    takeAll(world)
    world.answer('chain.readBalances', 'chain.balances', { account, slot: 1000, amounts: { SOL: '20000000000' } })
    placed(world)
    const [request] = Object.values(world.model.request)
    expect(request).toMatchObject({ phase: 'sent' })
    world.wait(300_000)
    world.kill('lost')
    const again = world.ordered('vault.seal').map(effect => effect.data.payload.id)
    expect(again).not.toContain(request?.requestId)
    expect(world.model.session).toEqual({})
  })

  test('a sealed request goes out with the same bytes and the same call id', () => {
    const { world } = asked()
    sealAll(world)
    const first = world.last('relay.publish').data
    world.kill('lost')
    expect(world.ordered('vault.seal')).toEqual([])
    open(world)
    expect(world.ordered('relay.publish').map(effect => effect.data)).toEqual([first])
  })

  test('a delivered request is only awaited', () => {
    const { world, id } = asked()
    sealAll(world)
    takeAll(world)
    world.kill('start')
    open(world)
    expect(world.ordered('vault.seal')).toEqual([])
    expect(world.ordered('relay.publish')).toEqual([])
    expect(world.timers().has(`request:${id}`)).toBe(true)
    message(world, 'session-1', { kind: 'result', id, signature: 'sig-1' })
    expect(theOrder(world)).toMatchObject({ phase: 'signed', signed: { signature: 'sig-1' } })
  })

  test('a stored bare signature is put into its bytes', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, signature: 'sig-1' })
    world.kill('lost')
    expect(world.last('chain.insertSignature').data).toMatchObject({ signature: 'sig-1', bytesRef: 'unsigned-hash-1' })
  })
})
