import { describe, expect, test } from 'vitest'
import { authenticatePayload, readAuthAnswer } from '../../../src/worker/walletconnect/auth/authPayload.ts'
import { fromBase64 } from '../../../src/worker/walletconnect/crypto/base64.ts'
import { topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromHex } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../src/runtime/hex.ts'
import { openEnvelope, sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { isRejection } from '../../../src/worker/walletconnect/relay/errors.ts'
import { isoMs } from '../../../src/events/values/isoTime.ts'
import { parsePayload, parseRelayFrame } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { wcMethods } from '../../../src/worker/walletconnect/session/methods.ts'
import { proposePayload } from '../../../src/worker/walletconnect/session/payloads.ts'
import { publishFrame } from '../../../src/worker/walletconnect/relay/relayRequests.ts'
import { formatUri, requirePairingUri } from '../../../src/worker/walletconnect/link/uri.ts'
import { deriveSymKey, openWith } from './agreement.ts'
import { recordedPlain } from './recordedCacaos.ts'
import { faultOf } from './refusals.ts'
import { type Transcript, vectors } from './vectors.ts'

const { oneClickAuth, oneClickAuthRejected } = vectors.transcripts

type Published = { topic: string; message: string; ttl: number; prompt: boolean; tag: number; correlationId?: number }

/** Message published under a tag, with the id of its frame. */
function published(transcript: Transcript, tag: number): Published & { id: string; frame: string } {
  for (const { frame, dir } of transcript.frames) {
    const message = frame !== undefined && dir === 'client->relay' ? parseRelayFrame(frame) : undefined
    if (frame === undefined || message?.kind !== 'request' || message.method !== 'irn_publish') continue
    const params = message.params as Published
    if (params.tag === tag) return { ...params, id: message.id, frame }
  }
  throw new Error(`nothing was published with tag ${tag}`)
}

function keysOf(transcript: Transcript) {
  const [pair = ['', '']] = Object.entries(transcript.keyPairs.dapp.x25519 ?? {})
  const [publicKey, privateKey] = pair
  return { publicKey, privateKey: fromHex(privateKey) }
}

describe.each([
  ['accepted', oneClickAuth, 1117],
  ['declined', oneClickAuthRejected, 1118],
])('one-click auth that was %s, as recorded', (_how, transcript, answerTag) => {
  const { publicKey, privateKey } = keysOf(transcript)
  const request = parsePayload(recordedPlain(transcript, 1116))
  const params = (request.kind === 'request' ? request.params : {}) as {
    authPayload: { iat: string; resources: string[] }
    requester: { metadata: never }
    expiryTimestamp: number
  }
  const uri = requirePairingUri(transcript.uri, { nowMs: 1_795_226_193_000 })

  test('begins with a code that says so', () => {
    expect(uri.methods).toEqual(['wc_sessionAuthenticate'])
    expect(formatUri(uri)).toBe(transcript.uri)
    expect(topicOf(fromHex(uri.symKey))).toBe(uri.topic)
  })

  test('is asked for in the very text, envelope and frame we would send', () => {
    const id = Number(request.id)
    const text = authenticatePayload({
      id,
      publicKey,
      metadata: params.requester.metadata,
      asked: {
        chains: ['eip155:1', 'eip155:137'],
        domain: 'dapp.example',
        uri: 'https://dapp.example/login',
        nonce: '12345678',
        statement: 'Sign in',
        resources: ['https://dapp.example/tos'],
        methods: ['personal_sign', 'eth_sendTransaction'],
      },
      issuedAt: isoMs(params.authPayload.iat) ?? 0,
      expiryTimestamp: params.expiryTimestamp,
    })
    expect(text).toBe(recordedPlain(transcript, 1116))
    const { frame, message, id: relayId, topic } = published(transcript, 1116)
    const iv = fromBase64(message).slice(1, 13)
    expect(sealEnvelope({ text, symKey: fromHex(uri.symKey), iv })).toBe(message)
    const publishing = wcMethods.wc_sessionAuthenticate.request
    expect(publishFrame(relayId, { topic, message, publishing, correlationId: id })).toBe(frame)
  })

  test('is proposed beside it with the same key, as we would propose', () => {
    const proposal = JSON.parse(recordedPlain(transcript, 1100)) as {
      id: number
      params: { expiryTimestamp: number; optionalNamespaces: never; proposer: { metadata: never } }
    }
    const { expiryTimestamp, optionalNamespaces, proposer } = proposal.params
    const { metadata } = proposer
    const { id } = proposal
    const ours = { id, pairingTopic: uri.topic, publicKey, metadata, optionalNamespaces, expiryTimestamp }
    expect(JSON.parse(proposePayload(ours))).toEqual(proposal)
    const { ttl, prompt } = published(transcript, 1100)
    expect({ tag: 1100, ttl, prompt }).toEqual(wcMethods.wc_sessionPropose.request)
  })

  test('is answered on the topic of that key, in an envelope which opens with its private half only', () => {
    const { topic, message, ttl, tag, prompt } = published(transcript, answerTag)
    expect(topicOf(fromHex(publicKey))).toBe(topic)
    expect(openWith(message, privateKey)).toBe(recordedPlain(transcript, answerTag))
    expect(faultOf(() => openEnvelope(message, { symKey: fromHex(uri.symKey) })).message).toContain('got type 1')
    const { response, rejection } = wcMethods.wc_sessionAuthenticate
    expect({ ttl, tag, prompt }).toEqual(answerTag === 1117 ? response : rejection)
  })
})

test('the recorded answer leads to the session topic both sides then use', () => {
  const answer = parsePayload(recordedPlain(oneClickAuth, 1117))
  const { responderKey, metadata } = readAuthAnswer((answer.kind === 'result' ? answer.result : {}) as never)
  const { publicKey, privateKey } = keysOf(oneClickAuth)
  const symKey = deriveSymKey(privateKey, fromHex(responderKey))
  expect(oneClickAuth.symKeysByTopic[topicOf(symKey)]).toBe(toHex(symKey))
  expect(metadata.name).toBe('Interop Wallet')
  expect(publicKey).not.toBe(responderKey)
})

test('the recorded refusal is one', () => {
  const answer = parsePayload(recordedPlain(oneClickAuthRejected, 1118))
  expect(answer.kind === 'error' && isRejection(answer.error)).toBe(true)
})

test('an answer of nobody is refused', () => {
  for (const responder of [undefined, null, {}, { publicKey: 'ab' }, { publicKey: 7 }])
    expect(faultOf(() => readAuthAnswer({ responder, cacaos: [] })).message).toContain('responder.publicKey')
})
