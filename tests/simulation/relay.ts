/**
 * A relay with mailboxes behind an unreliable socket, and the vault's store: the part of WalletConnect that outlives a worker.
 */
import type { EffectData, OutgoingPayload } from '../../src/events/effect.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { closeFailure } from '../../src/worker/walletconnect/session/refusals.ts'
import type { Answered } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'

export type Payload = InputData<'relay.message'>['payload']
type Message = { pushId: string; topic: string; hash: string; payload: Payload; sentAt: number }

type Ports = {
  queue: Queue
  dice: Dice
  /** Delivers a message of the socket to the worker, if there is one. */
  emit(input: Answered, to?: string): void
  /** A message reached the peer of a topic. */
  heard(topic: string, payload: OutgoingPayload): void
  /** The relay received an acknowledgement; `said`: the message, if it could be opened. */
  acknowledged(pushId: string, said?: { topic: string; payload: Payload }): void
}

/** The vault's store: sealed messages by ref, and the topics with keys. A life in memory cannot read the device's keys. */
export type Vault = {
  sealed: Map<string, { topic: string; payload: OutgoingPayload }>
  keys: Set<string>
  isPartial?: boolean
}
export const emptyVault = (): Vault => ({ sealed: new Map(), keys: new Set() })

/** Session topic from a pairing's key and the responder's key. */
export function sessionTopicOf(pairingTopic: string, responderKey: string): string {
  return `session-of-${pairingTopic}-with-${responderKey.slice(0, 2)}`
}

const unknownMethod = { code: -32_601, message: 'Unsupported method.' }
const invalidParams = { code: -32_602, message: 'Invalid params.' }
const busy = { code: 3000, message: 'the relay is busy' }
const proposalTag = 1100
/** The vault's failure in a life in memory. */
export const unreadableKey = 'an envelope expected the topic’s key, this life cannot read the device’s keys'
/** Close codes of an open socket. */
const closeCodes = [1006, 1001, 1008, 1012, 1013, 3000, 4008, 4010]

export function createRelay({ queue, dice, emit, heard, acknowledged }: Ports) {
  let vault = emptyVault()
  const posted = new Map<string, OutgoingPayload[]>()
  const mailbox = new Map<string, Message>()
  const walletTopics = new Set<string>()
  /** messages that could be opened on their last delivery */
  const opened = new Set<string>()
  /** topics whose key the vault ever held */
  const topics = new Set<string>()
  /** completed calls: a repeated call is answered again, but not carried out */
  const done = new Set<string>()
  let listening = new Set<string>()
  /** number of the socket: events of older ones are dropped */
  let socket = 0
  let state: 'closed' | 'open' | 'halfOpen' = 'closed'
  /** calls on this socket are carried out but not answered */
  let isMute = false
  /** messages of the last page fetched on this socket */
  let handedOut: string[] = []
  let count = 0
  let downUntil = 0

  const isMuted = () => isMute && !dice.isCalm()
  const onSocket = (of: number, inMs: number, run: () => void) =>
    queue.after(inMs, 'worker', () => {
      if (of === socket && state === 'open') run()
    })

  /** @returns whether the message was reported: one whose key may be readable later stays with the relay */
  function hand({ topic, hash, sentAt, payload: sent }: Message, pushId: string): boolean {
    if (vault.isPartial && !vault.keys.has(topic)) {
      emit({ type: 'relay.garbage', data: { message: unreadableKey } })
      return false
    }
    // An unreadable delete is never repeated: such a session would live until it expires
    const canOpen = vault.keys.has(topic) && (sent.kind === 'delete' || !dice.strikes('vault.cannotOpen'))
    const payload: Payload = canOpen ? sent : { kind: 'unopened', id: '0', error: { code: 0, message: 'no key' } }
    if (canOpen) opened.add(pushId)
    else opened.delete(pushId)
    emit({ type: 'relay.message', data: { pushId, topic, hash, publishedAt: sentAt, tag: 1, payload } })
    return true
  }

  function push(message: Message): void {
    if (state !== 'open' || !listening.has(message.topic) || dice.strikes('relay.losesPush')) return
    const inMs = dice.strikes('relay.delaysPush') ? dice.between('slow push', 100, 20_000) : 15
    const tell = () => {
      if (!mailbox.has(message.pushId)) return
      hand(message, message.pushId)
    }
    onSocket(socket, inMs, tell)
    if (dice.strikes('relay.doublesPush')) onSocket(socket, inMs + dice.between('second push', 0, 3000), tell)
  }

  function close(code: number): void {
    if (state === 'closed') return
    state = 'closed'
    listening = new Set()
    emit({ type: 'relay.closed', data: { code, failure: closeFailure(code, 'Expired JWT') } })
  }

  function open(effectId: string): void {
    socket += 1
    const of = socket
    state = 'closed'
    listening = new Set()
    const refusal =
      queue.now() < downUntil && !dice.isCalm()
        ? ({ code: 'unreachable', message: 'the relay is down' } as const)
        : dice.strikes('relay.unauthorized')
          ? closeFailure(3000, 'Project not found')
          : dice.strikes('relay.isBusy')
            ? closeFailure(1013, '')
            : dice.strikes('relay.refusesToOpen')
              ? ({ code: 'unreachable', message: 'the relay could not be reached' } as const)
              : undefined
    queue.after(dice.between('opening', 30, 60), 'worker', () => {
      if (of !== socket) return
      if (refusal) return emit({ type: 'relay.closed', data: { code: 0, failure: refusal } }, effectId)
      state = 'open'
      handedOut = []
      isMute = dice.strikes('relay.goesMute')
      if (dice.strikes('relay.drops'))
        queue.after(dice.between('socket life', 100, 90_000), 'worker', () => {
          if (of === socket && !dice.isCalm()) close(dice.oneOf('close code', closeCodes))
        })
      if (dice.strikes('relay.halfOpens'))
        queue.after(dice.between('half open', 100, 60_000), 'worker', () => {
          if (of === socket && state === 'open' && !dice.isCalm()) state = 'halfOpen'
        })
      emit({ type: 'relay.opened', data: {} }, effectId)
      if (dice.strikes('relay.garbles'))
        onSocket(of, 500, () => emit({ type: 'relay.garbage', data: { message: 'a frame expected JSON, got text' } }))
      if (dice.strikes('relay.garblesPush')) {
        const pushId = `push-${(count += 1)}`
        const message = 'relay push expected topic to be 64 hex digits'
        onSocket(of, 700, () => emit({ type: 'relay.garbage', data: { message, pushId } }))
      }
    })
  }

  /** A call on the socket. @param carry carries it out, once @param errors with which it may fail instead */
  function call(
    callId: string,
    carry: () => { code: number; message: string } | undefined,
    errors: readonly { code: number; message: string }[] = [busy],
  ): void {
    if (state !== 'open' || dice.strikes('relay.ignoresCall')) return
    const latency = dice.strikes('relay.delaysAnswer')
      ? dice.between('slow call', 100, 20_000)
      : dice.between('call', 8, 40)
    if (dice.strikes('relay.failsCall')) {
      const error = dice.oneOf('error of a call', errors)
      onSocket(socket, latency, () => emit({ type: 'relay.failed', data: { callId, error } }))
      return
    }
    const error = done.has(callId) ? undefined : carry()
    if (!error) done.add(callId)
    // Carried out, but the answer is lost
    if (isMuted() || dice.strikes('relay.losesAnswer')) return
    onSocket(socket, latency, () =>
      emit(error ? { type: 'relay.failed', data: { callId, error } } : { type: 'relay.taken', data: { callId } }),
    )
  }

  /** A relay that accepts one topic per call. */
  function tooMany(topics: readonly string[]) {
    return topics.length > 1 && dice.strikes('relay.takesFewTopics') ? invalidParams : undefined
  }

  /** Returns messages of these topics, or a page of them; a request for the next page acknowledges the one before. */
  function fetch(callId: string, topics: readonly string[]): void {
    if (state !== 'open' || isMuted() || dice.strikes('relay.ignoresCall')) return
    for (const pushId of handedOut) if (topics.includes(mailbox.get(pushId)?.topic ?? '')) mailbox.delete(pushId)
    handedOut = []
    const inMs = dice.strikes('relay.delaysFetch')
      ? dice.between('slow fetch', 100, 40_000)
      : dice.between('fetch', 8, 40)
    onSocket(socket, inMs, () => {
      const waiting = [...mailbox.values()].filter(({ topic }) => topics.includes(topic))
      const isPaged = waiting.length > 1 && dice.strikes('relay.fetchesInPages')
      const page = isPaged ? waiting.slice(0, 1) : waiting
      // The driver ends at the first message that it cannot report
      const isReported = page.every(message => hand(message, ''))
      if (isPaged) handedOut.push(...page.map(({ pushId }) => pushId))
      const hasMore = (isPaged && isReported) || (page.length === 0 && dice.strikes('relay.promisesMore'))
      emit({ type: 'relay.fetched', data: { callId, count: page.length, hasMore } })
    })
  }

  function publish(callId: string, messageRef: string): void {
    const message = vault.sealed.get(messageRef)
    if (!message) {
      const error = { code: 0, message: 'the sealed message is gone' }
      return emit({ type: 'relay.failed', data: { callId, error } })
    }
    const carry = () => {
      posted.set(message.topic, [...(posted.get(message.topic) ?? []), message.payload])
      if (walletTopics.has(message.topic)) queue.after(20, 'outside', () => heard(message.topic, message.payload))
      return undefined
    }
    // An answer that a relay finds senseless is lost for good, and its wallet waits in vain
    call(callId, carry, 'method' in message.payload ? [busy, busy, invalidParams] : [busy])
  }

  return {
    mailbox,
    topics,
    vault: () => vault,
    use(another: Vault): void {
      vault = another
    },
    isOpen: () => state === 'open',
    /** The worker's socket is gone with it. */
    drop(): void {
      socket += 1
      state = 'closed'
      listening = new Set()
    },
    /** The network is gone: an open socket stays silent until that is noticed. */
    cut(): void {
      if (state === 'open') state = 'halfOpen'
    },
    /** Makes the relay unreachable for a while. */
    goDown(ms: number): void {
      downUntil = queue.now() + ms
      close(1006)
    },
    /** A wallet posts a message. */
    post(topic: string, payload: Payload, hash?: string): void {
      count += 1
      const message = { pushId: `push-${count}`, topic, hash: hash ?? `hash-${count}`, payload, sentAt: queue.now() }
      mailbox.set(message.pushId, message)
      push(message)
    },
    /** Messages this page has published on a topic, oldest first. */
    published: (topic: string): readonly OutgoingPayload[] => posted.get(topic) ?? [],
    walletListens: (topic: string) => void walletTopics.add(topic),
    /** A wallet reads a topic from its beginning. @returns false if it already listens */
    readFrom(topic: string): boolean {
      if (walletTopics.has(topic)) return false
      walletTopics.add(topic)
      for (const payload of posted.get(topic) ?? []) queue.after(20, 'outside', () => heard(topic, payload))
      return true
    },
    /** Carries out an effect of the relay's or the vault's. @returns the vault's answer */
    carry(id: string, type: string, data: never): Answered | undefined {
      switch (type) {
        case 'vault.makePairing': {
          count += 1
          const pairingTopic = `pairing-${count}`
          vault.keys.add(pairingTopic)
          topics.add(pairingTopic)
          const { attemptId } = data as EffectData['vault.makePairing']
          return { type: 'vault.pairingMade', data: { attemptId, pairingTopic, publicKey: 'cd'.repeat(32) } }
        }
        case 'vault.makeAuth': {
          count += 1
          const pairingTopic = `pairing-${count}`
          const responseTopic = `answers-of-${pairingTopic}`
          for (const topic of [pairingTopic, responseTopic]) {
            vault.keys.add(topic)
            topics.add(topic)
          }
          const { authId } = data as EffectData['vault.makeAuth']
          return {
            type: 'vault.authMade',
            data: { authId, pairingTopic, responseTopic, publicKey: 'cd'.repeat(32) },
          }
        }
        case 'vault.deriveSession': {
          const { pairingTopic, responderKey } = data as EffectData['vault.deriveSession']
          const sessionTopic = sessionTopicOf(pairingTopic, responderKey)
          vault.keys.add(sessionTopic)
          topics.add(sessionTopic)
          return { type: 'vault.sessionDerived', data: { pairingTopic, sessionTopic } }
        }
        case 'vault.seal': {
          const { callId, topic, payload } = data as EffectData['vault.seal']
          // A failed request of our own is reported; an answer has no waiting caller
          const isLost = !('method' in payload) && dice.strikes('vault.losesKey')
          if (isLost || !vault.keys.has(topic)) {
            const failure = { code: 'expired', message: 'the topic’s key is gone' }
            return { type: 'effect.failed', data: { failure } }
          }
          count += 1
          const messageRef = `message-${count}`
          vault.sealed.set(messageRef, { topic, payload })
          return { type: 'vault.sealed', data: { callId, messageRef } }
        }
        case 'vault.forget': {
          const { topics, refs } = data as EffectData['vault.forget']
          for (const topic of topics) vault.keys.delete(topic)
          for (const ref of refs) vault.sealed.delete(ref)
          return undefined
        }
        case 'relay.open':
          open(id)
          return undefined
        case 'relay.close':
          socket += 1
          state = 'closed'
          listening = new Set()
          return undefined
        case 'relay.subscribe': {
          const { callId, topics, oneByOne } = data as EffectData['relay.subscribe']
          const refusal = !oneByOne && dice.strikes('relay.knowsNoBatch') ? unknownMethod : tooMany(topics)
          if (refusal) {
            call(callId, () => refusal)
            return undefined
          }
          call(callId, () => {
            for (const topic of topics) {
              listening.add(topic)
              for (const message of mailbox.values()) if (message.topic === topic) push(message)
            }
            return undefined
          })
          return undefined
        }
        case 'relay.fetch': {
          const { callId, topics } = data as EffectData['relay.fetch']
          const refusal = dice.strikes('relay.knowsNoFetch') ? unknownMethod : tooMany(topics)
          if (refusal) call(callId, () => refusal)
          else fetch(callId, topics)
          return undefined
        }
        case 'relay.unsubscribe': {
          const { callId, topic } = data as EffectData['relay.unsubscribe']
          if (dice.strikes('relay.knowsNoUnsubscribe')) call(callId, () => unknownMethod)
          else call(callId, () => void listening.delete(topic))
          return undefined
        }
        case 'relay.publish':
        case 'relay.propose': {
          const { callId, messageRef, tag } = data as EffectData['relay.publish']
          const isUnknown =
            type === 'relay.propose'
              ? dice.strikes('relay.knowsNoProposal')
              : tag === proposalTag && dice.strikes('relay.knowsNoPlainProposal')
          if (isUnknown) {
            call(callId, () => unknownMethod)
            return undefined
          }
          publish(callId, messageRef)
          const message = vault.sealed.get(messageRef)
          if (type === 'relay.propose' && message && state === 'open') listening.add(message.topic)
          return undefined
        }
        case 'relay.acknowledge': {
          const { pushId } = data as EffectData['relay.acknowledge']
          const said = mailbox.get(pushId)
          acknowledged(pushId, said && opened.has(pushId) ? said : undefined)
          if (state === 'open' && !dice.strikes('relay.losesAcknowledgement')) mailbox.delete(pushId)
          return undefined
        }
        default:
          throw new Error(`the world expected an effect of the relay's or the vault's, got ${type}`)
      }
    },
  }
}
export type Relay = ReturnType<typeof createRelay>
