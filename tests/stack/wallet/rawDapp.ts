import { randomBytes } from 'node:crypto'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { connectRaw, type RawClient } from '../relay/rawClient.ts'

/** A minimal dapp: proposes, settles, requests. It checks nothing; it exists to call the stack's wallets. */
export type RawDapp = {
  client: RawClient
  uri: string
  /** Waits for the wallet's answer and the settlement, and acknowledges both. @throws the wallet's refusal `{code, message}` */
  settled(): Promise<{ topic: string; settlement: Settlement }>
  /** Sends a request on a session. @throws the wallet's refusal `{code, message}` */
  request(topic: string, chainId: string, request: { method: string; params: unknown }): Promise<unknown>
  /** The wallet's next unprompted message, such as a ping or a delete; answered with `true` if it is a request. */
  heard(): Promise<{ topic: string; tag: number; method: string; params: unknown }>
  /** Ends the session. */
  remove(topic: string): Promise<void>
}

/** The wallet's settlement. */
export type Settlement = {
  expiry: number
  controller: { publicKey: string; metadata: { name: string } }
  namespaces: Record<string, { accounts: string[]; methods: string[]; events: string[]; chains?: string[] }>
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
const topicOf = (key: Uint8Array): string => hex(sha256(key))

function seal(key: Uint8Array, payload: unknown): string {
  const iv = new Uint8Array(randomBytes(12))
  const sealed = chacha20poly1305(key, iv).encrypt(new TextEncoder().encode(JSON.stringify(payload)))
  return Buffer.concat([Uint8Array.of(0), iv, sealed]).toString('base64')
}

function unseal(key: Uint8Array, envelope: string) {
  const bytes = new Uint8Array(Buffer.from(envelope, 'base64'))
  return JSON.parse(new TextDecoder().decode(chacha20poly1305(key, bytes.subarray(1, 13)).decrypt(bytes.subarray(13))))
}

/** Connects to the relay and proposes; `chains` and `methods` go in as optional. */
export async function proposeRaw(options: {
  relayUrl: string
  who: string
  chains: string[]
  methods: string[]
}): Promise<RawDapp> {
  const { relayUrl, who, chains, methods } = options
  const client = await connectRaw({ url: relayUrl, who })
  const keys = new Map<string, Uint8Array>()
  const secret = x25519.utils.randomSecretKey()
  const publicKey = hex(x25519.getPublicKey(secret))
  const pairingKey = new Uint8Array(randomBytes(32))
  const pairingTopic = topicOf(pairingKey)
  keys.set(pairingTopic, pairingKey)
  let ids = 0
  const nextId = (): number => Date.now() * 1000 + (++ids % 1000)
  const expiry = Math.floor(Date.now() / 1000) + 300
  const say = (topic: string, tag: number, payload: unknown) =>
    client.call('irn_publish', {
      topic,
      message: seal(keys.get(topic) as Uint8Array, payload),
      ttl: 300,
      tag,
      prompt: false,
    })

  const next = async () => {
    const push = await client.push()
    client.ack(push.idText)
    return { ...push, payload: unseal(keys.get(push.topic) as Uint8Array, push.message) }
  }
  const answerTo = async (id: number) => {
    const { payload } = await next()
    if (payload.id !== id) throw new Error(`dapp expected the answer to ${id}, got ${JSON.stringify(payload)}`)
    if (payload.error) throw payload.error
    return payload.result
  }

  const proposalId = nextId()
  const metadata = { name: 'Raw dapp', description: 'A test', url: 'https://dapp.example', icons: [] }
  const proposal = {
    requiredNamespaces: {},
    optionalNamespaces: { solana: { chains, methods, events: ['accountsChanged'] } },
    relays: [{ protocol: 'irn' }],
    proposer: { publicKey, metadata },
    expiryTimestamp: expiry,
    pairingTopic,
  }
  const sessionProposal = seal(pairingKey, {
    id: proposalId,
    jsonrpc: '2.0',
    method: 'wc_sessionPropose',
    params: proposal,
  })
  await client.call('wc_proposeSession', { pairingTopic, sessionProposal, ttl: 300, correlationId: proposalId })

  return {
    client,
    uri: `wc:${pairingTopic}@2?expiryTimestamp=${expiry}&relay-protocol=irn&symKey=${hex(pairingKey)}`,
    settled: async () => {
      const { responderPublicKey } = await answerTo(proposalId)
      const shared = x25519.getSharedSecret(secret, bytesOf(responderPublicKey))
      const key = hkdf(sha256, shared, undefined, undefined, 32)
      const topic = topicOf(key)
      keys.set(topic, key)
      await client.call('irn_subscribe', { topic })
      const { payload } = await next()
      await say(topic, 1103, { id: payload.id, jsonrpc: '2.0', result: true })
      return { topic, settlement: payload.params as Settlement }
    },
    request: async (topic, chainId, request) => {
      const id = nextId()
      const params = { request: { ...request, expiryTimestamp: expiry }, chainId }
      await say(topic, 1108, { id, jsonrpc: '2.0', method: 'wc_sessionRequest', params })
      return answerTo(id)
    },
    heard: async () => {
      const { topic, tag, payload } = await next()
      const answered: Record<number, number> = { 1104: 1105, 1106: 1107, 1114: 1115 }
      const answerTag = answered[tag]
      if (answerTag) await say(topic, answerTag, { id: payload.id, jsonrpc: '2.0', result: true })
      return { topic, tag, method: payload.method, params: payload.params }
    },
    remove: async topic => {
      const params = { code: 6000, message: 'User disconnected.' }
      await say(topic, 1112, { id: nextId(), jsonrpc: '2.0', method: 'wc_sessionDelete', params })
    },
  }
}
