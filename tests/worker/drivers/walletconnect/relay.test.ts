import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { BrowserSocket } from '../../../browserSocket.ts'
import { createCurves } from '../../../../src/worker/drivers/walletconnect/curves.ts'
import { allInputDefinitions } from '../../../../src/events/schema/definitions.ts'
import type { EffectData } from '../../../../src/events/effect.ts'
import { type Definitions, misfit } from '../../../../src/runtime/schema/registry.ts'
import type { Answer } from '../../../../src/runtime/host/driver.ts'
import { memoryKeys } from '../../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { createDispatcher } from '../../../../src/worker/host/dispatcher.ts'
import { createRelayDriver, type RelayPorts } from '../../../../src/worker/drivers/walletconnect/relay.ts'
import { createVault } from '../../../../src/worker/drivers/walletconnect/vault.ts'
import type { Switches } from '../../../stack/relay/switches.ts'
import { connectRaw, type RawClient } from '../../../stack/relay/rawClient.ts'
import { type RelayStack, startRelay } from '../../../stack/relay/relay.ts'
import { createSigningKey } from '../../../stack/verify/signing.ts'

Object.assign(globalThis, { WebSocket: BrowserSocket })

const topic = 'ab'.repeat(32)
const projectId = '0'.repeat(32)

let relay: RelayStack
let frames: { method?: string; id?: unknown; params?: Record<string, unknown>; text: string }[]
const closing: (() => unknown)[] = []

beforeEach(async () => {
  frames = []
  relay = await startRelay({ onFrame: text => frames.push({ ...JSON.parse(text), text }) })
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await relay.close()
})

/** The driver, its answers, and effects for it. */
function client({
  url = relay.url,
  online = () => true,
  ...more
}: { url?: string; online?: () => boolean } & Pick<RelayPorts, 'judging' | 'peerOn'> = {}) {
  const keys = memoryKeys()
  const bytes = memoryBytes()
  const { agree, signer } = createCurves()
  const vault = createVault({ keys, bytes, agree })
  const said: Answer[] = []
  let told = () => {}
  const emit = (input: Answer) => {
    const problem = misfit((allInputDefinitions as Definitions)[input.type]!, input.data)
    if (problem) throw new Error(`${input.type}: ${problem}`)
    said.push(input)
    told()
  }
  const driver = createRelayDriver({
    vault,
    bytes,
    verify: async () => true,
    signer,
    now: Date.now,
    emit,
    relayUrls: [url],
    online,
    askedByPage: () => undefined,
    ...more,
  })
  const run = <T extends keyof EffectData & keyof typeof driver>(type: T, data: EffectData[T]) =>
    driver[type]({ id: 'e1', data }, emit)
  let read = 0
  const next = async (type: string): Promise<Record<string, any>> => {
    for (;;) {
      for (; read < said.length; read++) if (said[read]?.type === type) return said[read++]?.data ?? {}
      await new Promise<void>(resolve => (told = resolve))
    }
  }
  closing.push(() => run('relay.close', {}))
  return {
    said,
    next,
    run,
    vault,
    keys,
    open: async () => {
      await run('relay.open', { url, projectId })
      return next('relay.opened')
    },
    refused: async () => {
      await run('relay.open', { url, projectId })
      return (await next('relay.closed')).failure as { code: string; message: string; facts?: Record<string, unknown> }
    },
  }
}

async function wallet(): Promise<RawClient> {
  const raw = await connectRaw({ url: relay.url, who: 'wallet' })
  closing.push(() => raw.close())
  return raw
}

/** A socket server that sends the given frames and records the received ones. */
async function bareRelay(say: readonly string[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  const heard: string[] = []
  server.on('connection', socket => {
    socket.on('message', data => heard.push(String(data)))
    for (const frame of say) socket.send(frame)
  })
  closing.push(() => server.close())
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const pushOf = (idText: string, data: object = { topic, message: 'AAAA', publishedAt: 1, tag: 1108 }) =>
  `{"id":${idText},"jsonrpc":"2.0","method":"irn_subscription","params":${JSON.stringify({ id: 's', data })}}`

describe('a relay that refuses', () => {
  const refusals: [string, Partial<Switches>, object, string][] = [
    ['status 401', { refuseAuth: '401' }, { code: 'unauthorized', facts: { code: 401, objection: 'token' } }, 'clock'],
    [
      'status 403',
      { refuseAuth: '403' },
      { code: 'unauthorized', facts: { code: 403, objection: 'origin' } },
      'origin',
    ],
    [
      'a status it does not tell',
      { refuseAuth: '401', tellsStatus: false },
      { code: 'unreachable', facts: { code: 1006 } },
      'it refuses this page, or something on the way lets no socket through',
    ],
    ['code 1008', { refuseAuth: '1008' }, { code: 'unauthorized', facts: { code: 1008, objection: 'rule' } }, 'rule'],
    ['code 1013', { refuseAuth: '1013' }, { code: 'rate_limited', facts: { code: 1013 } }, 'too many requests'],
    ['code 4010', { refuseAuth: '4010' }, { code: 'unreachable', facts: { code: 4010 } }, 'moves its clients'],
    ...(
      [
        ['Unauthorized: origin not allowed', 'origin'],
        ['Unauthorized: invalid key', 'project'],
        ['Project not found', 'project'],
        ['JWT Token is not yet valid', 'token'],
        ['No', 'unsaid'],
      ] as const
    ).map(([refusal, objection]): [string, Partial<Switches>, object, string] => [
      `code 3000, ${refusal}`,
      { refuseAuth: '3000', refusal },
      { code: 'unauthorized', facts: { code: 3000, objection } },
      'close code 3000',
    ]),
  ]

  test.each(refusals)('with %s is reported by its code and in words', async (_what, switches, failure, words) => {
    relay.control(switches)
    const refused = await client().refused()
    expect(refused).toMatchObject(failure)
    expect(refused.message).toContain(words)
    expect(JSON.stringify(refused)).not.toMatch(/auth=|eyJ|ws:|127\.0\.0\.1/)
  })

  test('gets a plain request once a minute at most, however often a socket is refused', async () => {
    relay.control({ refuseAuth: '403' })
    const dapp = client()
    expect(await dapp.refused()).toMatchObject({ facts: { code: 403 } })
    relay.control({ tellsStatus: false })
    expect(await dapp.refused()).toMatchObject({ facts: { code: 403 } })
  })
})

describe('a missing relay', () => {
  test('cannot be reached', async () => {
    await relay.close()
    expect(await client().refused()).toMatchObject({ code: 'unreachable', message: 'the relay cannot be reached' })
    relay = await startRelay()
  })

  test('that admits no socket and answers nothing cannot be reached either', async () => {
    relay.control({ down: true })
    expect(await client().refused()).toMatchObject({ code: 'unreachable', message: 'the relay cannot be reached' })
  })

  test('is not blamed when this device is offline', async () => {
    relay.control({ down: true })
    expect(await client({ online: () => false }).refused()).toMatchObject({ code: 'offline' })
  })

  test('reports nothing of a socket closed by order while it was opening', async () => {
    relay.control({ refuseAuth: '401' })
    const dapp = client()
    await dapp.run('relay.open', { url: relay.url, projectId })
    await dapp.run('relay.close', {})
    relay.control({ refuseAuth: 'off' })
    await dapp.open()
    expect(dapp.said.map(({ type }) => type)).toEqual(['relay.opened'])
  })
})

/** A message sealed on a new topic. */
async function sealedBy({ vault }: ReturnType<typeof client>) {
  const answers: Answer[] = []
  const drive = (type: 'vault.makePairing' | 'vault.seal', data: object) =>
    vault.drivers[type]({ id: 'e', data }, answer => void answers.push(answer))
  await drive('vault.makePairing', { attemptId: 'a1', expiresAt: Date.now() + 300_000 })
  const pairingTopic = String(answers[0]?.data.pairingTopic)
  await drive('vault.seal', { callId: '1', topic: pairingTopic, payload: { result: true, id: '7' } })
  return { pairingTopic, messageRef: String(answers[1]?.data.messageRef) }
}

describe('frames on the wire', () => {
  test('of a message hold topic, envelope, ttl, prompt, tag and the lack of an attestation: no method, chain, id or transaction in clear', async () => {
    const dapp = client()
    const { pairingTopic, messageRef } = await sealedBy(dapp)
    await dapp.open()
    const callId = '1795226335321326765'
    await dapp.run('relay.publish', { callId, topic: pairingTopic, messageRef, ttl: 900, tag: 1108, prompt: true })
    expect(await dapp.next('relay.taken')).toEqual({ callId })
    const [frame] = frames
    expect(frame?.text).toMatch(/^\{"id":"1795226335321326765","jsonrpc":"2\.0","method":"irn_publish","params":/)
    expect(frame?.params).toEqual({
      topic: pairingTopic,
      message: expect.any(String),
      ttl: 900,
      prompt: true,
      tag: 1108,
      attestation: '',
    })
  })

  test('of an answer hold no attestation', async () => {
    const dapp = client()
    const { pairingTopic, messageRef } = await sealedBy(dapp)
    await dapp.open()
    await dapp.run('relay.publish', {
      callId: '1',
      topic: pairingTopic,
      messageRef,
      ttl: 300,
      tag: 1103,
      prompt: false,
    })
    await dapp.next('relay.taken')
    expect(Object.keys(frames[0]?.params ?? {}).sort()).toEqual(['message', 'prompt', 'tag', 'topic', 'ttl'])
  })

  test('of a proposal hold none of those either, in one call or the plain way, and the same envelope', async () => {
    const dapp = client()
    const { pairingTopic, messageRef } = await sealedBy(dapp)
    await dapp.open()
    const correlationId = '1795226335321326'
    await dapp.run('relay.propose', { callId: '1', pairingTopic, messageRef, ttl: 300, correlationId })
    await dapp.next('relay.taken')
    const publication = { topic: pairingTopic, messageRef, ttl: 300, tag: 1100, prompt: true }
    await dapp.run('relay.publish', { callId: '2', ...publication })
    await dapp.next('relay.taken')
    const [composite, plain] = frames.map(({ params }) => params)
    expect(Object.keys(composite ?? {}).sort()).toEqual([
      'attestation',
      'correlationId',
      'pairingTopic',
      'sessionProposal',
      'ttl',
    ])
    expect(Object.keys(plain ?? {}).sort()).toEqual(['attestation', 'message', 'prompt', 'tag', 'topic', 'ttl'])
    expect(plain?.message).toBe(composite?.sessionProposal)
  })

  test('of a repeated message are the same, digit for digit', async () => {
    const dapp = client()
    const { pairingTopic, messageRef } = await sealedBy(dapp)
    await dapp.open()
    relay.control({ loseAnswers: 1 })
    const publication = { callId: '17', topic: pairingTopic, messageRef, ttl: 60, tag: 1, prompt: false }
    await dapp.run('relay.publish', publication)
    await dapp.run('relay.publish', publication)
    await dapp.next('relay.taken')
    expect(frames[0]?.text).toBe(frames[1]?.text)
  })

  test('subscribe in a batch or one by one, and fetch likewise', async () => {
    const dapp = client()
    await dapp.open()
    for (const oneByOne of [undefined, true] as const) {
      const more = oneByOne && { oneByOne }
      await dapp.run('relay.subscribe', { callId: '1', topics: [topic], ...more })
      await dapp.run('relay.fetch', { callId: '2', topics: [topic], ...more })
      await dapp.next('relay.taken')
      expect(await dapp.next('relay.fetched')).toEqual({ callId: '2', count: 0, hasMore: false })
    }
    expect(frames.map(({ method, params }) => [method, params])).toEqual([
      ['irn_batchSubscribe', { topics: [topic] }],
      ['irn_batchFetchMessages', { topics: [topic] }],
      ['irn_subscribe', { topic }],
      ['irn_fetchMessages', { topic }],
    ])
  })

  test('with an unknown method are answered as such', async () => {
    relay.control({ unknownMethods: ['irn_batchSubscribe'] })
    const dapp = client()
    await dapp.open()
    await dapp.run('relay.subscribe', { callId: '1', topics: [topic] })
    const error = { code: -32_601, message: 'Unsupported method.' }
    expect(await dapp.next('relay.failed')).toEqual({ callId: '1', error })
  })
})

describe('a message from the relay', () => {
  test.each(['long', 'short', 'text'] as const)(
    'with an id that is %s is acknowledged by it, and only on demand',
    async ids => {
      relay.control({ pushIds: ids })
      const dapp = client()
      await dapp.open()
      await dapp.run('relay.subscribe', { callId: '1', topics: [topic] })
      await dapp.next('relay.taken')
      await (await wallet()).call('irn_publish', { topic, message: 'AAAA', ttl: 300, tag: 1108 })
      const { pushId, payload } = await dapp.next('relay.message')
      expect(payload).toMatchObject({ kind: 'unopened' })
      expect(relay.state().acks).toBe(0)
      await dapp.run('relay.acknowledge', { pushId })
      await dapp.run('relay.subscribe', { callId: '2', topics: [topic] })
      await dapp.next('relay.taken')
      expect(relay.state().acks).toBe(1)
      expect(frames.find(({ method }) => method === undefined)?.text).toBe(
        `{"id":${pushId},"jsonrpc":"2.0","result":true}`,
      )
    },
  )

  test('is not acknowledged when its facts cannot be committed, and comes again', async () => {
    const dapp = client()
    await dapp.open()
    const other = await wallet()
    await other.call('irn_publish', { topic, message: 'AAAA', ttl: 300, tag: 1108 })
    let isDiskThere = false
    let over: (how: string) => void
    const dispatch = createDispatcher({
      drivers: { 'relay.acknowledge': ({ data }) => dapp.run('relay.acknowledge', data).then(() => over('sent')) },
      page: async () => undefined,
      journal: {
        storage: 'durable',
        flush: async () => (isDiskThere ? undefined : Promise.reject(new Error('the disk is gone'))),
      },
      movesMoney: () => false,
      answer: ({ type }) => over(type),
    })
    const acknowledge = async () => {
      await dapp.run('relay.subscribe', { callId: '1', topics: [topic] })
      const { pushId } = await dapp.next('relay.message')
      const how = await new Promise<string>(resolve => {
        over = resolve
        dispatch([{ id: 'e1', type: 'relay.acknowledge', data: { pushId }, after: 'stored' }])
      })
      // The answer comes after every frame sent before it
      await dapp.run('relay.subscribe', { callId: '2', topics: ['cd'.repeat(32)] })
      while ((await dapp.next('relay.taken')).callId !== '2');
      return { how, acks: relay.state().acks }
    }
    expect(await acknowledge()).toEqual({ how: 'effect.failed', acks: 0 })
    isDiskThere = true
    expect(await acknowledge()).toEqual({ how: 'sent', acks: 1 })
  })

  test('with an id of 19 digits, bare or in quotes, is echoed literally', async () => {
    const ids = ['1795226335321326765', '"1795226335321326765"', '"push-7"', '0']
    const bare = await bareRelay(ids.map(id => pushOf(id)))
    const dapp = client({ url: bare.url })
    await dapp.open()
    for (const id of ids) {
      const { pushId } = await dapp.next('relay.message')
      expect(pushId).toBe(id)
      await dapp.run('relay.acknowledge', { pushId })
    }
    while (bare.heard.length < ids.length) await new Promise(resolve => setImmediate(resolve))
    expect(bare.heard).toEqual(ids.map(id => `{"id":${id},"jsonrpc":"2.0","result":true}`))
  })

  test('with an id that is negative, a fraction, an object or missing is garbage, and the next one counts', async () => {
    const bad = ['-1', '1.5', '1e3', '-0', 'true', '{"a":1}', '[1]', 'null', '"a b"', '""', '0017']
    const bare = await bareRelay([...bad.map(id => pushOf(id)), pushOf('17')])
    const dapp = client({ url: bare.url })
    await dapp.open()
    for (const _ of bad) expect(await dapp.next('relay.garbage')).not.toHaveProperty('pushId')
    expect(await dapp.next('relay.message')).toMatchObject({ pushId: '17' })
    expect(bare.heard).toEqual([])
  })

  test('that is malformed but has an id reports the id, so that it is acknowledged once that is stored', async () => {
    const bare = await bareRelay([pushOf('1795226335321326765', { topic: 7 })])
    const dapp = client({ url: bare.url })
    await dapp.open()
    expect(await dapp.next('relay.garbage')).toMatchObject({ pushId: '1795226335321326765' })
    expect(bare.heard).toEqual([])
  })

  test('of an envelope for links, or of an unknown type, is not opened', async () => {
    const dapp = client()
    const made: Answer[] = []
    const data = { attemptId: 'a1', expiresAt: Date.now() + 300_000 }
    await dapp.vault.drivers['vault.makePairing']({ id: 'e', data }, answer => void made.push(answer))
    const pairingTopic = String(made[0]?.data.pairingTopic)
    await dapp.open()
    await dapp.run('relay.subscribe', { callId: '1', topics: [pairingTopic] })
    const other = await wallet()
    const plain = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'wc_pairingDelete', params: {} })
    for (const type of [2, 1, 3, 255]) {
      const message = Buffer.concat([Buffer.from([type]), Buffer.from(plain)]).toString('base64')
      await other.call('irn_publish', { topic: pairingTopic, message, ttl: 300, tag: 1000 })
      expect((await dapp.next('relay.message')).payload).toMatchObject({ kind: 'unopened' })
    }
  })
})

describe('fetched messages', () => {
  test('come in the order of publication, without an id to acknowledge, then their number', async () => {
    const fetched = (messages: object[]) =>
      `{"id":"5","jsonrpc":"2.0","result":${JSON.stringify({ messages, hasMore: true })}}`
    const one = (publishedAt: number, message: string) => ({ topic, message, publishedAt, tag: 1108 })
    const bare = await bareRelay([fetched([one(30, 'AAAC'), one(10, 'AAAA'), { topic: 'none' }, one(20, 'AAAB')])])
    const dapp = client({ url: bare.url })
    await dapp.open()
    expect(await dapp.next('relay.fetched')).toEqual({ callId: '5', count: 4, hasMore: true })
    const came = dapp.said.slice(1)
    expect(came.map(({ type }) => type)).toEqual([
      'relay.message',
      'relay.message',
      'relay.message',
      'relay.garbage',
      'relay.fetched',
    ])
    expect(came.slice(0, 3).map(({ data }) => [data.pushId, data.publishedAt])).toEqual([
      ['', 10],
      ['', 20],
      ['', 30],
    ])
  })
})

describe('the attestation of an incoming message', () => {
  const origin = 'https://wallet.example'
  const key = createSigningKey()
  const http = { json: async () => ({ publicKey: key.publicKey, expiresAt: Math.floor(Date.now() / 1000) + 3600 }) }
  const peerOn = () => ({ url: origin })

  /** The wallet's message comes with this origin's attestation. @returns the verdict on it */
  async function verifiedOf(
    dapp: ReturnType<typeof client>,
    from: string,
    spoil = '',
    isScam = false,
  ): Promise<unknown> {
    const [other, { pairingTopic, messageRef }] = [await wallet(), await sealedBy(dapp)]
    await dapp.open()
    await dapp.run('relay.subscribe', { callId: '1', topics: [pairingTopic] })
    await dapp.next('relay.taken')
    const message = `${await dapp.vault.sealedMessage(messageRef)}${spoil}`
    const id = createHash('sha256').update(message).digest('hex')
    const exp = Math.floor(Date.now() / 1000) + 60
    const attestation = key.attest({ id, origin: from, exp, isVerified: true, isScam })
    await other.call('irn_publish', { topic: pairingTopic, message, tag: 1109, ttl: 300, attestation })
    const { payload } = await dapp.next('relay.message')
    return payload.verified
  }

  test('goes in with it: valid from the wallet’s origin, invalid from another, a threat from a fraud’s', async () => {
    const judging = { http, url: 'https://verify.example' }
    expect(await verifiedOf(client({ judging, peerOn }), origin)).toBe('VALID')
    expect(await verifiedOf(client({ judging, peerOn }), 'https://evil.example')).toBe('INVALID')
    expect(await verifiedOf(client({ judging, peerOn }), origin, '', true)).toBe('THREAT')
  })

  test('is not checked without a service, and not believed for messages that the wallet’s key does not open', async () => {
    expect(await verifiedOf(client({ peerOn }), origin)).toBeUndefined()
    const judging = { http, url: 'https://verify.example' }
    expect(await verifiedOf(client({ judging, peerOn }), 'https://evil.example', 'AAAA')).toBeUndefined()
  })
})
