/**
 * Makes, stores and uses keys; no other module sees one. On disk each key is sealed by a non-extractable AES-GCM key; the core
 * knows topics and refs only. New keys are committed with the log's next commit.
 */
import { Fault } from '../../../runtime/failure.ts'
import type { EffectData, OutgoingPayload } from '../../../events/effect.ts'
import { authenticatePayload } from '../../walletconnect/auth/authPayload.ts'
import { hashMessage, symKeyFrom, topicOf } from '../../walletconnect/crypto/crypto.ts'
import { fromHex, toBase64 } from '../../walletconnect/crypto/encoding.ts'
import { toHex } from '../../../runtime/hex.ts'
import { openEnvelope, plainEnvelope, sealEnvelope, senderOf, type Way } from '../../walletconnect/crypto/envelope.ts'
import { scopedValues } from '../../walletconnect/session/connectChecks.ts'
import { type Json, readJson } from '../../../runtime/json/readJson.ts'
import { answerError, answerTrue, wcRequest } from '../../walletconnect/relay/jsonrpc.ts'
import { proposePayload, requestPayload } from '../../walletconnect/session/payloads.ts'
import { formatUri } from '../../walletconnect/link/uri.ts'
import type { BytesStore } from '../bytes.ts'
import type { Curves } from './curves.ts'
import { drive } from '../drive.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import { forgetKeys, type KeyStore, messageKey } from './keys.ts'
import { createSeal } from './seal.ts'
import { topicReference } from '../../../events/values/reference.ts'

/**
 * A topic's key. A pairing's entry also has the proposal's key pair, the code's expiry (ms) and the first methods. The response
 * topic of one-click auth has a key pair only.
 */
type TopicEntry = {
  symKey?: string
  publicKey?: string
  privateKey?: string
  expiresAt?: number
  methods?: string[]
}

export type Vault = {
  drivers: { [T in 'vault.makePairing' | 'vault.makeAuth' | 'vault.deriveSession' | 'vault.seal']: Drive }
  /**
   * @returns the text inside an envelope; undefined without the topic's key
   * @throws Fault `bad_response`, and `storage_down` when the key may be on a disk that this life cannot read
   */
  openEnvelope(topic: string, envelope: string, way?: Way): Promise<string | undefined>
  /** @returns the sealed envelope of a ref */
  sealedMessage(messageRef: string): Promise<string | undefined>
  /** @returns hex of SHA-256 of the text of a message sealed in this life: the verify service's id of it */
  textHash(messageRef: string): string | undefined
  /** Attestations of this life's messages by ref, undefined while requested; in memory only. */
  attestations: Map<string, string | undefined>
  /** @returns this client's Ed25519 seed, made on first use */
  clientSeed(): Promise<Uint8Array>
  /** @returns the pairing code, a secret shown to the person only */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  /** Deletes the keys of these topics and the sealed messages of these refs. */
  forget(data: EffectData['vault.forget']): Promise<void>
}

type VaultPorts = { keys: KeyStore; bytes: BytesStore; agree: Curves['agree'] }

/** A public key is its private key's agreement with this point. @see RFC 7748, §6.1 */
const basePoint = new Uint8Array(32).fill(9, 0, 1)

/** One function, because every operation needs the seal and the keys unwrapped so far. */
export function createVault({ keys, bytes, agree }: VaultPorts): Vault {
  const { keep, kept } = createSeal(keys)
  const known = new Map<string, TopicEntry>()
  /** messages sealed in this life */
  const sealed = new Map<string, { envelope: string; textHash: string }>()
  const attestations: Vault['attestations'] = new Map()

  async function topicEntry(topic: string): Promise<TopicEntry | undefined> {
    const cached = known.get(topic)
    if (cached) return cached
    const text = await kept(topicReference(topic))
    if (text === undefined) return undefined
    const entry = JSON.parse(text) as TopicEntry
    known.set(topic, entry)
    return entry
  }

  async function keepTopic(topic: string, entry: TopicEntry): Promise<void> {
    await keep(topicReference(topic), JSON.stringify(entry))
    known.set(topic, entry)
  }

  /** A new pairing topic, with a key pair for its proposal. */
  async function newPairing(entry: Pick<TopicEntry, 'expiresAt' | 'methods'>) {
    const symKey = crypto.getRandomValues(new Uint8Array(32))
    const privateKey = crypto.getRandomValues(new Uint8Array(32))
    const publicKey = await agree(privateKey, basePoint)
    const pair = { publicKey: toHex(publicKey), privateKey: toHex(privateKey) }
    const pairingTopic = topicOf(symKey)
    await keepTopic(pairingTopic, { symKey: toHex(symKey), ...pair, ...entry })
    return { pairingTopic, pair, responseTopic: topicOf(publicKey) }
  }

  async function makePairing({ attemptId, expiresAt }: EffectData['vault.makePairing']) {
    const { pairingTopic, pair } = await newPairing({ expiresAt })
    return { type: 'vault.pairingMade', data: { attemptId, pairingTopic, publicKey: pair.publicKey } }
  }

  async function makeAuth({ authId, expiresAt }: EffectData['vault.makeAuth']) {
    const { pairingTopic, pair, responseTopic } = await newPairing({ expiresAt, methods: ['wc_sessionAuthenticate'] })
    await keepTopic(responseTopic, pair)
    return { type: 'vault.authMade', data: { authId, pairingTopic, responseTopic, publicKey: pair.publicKey } }
  }

  async function deriveSession({ pairingTopic, responderKey }: EffectData['vault.deriveSession']) {
    const entry = await topicEntry(pairingTopic)
    if (entry?.privateKey === undefined)
      throw new Fault('expired', 'a session’s key expected the pairing’s key, it is gone')
    const symKey = symKeyFrom(await agree(fromHex(entry.privateKey), fromHex(responderKey, 'responder key')))
    const sessionTopic = topicOf(symKey)
    await keepTopic(sessionTopic, { symKey: toHex(symKey) })
    return { type: 'vault.sessionDerived', data: { pairingTopic, sessionTopic } }
  }

  async function sealedFor(topic: string, text: string, way: Way): Promise<string> {
    const entry = await topicEntry(topic)
    if (entry?.symKey === undefined)
      throw new Fault('expired', 'sealing a message expected the topic’s key, it is gone')
    return sealEnvelope({ text, symKey: fromHex(entry.symKey), iv: crypto.getRandomValues(new Uint8Array(12)), way })
  }

  async function sealPayload({ callId, topic, payload, way }: EffectData['vault.seal']) {
    const text = await payloadText(payload, topic, bytes)
    const envelope = way === 'plain' ? plainEnvelope(text) : await sealedFor(topic, text, way ?? 'relay')
    const messageRef = hashMessage(envelope)
    keys.put(messageKey(messageRef), envelope)
    sealed.set(messageRef, { envelope, textHash: hashMessage(text) })
    return { type: 'vault.sealed', data: { callId, messageRef } }
  }

  return {
    drivers: {
      'vault.makePairing': drive(makePairing),
      'vault.makeAuth': drive(makeAuth),
      'vault.deriveSession': drive(deriveSession),
      'vault.seal': drive(sealPayload),
    },
    async openEnvelope(topic, envelope, way) {
      const entry = await topicEntry(topic)
      if (!entry && keys.isPartial)
        throw new Fault('storage_down', 'an envelope expected the topic’s key, this life cannot read the device’s keys')
      if (entry?.symKey !== undefined) return openEnvelope(envelope, { symKey: fromHex(entry.symKey) }, way)
      if (entry?.privateKey === undefined) return undefined
      const agreedKey = symKeyFrom(await agree(fromHex(entry.privateKey), senderOf(envelope, way)))
      return openEnvelope(envelope, { agreedKey }, way)
    },
    textHash: messageRef => sealed.get(messageRef)?.textHash,
    attestations,
    async sealedMessage(messageRef) {
      const own = sealed.get(messageRef)
      if (own) return own.envelope
      const envelope = await keys.get(messageKey(messageRef))
      return typeof envelope === 'string' ? envelope : undefined
    },
    async clientSeed() {
      const text = await kept('client')
      if (text !== undefined) return fromHex(text)
      const seed = crypto.getRandomValues(new Uint8Array(32))
      await keep('client', toHex(seed))
      return seed
    },
    async pairingUri(pairingTopic) {
      const entry = await topicEntry(pairingTopic)
      if (entry?.expiresAt === undefined || entry.symKey === undefined) return undefined
      const { symKey, expiresAt, methods } = entry
      return formatUri({
        topic: pairingTopic,
        version: 2,
        symKey,
        relay: { protocol: 'irn' },
        ...(methods && { methods }),
        expiryTimestamp: Math.floor(expiresAt / 1000),
      })
    },
    async forget(data) {
      for (const topic of data.topics) known.delete(topic)
      for (const ref of data.refs) {
        sealed.delete(ref)
        attestations.delete(ref)
      }
      await forgetKeys(keys, data)
    },
  }
}

/** Writes a payload's JSON-RPC text; only here are the bytes of its refs inserted. */
async function payloadText(payload: OutgoingPayload, topic: string, bytes: BytesStore): Promise<string> {
  if ('result' in payload) return answerTrue(payload.id)
  if ('error' in payload) return answerError(payload.id, payload.error)
  const id = Number(payload.id)
  switch (payload.method) {
    case 'wc_sessionPropose': {
      const { publicKey, expiryTimestamp, optionalNamespaces, metadata, sessionProperties } = payload
      const scopedProperties = payload.scopedProperties && scopedValues(payload.scopedProperties)
      return proposePayload({
        id,
        pairingTopic: topic,
        publicKey,
        metadata,
        optionalNamespaces,
        expiryTimestamp,
        ...(sessionProperties && { sessionProperties }),
        ...(scopedProperties && { scopedProperties }),
      })
    }
    case 'wc_sessionPing':
    case 'wc_pairingPing':
    case 'wc_sessionExtend':
      return wcRequest(id, payload.method, {})
    case 'wc_sessionEvent': {
      const { chainId, event: name } = payload
      const data = readJson(payload.data, { name: 'an event' }) as Json
      return wcRequest(id, 'wc_sessionEvent', { event: { name, data }, chainId })
    }
    case 'wc_sessionAuthenticate':
      return authenticatePayload({ ...payload, id })
    case 'wc_sessionDelete':
      return wcRequest(id, 'wc_sessionDelete', { message: payload.message, code: payload.code })
    case 'wc_sessionRequest': {
      const { chainId, expiryTimestamp, request } = payload
      if ('params' in request) {
        const params = readJson(request.params, { name: 'the params of a request' }) as Json
        return requestPayload({ id, chainId, method: request.method, params, expiryTimestamp })
      }
      const content = await bytes.get(request.bytesRef)
      if (!content) throw new Fault('expired', 'a wallet request expected its bytes to be kept, they are gone')
      const params = { transaction: toBase64(content), pubkey: request.pubkey }
      return requestPayload({ id, chainId, method: request.method, params, expiryTimestamp })
    }
  }
}
