import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { subscriptionId } from '../stack/relay/mailbox.ts'
import { connectRaw, type RawClient, relayToken, seedOf } from '../stack/relay/rawClient.ts'
import { type RelayStack, startRelay } from '../stack/relay/relay.ts'

const topic = 'ab'.repeat(32)
const session = 'cd'.repeat(32)

let relay: RelayStack
let clockMs: number
const open: RawClient[] = []

beforeEach(async () => {
  clockMs = Date.now()
  relay = await startRelay({ now: () => clockMs })
})
afterEach(async () => {
  for (const client of open.splice(0)) client.close()
  await relay.close()
})

async function connect(who: string, more: { token?: string; query?: string } = {}): Promise<RawClient> {
  const client = await connectRaw({ url: relay.url, who, ...more })
  open.push(client)
  return client
}

const publish = (client: RawClient, message: string, ttl = 300) =>
  client.call('irn_publish', { topic, message, ttl, tag: 1108, prompt: true })

describe('admission of a socket', () => {
  const tokenWith = (claims: Parameters<typeof relayToken>[0]['claims']) =>
    relayToken({ seed: seedOf('dapp'), aud: relay.url, nowMs: clockMs, ...(claims ? { claims } : {}) })

  test('a token for this relay opens a socket, with any query in its audience', async () => {
    await connect('dapp', { token: tokenWith({ aud: `${relay.url}/?label=dapp` }) })
    expect(relay.state().sockets).toBe(1)
  })
  test.each([
    ['an expired token', () => tokenWith({ exp: Math.floor(clockMs / 1000) - 1 })],
    ['a token from tomorrow', () => tokenWith({ iat: Math.floor(clockMs / 1000) + 86_400 })],
    ['a token for another relay', () => tokenWith({ aud: 'wss://relay.example' })],
    ['a token signed by another key', () => tokenWith({ iss: relayDid('wallet') })],
    ['no token', () => ''],
  ])('%s gets HTTP 401, or close code 3000 if it requested close codes', async (_what, token) => {
    await expect(connect('dapp', { token: token() })).rejects.toThrow('HTTP 401')
    const client = await connect('dapp', { token: token(), query: '&useOnCloseEvent=true' })
    expect(await client.closed).toBe(3000)
    expect(relay.state()).toMatchObject({ sockets: 0, refused: 2, lastRefusal: expect.stringContaining('relay auth:') })
  })
  test('a switch refuses a valid token with a status, or with a close code and a reason', async () => {
    for (const status of ['401', '403'] as const) {
      relay.control({ refuseAuth: status })
      await expect(connect('dapp')).rejects.toThrow(`HTTP ${status}`)
    }
    for (const code of ['1008', '1013', '3000', '4010'] as const) {
      relay.control({ refuseAuth: code })
      expect(await (await connect('dapp')).closed).toBe(Number(code))
    }
  })
  test('a plain request with the same token gets the same status, unless a switch hides it', async () => {
    const plain = () => fetch(`${relay.httpUrl}/?auth=${tokenWith(undefined)}`).then(({ status }) => status)
    expect(await plain()).toBe(404)
    relay.control({ refuseAuth: '403' })
    expect(await plain()).toBe(403)
    relay.control({ tellsStatus: false })
    expect(await plain()).toBe(404)
  })
})

describe('messages', () => {
  test('a message reaches the subscribers, never its sender', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    expect(await dapp.call('irn_subscribe', { topic })).toBe(subscriptionId(topic, dapp.clientId))
    await wallet.call('irn_batchSubscribe', { topics: [topic] })
    await publish(dapp, 'one')
    await publish(wallet, 'two')
    expect(await wallet.push()).toMatchObject({
      message: 'one',
      tag: 1108,
      topic,
      id: subscriptionId(topic, wallet.clientId),
    })
    expect(await dapp.push()).toMatchObject({ message: 'two' })
    expect(relay.state()).toMatchObject({ tags: { 1108: 2 }, methods: { irn_publish: 2 }, pushes: 2 })
  })
  test('a push id has 19 digits that a number loses; the digits and the "…n" text both acknowledge it', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    for (const form of [(id: string) => id, (id: string) => `"${id}n"`]) {
      await publish(dapp, `for ${form('x')}`)
      const { idText } = await wallet.push()
      expect(idText).toMatch(/^\d{19}$/)
      expect(String(Number(idText))).not.toBe(idText)
      wallet.ack(form(idText))
    }
    await wallet.call('irn_subscribe', { topic: session })
    expect(relay.state().acks).toBe(2)
  })
  test('unacknowledged messages are pushed again on the next socket, acknowledged ones are not', async () => {
    const dapp = await connect('dapp')
    const first = await connect('wallet')
    await first.call('irn_subscribe', { topic })
    await publish(dapp, 'seen')
    await publish(dapp, 'lost')
    first.ack((await first.push()).idText)
    await first.push()
    await first.call('irn_subscribe', { topic: session })
    relay.control({ dropSockets: true })
    expect(await first.closed).toBe(1006)
    const second = await connect('wallet')
    await second.call('irn_batchSubscribe', { topics: [topic] })
    expect(await second.push()).toMatchObject({ message: 'lost' })
    expect(relay.state().pushes).toBe(3)
  })
  test('a message waits for its reader until its time to live ends', async () => {
    const dapp = await connect('dapp')
    await publish(dapp, 'short', 60)
    await publish(dapp, 'long', 600)
    clockMs += 61_000
    const wallet = await connect('wallet')
    await wallet.call('irn_subscribe', { topic })
    expect(await wallet.push()).toMatchObject({ message: 'long' })
    expect(relay.state().topics[topic]).toEqual({ subscribers: 1, messages: 1 })
  })
  test('fetched messages are given once', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await publish(dapp, 'one')
    const found = { topic, message: 'one', publishedAt: clockMs, tag: 1108 }
    expect(await wallet.call('irn_fetchMessages', { topic })).toEqual({ messages: [found], hasMore: false })
    expect(await wallet.call('irn_batchFetchMessages', { topics: [topic] })).toEqual({ messages: [], hasMore: false })
  })
  test('after an unsubscription no message arrives', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    const id = await wallet.call('irn_subscribe', { topic })
    await wallet.call('irn_unsubscribe', { topic, id })
    await publish(dapp, 'one')
    expect(relay.state().pushes).toBe(0)
  })
})

describe('proposing and approving in one call', () => {
  test('a proposal, its answer and the settlement reach the other side with their tags', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await dapp.call('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'P', ttl: 300, correlationId: 1 })
    await wallet.call('irn_subscribe', { topic })
    expect(await wallet.push()).toMatchObject({ message: 'P', tag: 1100 })
    const approval = {
      pairingTopic: topic,
      sessionTopic: session,
      sessionProposalResponse: 'A',
      sessionSettlementRequest: 'S',
    }
    await wallet.call('wc_approveSession', { ...approval, ttl: 300, correlationId: 1 })
    expect(await dapp.push()).toMatchObject({ message: 'A', tag: 1101, topic })
    await dapp.call('irn_subscribe', { topic: session })
    expect(await dapp.push()).toMatchObject({ message: 'S', tag: 1102, topic: session })
    expect(relay.state().tags).toEqual({ 1100: 1, 1101: 1, 1102: 1 })
  })
  test('a switch makes both unknown methods', async () => {
    relay.control({ refuseComposite: true })
    const dapp = await connect('dapp')
    await expect(dapp.call('wc_proposeSession', { pairingTopic: topic, sessionProposal: 'P' })).rejects.toMatchObject({
      code: -32601,
    })
  })
})

describe('misuse and misbehaviour', () => {
  test.each([
    ['irn_publish', { topic: 'AB', message: 'x' }, -32602],
    ['irn_publish', { topic, message: 'x', ttl: 0 }, -32602],
    ['irn_batchSubscribe', { topics: Array(501).fill(topic) }, -32602],
    ['irn_unsubscribe', { topic, id: 'someone else' }, -32602],
    ['irn_subscribe', null, -32602],
    ['constructor', {}, -32601],
  ])('%s with %j is refused with %i', async (method, params, code) => {
    const dapp = await connect('dapp')
    await expect(dapp.call(method, params)).rejects.toMatchObject({ code })
  })
  test('text that is no frame ends neither the relay nor the socket', async () => {
    const dapp = await connect('dapp')
    for (const frame of ['', '{', 'null', '[]', '{"id":{"id":7},"method":5}', Buffer.from([0, 255])]) dapp.say(frame)
    expect(await dapp.call('irn_subscribe', { topic })).toBeTypeOf('string')
  })
  test('duplicate sends each push twice with one id; reorder swaps two', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    relay.control({ duplicate: true })
    await publish(dapp, 'one')
    const [once, again] = [await wallet.push(), await wallet.push()]
    expect(again.frame).toBe(once.frame)
    relay.control({ duplicate: false, reorder: true })
    await publish(dapp, 'two')
    await publish(dapp, 'three')
    expect([(await wallet.push()).message, (await wallet.push()).message]).toEqual(['three', 'two'])
  })
  test('a lost answer leaves the message published; a failed publish does not', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    relay.control({ failPublishes: 1 })
    await expect(publish(dapp, 'never')).rejects.toMatchObject({ code: -32000 })
    relay.control({ loseAnswers: 1 })
    void publish(dapp, 'unanswered')
    expect(await wallet.push()).toMatchObject({ message: 'unanswered' })
  })
  test('while it is silent a request stays unanswered for good; afterwards the socket works again', async () => {
    const dapp = await connect('dapp')
    relay.control({ silent: true })
    const unanswered = dapp.call('irn_subscribe', { topic })
    const wallet = await connect('wallet')
    wallet.close()
    await wallet.closed
    relay.control({ silent: false })
    const answered = dapp.call('irn_subscribe', { topic: session })
    expect(await Promise.race([unanswered, answered])).toBe(subscriptionId(session, dapp.clientId))
  })
  test('methods can be unknown one by one, and a plain proposal by its tag alone', async () => {
    const dapp = await connect('dapp')
    relay.control({ unknownMethods: ['irn_batchSubscribe', 'irn_fetchMessages'], refusePlainProposal: true })
    await expect(dapp.call('irn_batchSubscribe', { topics: [topic] })).rejects.toMatchObject({ code: -32601 })
    await expect(dapp.call('irn_fetchMessages', { topic })).rejects.toMatchObject({ code: -32601 })
    expect(await dapp.call('irn_subscribe', { topic })).toBeTypeOf('string')
    const proposal = { topic, message: 'P', ttl: 300, tag: 1100 }
    await expect(dapp.call('irn_publish', proposal)).rejects.toMatchObject({ code: -32601 })
    expect(await publish(dapp, 'other')).toBe(true)
  })
  test('a set number of calls gets errors or is lost', async () => {
    const dapp = await connect('dapp')
    relay.control({ failCalls: 1 })
    await expect(dapp.call('irn_subscribe', { topic })).rejects.toMatchObject({ code: -32000 })
    relay.control({ loseCalls: 1 })
    const lost = dapp.call('irn_subscribe', { topic })
    const heard = dapp.call('irn_subscribe', { topic: session })
    expect(await Promise.race([lost, heard])).toBe(subscriptionId(session, dapp.clientId))
    expect(relay.state().methods).toEqual({ irn_subscribe: 2 })
  })
  test('a lost push is repeated after the next subscription', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    relay.control({ losePushes: 1 })
    await publish(dapp, 'one')
    expect(relay.state().pushes).toBe(0)
    await wallet.call('irn_subscribe', { topic })
    expect(await wallet.push()).toMatchObject({ message: 'one' })
  })
  test('a mute relay carries calls out without answering', async () => {
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    relay.control({ mute: true })
    void publish(dapp, 'one')
    expect(await wallet.push()).toMatchObject({ message: 'one' })
  })
  test.each([
    ['long', /^\d{19}$/],
    ['short', /^\d{15}$/],
    ['text', /^"push-\d+"$/],
  ] as const)('ids of pushes can be %s, and each is acknowledged by its literal', async (pushIds, form) => {
    relay.control({ pushIds })
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    await wallet.call('irn_subscribe', { topic })
    await publish(dapp, 'one')
    const { idText } = await wallet.push()
    expect(idText).toMatch(form)
    wallet.ack(idText)
    await wallet.call('irn_subscribe', { topic: session })
    expect(relay.state().acks).toBe(1)
  })
  test('an answer to a fetch holds one page, and tells that there is more', async () => {
    relay.control({ fetchPage: 2, batchLimit: 3 })
    const [dapp, wallet] = [await connect('dapp'), await connect('wallet')]
    for (const message of ['one', 'two', 'three']) await publish(dapp, message)
    const fetch = () => wallet.call('irn_batchFetchMessages', { topics: [topic] })
    expect(await fetch()).toMatchObject({ messages: [{ message: 'one' }, { message: 'two' }], hasMore: true })
    expect(await fetch()).toMatchObject({ messages: [{ message: 'three' }], hasMore: false })
    await expect(
      dapp.call('irn_batchSubscribe', { topics: [1, 2, 3, 4].map(n => `${n}`.repeat(64)) }),
    ).rejects.toMatchObject({ code: -32602 })
  })
  test('relays of one network carry messages between their addresses, and misbehave apart', async () => {
    const beside = await startRelay({ now: () => clockMs, network: relay.network })
    const wallet = await connectRaw({ url: beside.url, who: 'wallet' })
    open.push(wallet)
    await wallet.call('irn_subscribe', { topic })
    relay.control({ refuseAuth: '1013' })
    beside.control({ dropSockets: false })
    const dapp = await connectRaw({ url: beside.url, who: 'dapp' })
    open.push(dapp)
    await publish(dapp, 'one')
    expect(await wallet.push()).toMatchObject({ message: 'one' })
    expect(await (await connect('dapp')).closed).toBe(1013)
    expect([relay.state().sockets, beside.state().sockets]).toEqual([0, 2])
    await beside.close()
  })
  test('a program can read every frame of a client as it was on the wire', async () => {
    const frames: string[] = []
    const seen = await startRelay({ onFrame: frame => frames.push(frame) })
    const dapp = await connectRaw({ url: seen.url, who: 'dapp' })
    await dapp.call('irn_subscribe', { topic })
    expect(frames).toEqual([expect.stringContaining(`"method":"irn_subscribe","params":{"topic":"${topic}"}`)])
    dapp.close()
    await seen.close()
  })
  test.each([
    [{ refuseAuth: 'no' }],
    [{ pushIds: 'huge' }],
    [{ unknownMethods: 'irn_publish' }],
    [{ fetchPage: -1 }],
    [{ fast: true }],
  ])('an unknown switch is refused with a sentence: %j', async body => {
    const posted = await fetch(`${relay.httpUrl}/control`, { method: 'POST', body: JSON.stringify(body) })
    expect(posted.status).toBe(400)
    expect(await posted.json()).toMatchObject({ error: expect.stringContaining(Object.keys(body)[0] ?? '') })
  })
  test('garbage reaches a socket and leaves it open', async () => {
    const dapp = await connect('dapp')
    await dapp.call('irn_subscribe', { topic })
    relay.control({ garbage: 'envelope' })
    expect(await dapp.push()).toMatchObject({ topic, message: 'AAAA' })
    expect(await dapp.call('irn_subscribe', { topic: session })).toBeTypeOf('string')
  })
  test('while it is down sockets are cut and none opens, and the control endpoint still answers', async () => {
    const dapp = await connect('dapp')
    const post = (body: unknown) => fetch(`${relay.httpUrl}/control`, { method: 'POST', body: JSON.stringify(body) })
    expect((await post({ down: true })).status).toBe(200)
    expect(await dapp.closed).toBe(1006)
    await expect(connect('dapp')).rejects.toThrow()
    await expect(fetch(`${relay.httpUrl}/?auth=x`)).rejects.toThrow()
    expect((await post({ down: 'yes' })).status).toBe(400)
    expect((await post({ down: false })).status).toBe(200)
    await connect('dapp')
    expect(await (await fetch(`${relay.httpUrl}/state`)).json()).toMatchObject({ sockets: 1 })
  })
})

function relayDid(who: string): string {
  return JSON.parse(
    Buffer.from(relayToken({ seed: seedOf(who), aud: '', nowMs: 0 }).split('.')[1] ?? '', 'base64url').toString(),
  ).iss
}
