import { type AnyRequest, requestsIn } from '../../../events/anyRequest.ts'
import { describe, expect, test } from 'vitest'
import { decode } from '../../../../src/events/log/decode.ts'
import { lineOf } from '../../../../src/events/log/lineOf.ts'
import type { RowRecord } from '../../../../src/runtime/log/record.ts'
import { modelOf, snapshots } from '../../../../src/events/checkpoint/snapshot.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { account, caip2, placed, ready } from '../../story.ts'
import { answered, message, namespaces, open, sealAll, settled, settlement, shown, takeAll } from '../../wcStory.ts'
import type { World } from '../../world.ts'

const ether = 'eip155:1'
const holder = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
const params = '["0x68656c6c6f","0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb"]'
const ask: InputData<'request.send'> = { sessionTopic: 'session-1', chainId: ether, method: 'personal_sign', params }

/** A session that may sign on Solana and on Ethereum. */
function both(expiresIn = 604_800_000): World {
  const asked = {
    chains: [ether],
    methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
    events: ['accountsChanged'],
  }
  const solana = { chains: [caip2], methods: ['solana_signTransaction'], events: ['accountsChanged'] }
  const world = shown(ready(), 'pairing-1', { required: {}, optional: { eip155: asked, solana } })
  answered(world)
  const { methods, events } = asked
  const eip155 = { accounts: [`${ether}:${holder}`], methods, events }
  const expiresAt = world.at + expiresIn
  message(world, 'session-1', settlement(world, { namespaces: { ...namespaces(), eip155 }, expiresAt }))
  sealAll(world)
  takeAll(world)
  return world
}

type Wrong = [changes: Partial<InputData<'request.send'>>, code: number, text: string]

const requests = (world: World): AnyRequest[] => requestsIn(world.model)
/** The request that the newest command made. */
const newest = (world: World) => requests(world).at(-1) as AnyRequest
const refused = (world: World, changes: Partial<InputData<'request.send'>>) => {
  const came = world.command('request.send', { ...ask, ...changes })
  const { end } = newest(world)
  return { types: came.types, error: end?.how === 'refused' ? end.error : undefined }
}
const unsealed = (world: World) => world.ordered('vault.seal').filter(effect => !effect.answered)

describe('a page’s request', () => {
  test('is published with its tag, its time to live and a push for the wallet', () => {
    const world = both()
    const came = world.command('request.send', ask)
    expect(came.types).toEqual(['request.sent'])
    expect(came.facts[0]?.ref).toBeDefined()
    const { requestId, purpose, expiresAt } = newest(world)
    expect(purpose).toBe(`page:${came.facts[0]?.ref}`)
    expect(requestId).toMatch(/^\d{16}$/)
    expect(expiresAt).toBe(world.at + 900_000)
    expect(world.last('vault.seal').data).toMatchObject({
      topic: 'session-1',
      payload: {
        method: 'wc_sessionRequest',
        id: requestId,
        chainId: ether,
        expiryTimestamp: Math.floor(expiresAt / 1000),
        request: { method: 'personal_sign', params },
      },
    })
    sealAll(world)
    expect(world.last('relay.publish').data).toMatchObject({ tag: 1108, ttl: 900, prompt: true })
    takeAll(world)
    expect(newest(world).phase).toBe('delivered')
  })

  test('waits for a strict commit where it may move money, and for none where it cannot', () => {
    const world = both()
    const published = (changes: Partial<InputData<'request.send'>>) => {
      world.command('request.send', { ...ask, ...changes })
      world.pass(1500)
      sealAll(world)
      expect(newest(world).end).toBeUndefined()
      return world.last('relay.publish').after
    }
    expect(published({ method: 'eth_sendTransaction' })).toBe('stored')
    expect(published({ method: 'eth_signTypedData_v4' })).toBe('stored')
    expect(published({ method: 'personal_sign' })).toBeUndefined()
  })

  test('lives as long as its expiry says, on the relay too', () => {
    const world = both()
    world.command('request.send', { ...ask, expirySeconds: 604_800 })
    sealAll(world)
    expect(world.last('relay.publish').data.ttl).toBe(604_800)
    expect(newest(world).expiresAt).toBe(world.at + 604_800_000)
    expect(world.timers().get(`request:${newest(world).requestId}`)?.at).toBe(world.at + 604_800_000)
  })

  const outOfBounds = (n: number): Wrong => [
    { expirySeconds: n },
    5,
    `Missing or invalid. request() expiry: ${n}. Expiry must be a number (in seconds) between 300 and 604800`,
  ]
  test.each<Wrong>([
    [{ sessionTopic: '' }, 5, 'Missing or invalid. session topic should be a string: '],
    [{ sessionTopic: 'ab'.repeat(32) }, 2, `No matching key. session topic doesn't exist: ${'ab'.repeat(32)}`],
    [{ chainId: 'eip155' }, 5, 'Missing or invalid. request() chainId: eip155'],
    [{ chainId: 'eip155:5' }, 5, 'Missing or invalid. request() chainId: eip155:5'],
    [{ method: '' }, 5, 'Missing or invalid. request() {"method":""}'],
    [{ method: 'eth_sign' }, 5, 'Missing or invalid. request() method: eth_sign'],
    [{ chainId: caip2 }, 5, 'Missing or invalid. request() method: personal_sign'],
    ...[299, 604_801, 0, -1].map(outOfBounds),
  ])('with %j is refused with code %i, and reaches no wallet', (changes, code, text) => {
    const world = both()
    expect(refused(world, changes)).toEqual({ types: ['request.refused'], error: { code, message: text } })
    expect(unsealed(world)).toEqual([])
  })

  test.each([300, 604_800])('may live %i s', expirySeconds => {
    const world = both()
    expect(world.command('request.send', { ...ask, expirySeconds }).types).toEqual(['request.sent'])
  })

  test('is matched by its whole method name, however long, and refused by a part of it', () => {
    const method = `eth_${'x'.repeat(400)}`
    const asked = { chains: [ether], methods: [method], events: [] }
    const world = shown(ready(), 'pairing-1', { required: {}, optional: { eip155: asked } })
    answered(world)
    const eip155 = { accounts: [`${ether}:${holder}`], methods: [method], events: [] }
    message(world, 'session-1', settlement(world, { namespaces: { eip155 } }))
    world.command('request.send', { ...ask, method })
    expect(world.last('vault.seal').data.payload).toMatchObject({ request: { method } })
    expect(refused(world, { method: `${method}y` }).error?.message).toBe(
      `Missing or invalid. request() method: ${method.slice(0, 200)}`,
    )
  })

  test('is checked in the official order: topic, chain, method, expiry', () => {
    const world = both()
    const wrong = { sessionTopic: 'cd'.repeat(32), chainId: 'x', method: 'y', expirySeconds: 1 }
    expect(refused(world, wrong).error?.message).toMatch(/^No matching key/)
    const { sessionTopic: _, ...rest } = wrong
    expect(refused(world, rest).error?.message).toMatch(/chainId: x$/)
    expect(refused(world, { method: 'y', expirySeconds: 1 }).error?.message).toMatch(/method: y$/)
    expect(refused(world, { expirySeconds: 1 }).error?.message).toMatch(/expiry: 1\./)
  })

  describe('to a session whose wallet names chains as keys', () => {
    const polygon = 'eip155:137'
    function keyed(): World {
      const asked = (methods: string[]) => ({ methods, events: [] })
      const given = (chain: string, methods: string[]) => ({ accounts: [`${chain}:${holder}`], methods, events: [] })
      const world = shown(ready(), 'pairing-1', {
        required: {},
        optional: { [ether]: asked(['personal_sign', 'eth_sign']), [polygon]: asked(['eth_sendTransaction']) },
      })
      answered(world)
      const keys = { [ether]: given(ether, ['personal_sign']), [polygon]: given(polygon, ['eth_sendTransaction']) }
      message(world, 'session-1', settlement(world, { namespaces: keys }))
      return world
    }

    test.each([
      [ether, 'personal_sign', true],
      [polygon, 'eth_sendTransaction', true],
      [polygon, 'personal_sign', false],
      [ether, 'eth_sendTransaction', false],
      [ether, 'eth_sign', false],
      ['eip155:10', 'personal_sign', false],
      ['eip155', 'personal_sign', false],
    ])('may on %s be %s: %s', (chainId, method, isAllowed) => {
      const { types } = refused(keyed(), { chainId, method })
      expect(types).toEqual([isAllowed ? 'request.sent' : 'request.refused'])
    })
  })

  test('without names is refused, and survives a checkpoint', () => {
    const world = both()
    expect(refused(world, { sessionTopic: '' }).error?.code).toBe(5)
    expect(refused(world, { chainId: '', method: '' }).error?.code).toBe(5)
    const read = snapshots.snapshot(world.model).map(fact => decode(lineOf(fact)) as RowRecord)
    expect(modelOf(read).request).toEqual(world.model.request)
  })

  test('to a lately deleted session is refused with that', () => {
    const world = both()
    message(world, 'session-1', { kind: 'delete', id: '7' })
    const text = 'Missing or invalid. Record was recently deleted - session: session-1'
    expect(refused(world, {}).error).toEqual({ code: 5, message: text })
    world.kill('start')
    expect(refused(world, {}).error?.message).toBe(text)
  })

  test('to an expired session ends the session', () => {
    const world = both(60_000)
    world.wait(60_000)
    const { types, error } = refused(world, {})
    expect(types).toEqual(['session.deleted', 'connection.ended', 'request.refused'])
    expect(error).toEqual({ code: 6, message: 'Expired. session topic: session-1' })
    expect(refused(world, {}).error?.message).toMatch(/recently deleted/)
  })

  test('to a session without a key has ended, in the official words', () => {
    const world = both()
    world.command('request.send', ask)
    world.fail('vault.seal', 'expired')
    expect(newest(world).end).toMatchObject({
      how: 'failed',
      failure: {
        facts: { code: 5 },
        message: 'Missing or invalid. session topic does not exist in keychain: session-1',
      },
    })
  })

  test('with unsendable params has ended, with the reason', () => {
    const world = both()
    world.command('request.send', ask)
    world.fail('vault.seal', 'bad_input')
    expect(newest(world).end).toMatchObject({ how: 'failed', failure: { code: 'bad_input' } })
  })
})

describe('the end of a page’s request', () => {
  const asked = () => {
    const world = both()
    world.command('request.send', ask)
    sealAll(world)
    takeAll(world)
    return { world, id: newest(world).requestId }
  }

  test.each(['"0x5a"', 'null', '{"id":"0x1","capabilities":{}}', '[1,2]', 'true'])(
    'is the result %s, unchanged',
    answer => {
      const { world, id } = asked()
      expect(message(world, 'session-1', { kind: 'result', id, answer }).types).toEqual(['request.answered'])
      expect(newest(world)).toMatchObject({ phase: 'ended', end: { how: 'answered', result: answer } })
      expect(newest(world).params).toBeUndefined()
    },
  )

  test.each([
    ['the very same long result again', { answerRef: 'ref-1' }],
    ['what is too long to be kept', {}],
  ])('is a long result whose bytes stay when %s comes late', (_what, late) => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'error', id, error: { code: 1, message: '' }, answer: '{}' })
    message(world, 'session-1', { kind: 'result', id, answerRef: 'ref-1' })
    message(world, 'session-1', { kind: 'result', id, ...late })
    expect(newest(world).late).toEqual({ resultRef: 'ref-1' })
    expect(world.ordered('bytes.forget')).toEqual([])
    message(world, 'session-1', { kind: 'result', id, answerRef: 'ref-2' })
    expect(newest(world).late).toEqual({ resultRef: 'ref-2' })
    expect(world.ordered('bytes.forget').map(effect => effect.data.refs)).toEqual([['ref-1']])
  })

  test('is a long result whose bytes stay as long as any request has them as its answer', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, answerRef: 'ref-1' })
    message(world, 'session-1', { kind: 'result', id, answerRef: 'ref-1' })
    message(world, 'session-1', { kind: 'result', id, answer: '1' })
    expect(newest(world)).toMatchObject({ end: { resultRef: 'ref-1' }, late: { result: '1' } })
    expect(world.ordered('bytes.forget')).toEqual([])
  })

  test('is a long result by its ref, whose bytes are deleted with the request', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, answerRef: 'ref-1' })
    expect(newest(world).end).toEqual({ how: 'answered', resultRef: 'ref-1' })
    for (let count = 0; count < 52; count += 1) refused(world, { method: 'no' })
    expect(world.ordered('bytes.forget').map(effect => effect.data.refs)).toEqual([['ref-1']])
    expect(world.model.request[id]).toBeUndefined()
  })

  test.each([
    [{ code: 5000, message: 'User rejected.' }, 'user_rejected', 5000],
    [{ code: 4001, message: '' }, 'user_rejected', 4001],
    [{ code: 0, message: '' }, 'bad_response', 0],
    [{ code: 0, message: 'User rejected.' }, 'user_rejected', 0],
    [{ code: -32_000, message: '' }, 'bad_response', -32_000],
  ] as const)('is the error %j in our words, beside the wallet’s own', (error, code, number) => {
    const { world, id } = asked()
    const answer = JSON.stringify({ ...error, data: 'its own' })
    expect(message(world, 'session-1', { kind: 'error', id, error, answer }).types).toEqual(['request.failed'])
    expect(newest(world).end).toMatchObject({
      how: 'failed',
      failure: { code, facts: { code: number } },
      error: answer,
    })
  })

  test('is an answer with both, neither or no version, which is malformed', () => {
    const { world, id } = asked()
    const error = { code: 0, message: 'wc payload expected a method, a result or an error' }
    expect(message(world, 'session-1', { kind: 'unopened', id, error }).types).toEqual(['request.failed'])
    expect(newest(world).end).toMatchObject({ failure: { code: 'bad_response' } })
  })

  test('is a signature by another key, refused with a sentence', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, otherSigner: true })
    expect(newest(world).end).toMatchObject({
      how: 'failed',
      failure: { code: 'account_changed', message: 'the wallet signed with another account than was asked for' },
    })
  })

  test('comes once: a second answer and one after a refusal are late, and stored as that', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'error', id, error: { code: 5000, message: '' }, answer: '{"code":5000}' })
    const came = message(world, 'session-1', { kind: 'result', id, answer: '"0x5a"' })
    expect(came.types).toEqual(['request.late'])
    expect(newest(world)).toMatchObject({ end: { how: 'failed' }, late: { result: '"0x5a"' } })
    message(world, 'session-1', { kind: 'error', id, error: { code: 1, message: '' }, answer: '{"code":1}' })
    expect(newest(world).late).toEqual({ error: '{"code":1}' })
  })

  test('a relay’s copy of the same answer changes nothing', () => {
    const { world, id } = asked()
    message(world, 'session-1', { kind: 'result', id, answer: '1' }, 'same')
    expect(message(world, 'session-1', { kind: 'result', id, answer: '1' }, 'same').types).toEqual([])
  })

  test('comes at its expiry, and an answer after that is late with its result', () => {
    const { world, id } = asked()
    expect(world.pass(900_000).filter(type => type.startsWith('request.'))).toEqual(['request.failed'])
    const failure = { code: 'expired', message: 'Request expired. Please try again.', facts: { code: 6 } }
    expect(newest(world).end).toEqual({ how: 'failed', failure })
    expect(message(world, 'session-1', { kind: 'result', id, answer: '"0x5a"' }).types).toEqual(['request.late'])
    expect(newest(world).late).toEqual({ result: '"0x5a"' })
  })

  test('comes when the wallet ends the session, with 6000', () => {
    const { world } = asked()
    world.command('request.send', { ...ask, method: 'eth_sendTransaction' })
    message(world, 'session-1', { kind: 'delete', id: '7' })
    const failure = { code: 'wallet_gone', message: 'User disconnected.', facts: { code: 6000 } }
    expect(requests(world).map(request => request.end)).toEqual([
      { how: 'failed', failure },
      { how: 'failed', failure },
    ])
  })

  test('is not caused by another session’s wallet', () => {
    const { world, id } = asked()
    expect(message(world, 'session-2', { kind: 'result', id, answer: '1' }).types).toEqual([])
    expect(newest(world).phase).toBe('delivered')
  })

  test('comes by the answer after a reload, though the requesting page is gone', () => {
    const { world, id } = asked()
    world.kill('start')
    open(world)
    expect(unsealed(world)).toEqual([])
    expect(message(world, 'session-1', { kind: 'result', id, answer: '"0x5a"' }).types).toEqual(['request.answered'])
    expect(newest(world).end).toEqual({ how: 'answered', result: '"0x5a"' })
  })
})

describe('after the worker’s death', () => {
  test('an unsealed request goes out once, with the same id, params and end', () => {
    const world = both()
    world.command('request.send', { ...ask, expirySeconds: 1000 })
    const { requestId, expiresAt } = newest(world)
    world.wait(5000)
    world.kill('lost')
    const [again, ...more] = world.ordered('vault.seal')
    expect(more).toEqual([])
    expect(again?.data.payload).toMatchObject({
      id: requestId,
      expiryTimestamp: Math.floor(expiresAt / 1000),
      request: { method: 'personal_sign', params },
    })
  })

  test('a queued request goes out in its turn', () => {
    const world = both()
    world.command('request.send', ask)
    world.command('request.send', ask)
    sealAll(world)
    world.kill('lost')
    expect(unsealed(world)).toHaveLength(0)
    expect(world.fire(`ask:${newest(world).requestId}`).types).toEqual([])
    expect(unsealed(world)).toHaveLength(1)
  })

  test('a queued request with a clock set back goes out at once', () => {
    const world = both()
    world.command('request.send', ask)
    world.command('request.send', ask)
    sealAll(world)
    world.jump(-3_600_000)
    world.kill('lost')
    expect(unsealed(world).map(({ data }) => data.payload.id)).toEqual([newest(world).requestId])
  })
})

describe('a request that ends before the relay has it', () => {
  /** The relay is gone; a request is sealed and waits for it. */
  function waiting(changes: Partial<InputData<'request.send'>> = {}): World {
    const world = both()
    world.input('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
    world.command('request.send', { ...ask, ...changes })
    sealAll(world)
    expect(Object.keys(world.model.outbox)).toHaveLength(1)
    return world
  }
  const published = (world: World) => world.ordered('relay.publish').filter(({ data }) => data.tag === 1108)
  const back = (world: World) => {
    world.fire('relay:retry')
    open(world)
  }

  test('is never published after the person left its namespace', () => {
    const world = waiting()
    world.command('session.disconnect', { sessionTopic: 'session-1', namespace: 'eip155' })
    expect(newest(world).end).toMatchObject({ how: 'failed' })
    back(world)
    expect(published(world)).toEqual([])
    expect(world.model.outbox).toEqual({})
  })

  test('is never published after its expiry, though it was sealed late', () => {
    const world = both()
    for (let count = 0; count < 3; count += 1) world.command('request.send', { ...ask, expirySeconds: 300 })
    world.pass(2000)
    world.input('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
    sealAll(world)
    const early = requests(world).map(({ expiresAt }) => expiresAt)
    world.wait(Math.max(...early) - world.at)
    back(world)
    expect(published(world)).toEqual([])
    expect(world.model.outbox).toEqual({})
  })

  test('is not even sealed when it expired between lives', () => {
    const world = both()
    world.command('request.send', { ...ask, method: 'eth_sendTransaction' })
    world.wait(900_000)
    world.kill('start')
    expect(unsealed(world)).toEqual([])
    world.pass(0)
    expect(newest(world).end).toMatchObject({ failure: { code: 'expired' } })
  })

  test('leaves the outbox empty when it ends during its sealing', () => {
    const world = both()
    world.command('request.send', ask)
    const { callId } = world.last('vault.seal').data
    world.command('session.disconnect', { sessionTopic: 'session-1', namespace: 'eip155' })
    sealAll(world)
    expect([world.model.outbox, published(world)]).toEqual([{}, []])
    expect(world.last('vault.forget').data.refs).toEqual([`sealed-${callId}`])
  })
})

describe('several requests', () => {
  test('of one session go out a second apart while the wallet has others', () => {
    const world = both()
    const began = world.at
    for (let count = 0; count < 3; count += 1) world.command('request.send', ask)
    expect(unsealed(world)).toHaveLength(1)
    const [, second, third] = requests(world)
    expect([second?.askAt, third?.askAt]).toEqual([began + 1000, began + 2000])
    world.pass(1000)
    expect(unsealed(world)).toHaveLength(2)
    world.pass(1000)
    expect(unsealed(world)).toHaveLength(3)
  })

  test('do not wait when they come one after the other', () => {
    const world = both()
    for (let count = 0; count < 3; count += 1) {
      world.command('request.send', ask)
      expect(unsealed(world)).toHaveLength(1)
      sealAll(world)
      message(world, 'session-1', { kind: 'result', id: newest(world).requestId, answer: '1' })
    }
  })

  test('that ended before their turn are never sent', () => {
    const world = both()
    world.command('request.send', ask)
    world.command('request.send', ask)
    message(world, 'session-1', { kind: 'delete', id: '7' })
    world.pass(2000)
    const asked = unsealed(world).filter(
      ({ data }) => 'method' in data.payload && data.payload.method === 'wc_sessionRequest',
    )
    expect(asked).toHaveLength(1)
  })

  test('of a page leave an order’s own request to the order alone', () => {
    const world = settled()
    placed(world)
    const order = newest(world)
    world.command('request.send', { ...ask, chainId: caip2, method: 'solana_signTransaction', params: '{}' })
    expect(newest(world).askAt).toBe(order.sentAt + 1000)
    const page = newest(world).requestId
    message(world, 'session-1', { kind: 'result', id: page, answer: `{"signature":"${account}"}` })
    expect(world.model.request[order.requestId]?.phase).toBe('sent')
    expect(Object.values(world.model.order)[0]?.phase).toBe('awaitingSignature')
  })

  test('of a page never repeat an order’s request, through deaths and delays', () => {
    const world = settled()
    placed(world)
    const { requestId } = newest(world)
    const asked = () =>
      world.ordered('vault.seal').filter(({ data: { payload } }) => 'method' in payload && payload.id === requestId)
        .length
    expect(asked()).toBe(1)
    sealAll(world)
    takeAll(world)
    const page = { ...ask, chainId: caip2, method: 'solana_signTransaction', params: '{}' }
    for (const cause of ['lost', 'start'] as const) {
      world.command('request.send', page)
      world.kill(cause)
      open(world)
      sealAll(world)
      takeAll(world)
      expect(asked()).toBe(0)
    }
    world.pass(900_000)
    expect(asked()).toBe(0)
    expect(world.model.request[requestId]).toMatchObject({ phase: 'ended', end: { failure: { code: 'wallet_gone' } } })
    expect(Object.values(world.model.order)[0]).toMatchObject({ phase: 'unknown' })
  })
})
