import { describe, expect, test } from 'vitest'
import { clientIdOf, publicKeyOf } from '../../../src/worker/walletconnect/crypto/clientId.ts'
import { topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromBase64 } from '../../../src/worker/walletconnect/crypto/base64.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../src/runtime/hex.ts'
import { openEnvelope, sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { isRejection, sdkErrors } from '../../../src/worker/walletconnect/relay/errors.ts'
import type { Json } from '../../../src/runtime/json/readJson.ts'
import {
  answerTrue,
  parsePayload,
  parseRelayFrame,
  type RpcMessage,
  wcRequest,
} from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { relayJwt } from '../../../src/worker/walletconnect/crypto/jwt.ts'
import { type Publishing, wcMethods } from '../../../src/worker/walletconnect/session/methods.ts'
import { accountsOn, approvedChains, proposedChains } from '../../../src/worker/walletconnect/session/namespaces.ts'
import {
  proposePayload,
  readApproval,
  readEvent,
  readSettlement,
  readUpdate,
  requestPayload,
} from '../../../src/worker/walletconnect/session/payloads.ts'
import {
  proposeFrame,
  publishFrame,
  subscribeFrame,
  unsubscribeFrame,
} from '../../../src/worker/walletconnect/relay/relayRequests.ts'
import { socketUrl, userAgent } from '../../../src/worker/walletconnect/relay/relayUrl.ts'
import { subscriptionId } from '../../../src/worker/walletconnect/relay/subscriptionId.ts'
import { requirePairingUri } from '../../../src/worker/walletconnect/link/uri.ts'
import { deriveSymKey, keyPairFrom, signerOf } from './agreement.ts'
import { type Step, type Transcript, vectors } from './vectors.ts'

type Params = Record<string, unknown>
type Sent = Step & { frame: string; plain?: Record<string, string> }

const { happySession, rejection } = vectors.transcripts
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const address = 'FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z'

const framesOf = (transcript: Transcript) => transcript.frames.filter((step): step is Sent => step.frame !== undefined)

const keyOf = (transcript: Transcript, topic: unknown) => fromHex(transcript.symKeysByTopic[String(topic)] ?? '')

/** Every envelope in a frame with the topic whose key opens it. */
function envelopesIn(params: Params): [string, string, unknown][] {
  const named: [string, unknown][] = [
    ['message', params.topic],
    ['sessionProposal', params.pairingTopic],
    ['sessionProposalResponse', params.pairingTopic],
    ['sessionSettlementRequest', params.sessionTopic],
  ]
  return named.flatMap(([name, topic]) => {
    const envelope = params[name]
    return typeof envelope === 'string' ? [[name, envelope, topic] satisfies [string, string, unknown]] : []
  })
}

/** Payloads between the clients, in order, as each side sent them. */
function payloadsOf(transcript: Transcript) {
  return framesOf(transcript).flatMap(({ who, dir, frame }) => {
    const message = parseRelayFrame(frame)
    if (dir !== 'client->relay' || message.kind !== 'request') return []
    const params = message.params as Params
    return envelopesIn(params).map(([name, envelope, topic]) => {
      const text = openEnvelope(envelope, { symKey: keyOf(transcript, topic) })
      return {
        who,
        frame,
        relayId: message.id,
        params,
        name,
        envelope,
        topic: String(topic),
        text,
        payload: parsePayload(text),
      }
    })
  })
}

function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing from the recording')
  return value
}

describe.each([
  ['a session from proposal to disconnect', happySession],
  ['a proposal that was refused', rejection],
])('the recording of %s', (_what, transcript) => {
  test('has no frame we cannot read, and every push opens to what was sent', () => {
    const sent = new Map(payloadsOf(transcript).map(({ envelope, text }) => [envelope, text]))
    const kinds = new Set<string>()
    for (const { frame, dir } of framesOf(transcript)) {
      const message = parseRelayFrame(frame)
      kinds.add(`${dir} ${message.kind}`)
      if (message.kind !== 'push') continue
      expect(openEnvelope(message.message, { symKey: keyOf(transcript, message.topic) })).toBe(
        sent.get(message.message),
      )
    }
    expect([...kinds].sort()).toEqual([
      'client->relay request',
      'client->relay result',
      'relay->client push',
      'relay->client result',
    ])
  })

  test('opens to the recorded texts, and sealing those again gives the recorded envelopes', () => {
    const payloads = payloadsOf(transcript)
    const plain = framesOf(transcript).flatMap(step => Object.values(step.plain ?? {}))
    expect(payloads.map(({ text }) => text)).toEqual(plain)
    for (const { text, envelope, topic } of payloads) {
      const symKey = keyOf(transcript, topic)
      expect(sealEnvelope({ text, symKey, iv: fromBase64(envelope).slice(1, 13) })).toBe(envelope)
    }
  })

  test('acknowledges each push as we would', () => {
    const frames = framesOf(transcript)
    const acks = frames.filter(({ frame, dir }) => dir === 'client->relay' && parseRelayFrame(frame).kind === 'result')
    const pushes = frames
      .map(({ frame }) => parseRelayFrame(frame))
      .flatMap(frame => (frame.kind === 'push' ? [frame] : []))
    const ours = new Set(pushes.map(({ echo }) => answerTrue(echo)))
    expect(acks.length).toBeGreaterThan(0)
    for (const { frame } of acks) expect(ours.has(frame)).toBe(true)
  })

  test('names each client by its seed, in a token we sign the same, at a URL we build the same', async () => {
    const sockets = transcript.frames.filter(step => step.event === 'connect')
    expect(sockets.length).toBe(2)
    for (const { path, who } of sockets) {
      const url = new URL(`ws://127.0.0.1${path}`)
      const auth = the(url.searchParams.get('auth') ?? undefined)
      const { iss, sub, aud, iat } = JSON.parse(Buffer.from(auth.split('.')[1] ?? '', 'base64url').toString())
      const signer = signerOf(fromHex(transcript.keyPairs[who].clientSeed))
      expect(publicKeyOf(iss).length).toBe(32)
      expect(clientIdOf(signer.publicKey)).toBe(iss)
      expect(await relayJwt({ signer, sub, aud, iat })).toBe(auth)
      const projectId = the(url.searchParams.get('projectId') ?? undefined)
      const ua = userAgent({ os: 'linux-20.20.2', env: 'node' })
      const built = new URL(socketUrl({ relayUrl: aud, auth, projectId, ua }))
      expect(built.pathname + built.search).toBe(path)
    }
  })

  test('publishes every message under the tag, life and prompt of our table', () => {
    const asked = new Map<string, string>()
    for (const { params, payload, name } of payloadsOf(transcript)) {
      if (payload.kind === 'request') asked.set(payload.id, payload.method)
      if (name !== 'message') continue
      const { tag, ttl, prompt } = params
      expect({ tag, ttl, prompt }).toEqual(publishingOf(payload, asked))
    }
  })
})

function publishingOf(payload: RpcMessage, asked: ReadonlyMap<string, string>): Publishing {
  const method = payload.kind === 'request' ? payload.method : the(asked.get(payload.id ?? ''))
  const row = the(Object.entries(wcMethods).find(([name]) => name === method))[1]
  if (payload.kind === 'request') return row.request
  return payload.kind === 'error' && 'rejection' in row ? row.rejection : row.response
}

describe('the recorded session', () => {
  const payloads = payloadsOf(happySession)
  const request = (method: string) => {
    const found = the(payloads.find(({ payload }) => payload.kind === 'request' && payload.method === method))
    return { ...found, asked: asked(found.payload).params as Params, id: Number(found.payload.id) }
  }
  const [dappPublic = '', dappPrivate = ''] = Object.entries(happySession.keyPairs.dapp.x25519 ?? {})[0] ?? []

  test('starts from a URI that holds the key of its first topic', () => {
    const uri = requirePairingUri(happySession.uri, { nowMs: 1_795_226_155_000 })
    expect(happySession.symKeysByTopic[uri.topic]).toBe(uri.symKey)
    expect(topicOf(fromHex(uri.symKey))).toBe(uri.topic)
  })

  test('proposes in the very frame we would send', () => {
    const { asked, id, frame, relayId, envelope, text, topic } = request('wc_sessionPropose')
    const proposer = asked.proposer as { publicKey: string; metadata: never }
    expect(proposer.publicKey).toBe(dappPublic)
    const ours = proposePayload({
      id,
      pairingTopic: topic,
      publicKey: toHex(keyPairFrom(fromHex(dappPrivate)).publicKey),
      metadata: proposer.metadata,
      optionalNamespaces: asked.optionalNamespaces as never,
      expiryTimestamp: asked.expiryTimestamp as number,
      sessionProperties: { foo: 'bar' },
      scopedProperties: { solana: { x: '1' } },
    })
    expect(ours).toBe(text)
    expect(proposeFrame(relayId, { pairingTopic: topic, sessionProposal: envelope, correlationId: id })).toBe(frame)
  })

  test('settles on the topic that both keys lead to, with what was proposed', () => {
    const answer = the(payloads.find(({ name }) => name === 'sessionProposalResponse')).payload
    const { responderPublicKey } = readApproval(answer.kind === 'result' ? answer.result : null)
    const { topic, asked } = request('wc_sessionSettle')
    expect(topicOf(deriveSymKey(fromHex(dappPrivate), fromHex(responderPublicKey)))).toBe(topic)
    const settlement = readSettlement(asked)
    expect(settlement.controller.publicKey).toBe(responderPublicKey)
    expect(settlement.controller.metadata.name).toBe('Interop Wallet')
    expect(settlement.expiry).toBe(1_795_830_955)
    const { optionalNamespaces } = request('wc_sessionPropose').asked
    expect(proposedChains(optionalNamespaces as never)).toEqual(
      expect.arrayContaining(approvedChains(settlement.namespaces)),
    )
    expect(accountsOn(settlement.namespaces, solana)).toEqual([`${solana}:${address}`])
  })

  test('asks, pings and ends in the very texts we would seal', () => {
    const ours = payloads
      .filter(({ who, payload }) => who === 'dapp' && payload.kind === 'request')
      .slice(1)
      .map(({ payload }) => {
        const { id, method, params } = asked(payload)
        if (method === 'wc_sessionPing') return wcRequest(Number(id), method, {})
        const { message, code } = sdkErrors.USER_DISCONNECTED
        if (method === 'wc_sessionDelete') return wcRequest(Number(id), method, { message, code })
        const { request, chainId } = params as { request: Asked; chainId: string }
        return requestPayload({ id: Number(id), chainId, ...request })
      })
    const theirs = payloads.filter(({ who, payload }) => who === 'dapp' && payload.kind === 'request').slice(1)
    expect(ours.length).toBe(5)
    expect(ours).toEqual(theirs.map(({ text }) => text))
  })

  test('answers settle, update, extend and ping in the very texts we would seal', () => {
    const answers = payloads.filter(({ who, payload }) => who === 'dapp' && payload.kind === 'result')
    expect(answers.length).toBe(4)
    for (const { payload, text } of answers) expect(answerTrue(String(payload.id))).toBe(text)
  })

  test('publishes and subscribes in the very frames we would send, but for the analytics we leave out', () => {
    const clientId = clientIdOf(signerOf(fromHex(happySession.keyPairs.dapp.clientSeed)).publicKey)
    const built = framesOf(happySession).flatMap(({ who, dir, frame }) => {
      const message = parseRelayFrame(frame)
      if (who !== 'dapp' || dir !== 'client->relay' || message.kind !== 'request') return []
      if (message.method === 'wc_proposeSession') return []
      const analytics = ['rpcMethods', 'chainId', 'txHashes', 'contractAddresses']
      const kept = Object.entries(message.params as Params).filter(([name]) => !analytics.includes(name))
      const params = Object.fromEntries(kept)
      const expected = JSON.stringify({ id: message.id, jsonrpc: '2.0', method: message.method, params })
      return [[ourFrame(message.id, message.method, params, clientId), expected]]
    })
    expect(built.length).toBe(11)
    for (const [ours, theirs] of built) expect(ours).toBe(theirs)
  })

  test('tells a refused request from the answered ones', () => {
    const answers = payloads
      .filter(({ who, params }) => who === 'wallet' && params.tag === 1109)
      .map(({ payload }) => payload)
    expect(answers.map(({ kind }) => kind)).toEqual(['result', 'result', 'error'])
    expect(answers.flatMap(answer => (answer.kind === 'error' ? [isRejection(answer.error)] : []))).toEqual([true])
  })

  test('brings events and an update we can read', () => {
    const events = payloads
      .filter(({ params }) => params.tag === 1110)
      .map(({ payload }) => readEvent(asked(payload).params))
    expect(events.map(({ name, chainId }) => [name, chainId])).toEqual([
      ['accountsChanged', solana],
      ['chainChanged', solana],
    ])
    expect(approvedChains(readUpdate(request('wc_sessionUpdate').asked))).toEqual([solana])
  })
})

type Asked = { method: string; params: Json; expiryTimestamp: number }
type Published = Publishing & { topic: string; message: string; correlationId: number }

function asked(payload: RpcMessage) {
  if (payload.kind !== 'request') throw new Error('expected a request in the recording')
  return payload
}

function ourFrame(id: string, method: string, params: Params, clientId: string): string {
  const { topic, message, tag, ttl, prompt, correlationId } = params as Published
  if (method === 'irn_subscribe') return subscribeFrame(id, topic)
  if (method === 'irn_unsubscribe') return unsubscribeFrame(id, topic, subscriptionId(topic, clientId))
  return publishFrame(id, { topic, message, publishing: { tag, ttl, prompt }, correlationId })
}
