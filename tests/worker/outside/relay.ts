/** A relay with mailboxes, the vault's store, and a wallet at the other end: what of WalletConnect outlives a worker. */
import type { EffectData, OutgoingPayload } from '../../../src/events/effect.ts'
import type { InputData } from '../../../src/worker/context.ts'
import { account, caip2 } from '../story.ts'
import type { Chain } from './chain.ts'
import type { Queue } from './queue.ts'

type Payload = InputData<'relay.message'>['payload']
type Message = { pushId: string; topic: string; hash: string; payload: Payload }

/** How the wallet answers: signed bytes, a bare signature, or it sends by itself. */
export type Style = 'sign' | 'bareSignature' | 'signAndSend'

const walletKey = 'ab'.repeat(32)
const approveMs = 1500

export function createRelay(
  queue: Queue,
  chain: Chain,
  style: Style,
  deliver: (input: InputData<'relay.message'>) => void,
) {
  /** sealed messages by ref, as the vault keeps them */
  const sealed = new Map<string, { topic: string; payload: OutgoingPayload }>()
  const keys = new Set<string>()
  const posted = new Map<string, OutgoingPayload[]>()
  const mailbox = new Map<string, Message>()
  const walletTopics = new Set<string>()
  const handled = new Set<string>()
  let listening = new Set<string>()
  let isOpen = false
  let count = 0
  const prompts: string[] = []

  function push(message: Message): void {
    if (!isOpen || !listening.has(message.topic)) return
    queue.after(15, 'worker', () => {
      const payload: Payload = keys.has(message.topic) ? message.payload : { kind: 'unopened', id: '0' }
      if (mailbox.has(message.pushId)) deliver({ ...message, payload, publishedAt: queue.now(), tag: 1 })
    })
  }

  function fromWallet(topic: string, payload: Payload): void {
    count += 1
    const message = { pushId: `push-${count}`, topic, hash: `hash-${count}`, payload }
    mailbox.set(message.pushId, message)
    push(message)
  }

  function toWallet(topic: string, payload: OutgoingPayload): void {
    posted.set(topic, [...(posted.get(topic) ?? []), payload])
    if (walletTopics.has(topic)) queue.after(20, 'outside', () => hear(topic, payload))
  }

  function hear(topic: string, payload: OutgoingPayload): void {
    if (!('method' in payload) || handled.has(payload.id)) return
    handled.add(payload.id)
    if (payload.method === 'wc_sessionPropose') queue.after(approveMs, 'outside', () => approve(topic, payload.id))
    if (payload.method !== 'wc_sessionRequest') return
    prompts.push(payload.id)
    const { request } = payload
    const ref = 'bytesRef' in request ? request.bytesRef : ''
    queue.after(approveMs, 'outside', () => {
      const { signature, bytesRef, decoded } = chain.signed(ref)
      if (style === 'signAndSend') chain.send(ref)
      const whole = style === 'sign' ? { bytesRef, decoded } : {}
      fromWallet(topic, { kind: 'result', id: payload.id, signature, ...whole })
    })
  }

  function approve(pairingTopic: string, id: string): void {
    const sessionTopic = `session-of-${pairingTopic}`
    walletTopics.add(sessionTopic)
    fromWallet(pairingTopic, { kind: 'result', id, responderKey: walletKey })
    const method = style === 'signAndSend' ? 'solana_signAndSendTransaction' : 'solana_signTransaction'
    fromWallet(sessionTopic, {
      kind: 'settle',
      id: `9${id}`,
      controllerKey: walletKey,
      expiresAt: queue.now() + 604_800_000,
      peer: { name: 'Lantern', url: '', description: '', icons: [] },
      namespaces: { solana: { accounts: [`${caip2}:${account}`], methods: [method], events: [] } },
    })
  }

  return {
    prompts,
    /** The worker's socket is gone with it. */
    drop(): void {
      isOpen = false
      listening = new Set()
    },
    /** The person shows the wallet a code. */
    scan(topic: string): void {
      if (walletTopics.has(topic)) return
      walletTopics.add(topic)
      for (const payload of posted.get(topic) ?? []) queue.after(20, 'outside', () => hear(topic, payload))
    },
    /** Carries out an effect. @returns its answer and how long that takes, when it is one of these */
    carry(type: string, data: never): { type: string; data: Record<string, unknown> } | undefined {
      switch (type) {
        case 'vault.makePairing': {
          count += 1
          const pairingTopic = `pairing-${count}`
          keys.add(pairingTopic)
          const { attemptId } = data as EffectData['vault.makePairing']
          return { type: 'vault.pairingMade', data: { attemptId, pairingTopic, publicKey: 'cd'.repeat(32) } }
        }
        case 'vault.deriveSession': {
          const { pairingTopic } = data as EffectData['vault.deriveSession']
          keys.add(`session-of-${pairingTopic}`)
          return { type: 'vault.sessionDerived', data: { pairingTopic, sessionTopic: `session-of-${pairingTopic}` } }
        }
        case 'vault.seal': {
          const { callId, topic, payload } = data as EffectData['vault.seal']
          count += 1
          const messageRef = `message-${count}`
          sealed.set(messageRef, { topic, payload })
          return { type: 'vault.sealed', data: { callId, messageRef } }
        }
        case 'vault.forget': {
          const { topics, refs } = data as EffectData['vault.forget']
          for (const topic of topics) keys.delete(topic)
          for (const ref of refs) sealed.delete(ref)
          return undefined
        }
        case 'relay.open':
          isOpen = true
          return { type: 'relay.opened', data: {} }
        case 'relay.subscribe': {
          const { callId, topics } = data as EffectData['relay.subscribe']
          for (const topic of topics) {
            listening.add(topic)
            for (const message of mailbox.values()) if (message.topic === topic) push(message)
          }
          return { type: 'relay.taken', data: { callId } }
        }
        case 'relay.publish':
        case 'relay.propose': {
          const { callId, messageRef } = data as EffectData['relay.publish']
          const message = sealed.get(messageRef)
          if (!message)
            return { type: 'relay.failed', data: { callId, error: { code: 0, message: 'the sealed message is gone' } } }
          if (type === 'relay.propose') listening.add(message.topic)
          toWallet(message.topic, message.payload)
          return { type: 'relay.taken', data: { callId } }
        }
        case 'relay.acknowledge':
          mailbox.delete((data as EffectData['relay.acknowledge']).pushId)
          return undefined
        default:
          return undefined
      }
    },
  }
}
export type Relay = ReturnType<typeof createRelay>
