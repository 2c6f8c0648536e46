/** One socket to the relay. It opens incoming envelopes and reports their fields; the core decides. */
import { Fault, type Failure } from '../../../runtime/failure.ts'
import type { EffectData } from '../../../events/effect.ts'
import { clientIdOf } from '../../walletconnect/crypto/clientId.ts'
import { hashMessage } from '../../walletconnect/crypto/crypto.ts'
import { toHex } from '../../../runtime/hex.ts'
import { plainWords } from '../../walletconnect/relay/peerErrors.ts'
import { type IncomingPayload, readIncoming, unopened } from '../../walletconnect/relay/incoming.ts'
import { answerTrue, type Delivered, parseRelayFrame, type Push } from '../../walletconnect/relay/jsonrpc.ts'
import { relayNames } from '../../host/relayNames.ts'
import { readFetched } from '../../walletconnect/relay/fetched.ts'
import { attestedTags } from '../../walletconnect/session/methods.ts'
import { closeFailure, upgradeFailure } from '../../walletconnect/session/refusals.ts'
import { relayJwt } from '../../walletconnect/crypto/jwt.ts'
import {
  batchFetchFrame,
  batchSubscribeFrame,
  fetchFrame,
  proposeFrame,
  publishFrame,
  subscribeFrame,
  unsubscribeFrame,
} from '../../walletconnect/relay/relayRequests.ts'
import { socketUrl, userAgent } from '../../walletconnect/relay/relayUrl.ts'
import { subscriptionId } from '../../walletconnect/relay/subscriptionId.ts'
import type { Verify } from '../../services/signatures.ts'
import type { BytesStore } from '../bytes.ts'
import type { Curves } from './curves.ts'
import type { Redirect } from '../../../events/schema/fields.ts'
import { createJudge, type JudgePorts } from './attested.ts'
import { drive, type InputOf, traceOf } from '../drive.ts'
import type { Answer, Drive } from '../../../runtime/host/driver.ts'
import type { Way } from '../../walletconnect/crypto/envelope.ts'
import { validationOfLink } from '../../walletconnect/auth/attestation.ts'
import { readLinkUrl } from '../../walletconnect/link/linkMode.ts'
import { later } from '../../../runtime/later.ts'
import { type AskedByPage, keepAnswer } from './pageAnswer.ts'
import { createReach } from './reach.ts'
import { readSigned } from './signed.ts'
import type { Vault } from './vault.ts'

const connectMs = 15_000
const tooSlow: Failure = {
  code: 'timeout',
  message: `the relay's socket expected to open within ${connectMs / 1000} s, it did not`,
}
/** Backdates the token by half of its day, s: so it is valid on clocks wrong by hours either way. */
const clockOffSeconds = 43_200

export type RelayPorts = {
  vault: Vault
  bytes: BytesStore
  verify: Verify
  signer: Curves['signer']
  now(): number
  /** takes unsolicited inputs: messages, closes */
  emit(input: Answer): void
  /** as configured; an effect names a relay without its query */
  relayUrls: readonly string[]
  online(): boolean
  /** @returns the page's request with this id; undefined when the core sent it or none exists */
  askedByPage(payloadId: string): AskedByPage | undefined
  /** whether a page subscribes to a session's events of this name */
  isSubscribed?(topic: string, event: string): boolean
  /** @returns the metadata of a session's wallet */
  peerOn?(topic: string): { url: string; redirect?: Redirect } | undefined
  /** the verify service and its key; absent: attestations are ignored */
  judging?: Omit<JudgePorts, 'now'>
}

type Address = { name: string; url: string }
type RelayEffect = Extract<keyof EffectData, `relay.${string}`>

type RelayDriver = { [T in RelayEffect]: Drive } & {
  /** Reads a link that opened this page. @throws Fault `bad_input` when it holds no message for it */
  readLink(url: string, universal: string): Promise<InputOf<'relay.message'>>
}

/**
 * The driver of every `relay.*` effect. It holds the socket, the number of sockets and the client id.
 *
 * 1. Only the newest socket reports; `sockets` counts opens and closes, and older ones are silent.
 * 2. Frames are read one after another, so messages reach the core in the relay's order.
 * 3. A message that may become readable later is not reported, hence not acknowledged, and the relay redelivers it.
 *
 * One function, because connecting, reading and sending share the socket.
 */
export function createRelayDriver(ports: RelayPorts): RelayDriver {
  const { vault, bytes, verify, signer, now, emit, online, relayUrls, askedByPage } = ports
  const relays = relayNames(relayUrls)
  const { isSubscribed = () => false, peerOn = () => undefined, judging } = ports
  const judge = judging && createJudge({ ...judging, now })
  const statements = later('checking who signed in', () => import('./statements.ts'))
  let socket: WebSocket | undefined
  /** opens and closes so far: older sockets report nothing */
  let sockets = 0
  let clientId = ''
  const sub = toHex(crypto.getRandomValues(new Uint8Array(32)))
  const ua = userAgent({ os: 'unknown', env: 'unknown' })

  let reach = createReach({ now })

  /** The failure behind a close; for a socket that never opened, a plain request may tell more. */
  async function closedBy({ code, reason }: Pick<CloseEvent, 'code' | 'reason'>, unopened?: Address): Promise<Failure> {
    if (!online()) return { code: 'offline', message: 'the relay cannot be reached: this device is offline' }
    if (code !== 1006 || !unopened) return closeFailure(code, reason)
    const reached = await reach(unopened.name, unopened.url)
    if (reached === 'silent') return { code: 'unreachable', message: 'the relay cannot be reached', facts: { code } }
    return upgradeFailure(reached === 'answers' ? undefined : reached.status)
  }

  async function connect(
    { url: name, projectId }: EffectData['relay.open'],
    answer: (input: Answer) => void,
  ): Promise<void> {
    const url = relays.find(relay => relay.name === name)?.url ?? name
    drop()
    const number = ++sockets
    const self = await signer(await vault.clientSeed())
    clientId = clientIdOf(self.publicKey)
    const auth = await relayJwt({ signer: self, sub, aud: url, iat: Math.floor(now() / 1000) - clockOffSeconds })
    if (number !== sockets) return
    const address = { name, url: socketUrl({ relayUrl: url, auth, projectId, ua }) }
    const opening = new WebSocket(address.url)
    socket = opening
    let tell = answer
    let isOpen = false
    let reading: Promise<void> = Promise.resolve()
    const timer = setTimeout(() => over({ code: 0, reason: '' }), connectMs)
    function over(close: Pick<CloseEvent, 'code' | 'reason'>): void {
      clearTimeout(timer)
      if (socket !== opening) return
      drop()
      const { code } = close
      const why = code === 0 && online() ? Promise.resolve(tooSlow) : closedBy(close, isOpen ? undefined : address)
      void why.then(failure => number === sockets && tell({ type: 'relay.closed', data: { code, failure } }))
    }
    opening.onopen = () => {
      clearTimeout(timer)
      isOpen = true
      // The reason for an earlier refusal says nothing of a later one
      reach = createReach({ now })
      tell({ type: 'relay.opened', data: {} })
      tell = emit
    }
    opening.onclose = over
    opening.onmessage = event => {
      reading = reading
        .then(() => hear(opening, event.data))
        .catch((cause: unknown) => console.error('a relay frame stopped its reader:', traceOf(cause)))
    }
  }

  function drop(): void {
    const old = socket
    socket = undefined
    if (!old) return
    old.onopen = null
    old.onclose = null
    old.onmessage = null
    old.close(1000)
  }

  async function hear(from: WebSocket, data: unknown): Promise<void> {
    if (socket !== from) return
    try {
      const frame = parseRelayFrame(data)
      if (frame.kind === 'push') await deliver(frame)
      else if (frame.kind === 'result') await hearResult(frame)
      else if (frame.kind === 'error' && frame.id !== null) {
        const { code = 0, message } = frame.error
        emit({
          type: 'relay.failed',
          data: {
            callId: frame.id,
            error: { code: Number.isSafeInteger(code) ? code : 0, message: plainWords(message) },
          },
        })
      }
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      const echo = cause.facts?.echo
      const message = cause.message.slice(0, 300)
      emit({ type: 'relay.garbage', data: { message, ...(typeof echo === 'string' && { pushId: echo }) } })
    }
  }

  /**
   * Fetched messages are reported one by one, by publication time, followed by their number. A request for the next page
   * acknowledges this one: there is none after a message that could not be reported.
   */
  async function hearResult({ id: callId, result }: { id: string; result: unknown }): Promise<void> {
    const fetched = readFetched(result)
    if (!fetched) return emit({ type: 'relay.taken', data: { callId } })
    const { messages, malformed } = fetched
    let hasMore = false
    try {
      for (const message of messages) await deliver({ ...message, echo: '' })
      for (const message of malformed) emit({ type: 'relay.garbage', data: { message } })
      hasMore = fetched.hasMore
    } finally {
      emit({ type: 'relay.fetched', data: { callId, count: messages.length + malformed.length, hasMore } })
    }
  }

  /**
   * A message that the core's schema rejects will never be readable: it is reported as `unopened`, so that it is acknowledged.
   */
  async function deliver(push: Delivered & Pick<Push, 'echo'>): Promise<void> {
    const data = await readPush(push)
    try {
      emit({ type: 'relay.message', data })
    } catch (cause) {
      if (!(cause instanceof Fault) || cause.code !== 'bad_input') throw cause
      emit({ type: 'relay.message', data: { ...data, ...unopened(cause.message, data.payload.id) } })
    }
  }

  async function readPush(push: Delivered & Pick<Push, 'echo'>): Promise<InputOf<'relay.message'>> {
    const { payload } = await readMessage(push)
    const validation = await validationFor(push, payload)
    return {
      pushId: push.echo,
      topic: push.topic,
      hash: hashMessage(push.message),
      publishedAt: push.publishedAt ?? 0,
      tag: push.tag ?? 0,
      payload: validation ? { ...payload, verified: validation } : payload,
    }
  }

  async function readMessage(push: Pick<Delivered, 'topic' | 'message'>, way: Way = 'relay') {
    let id: string | undefined
    try {
      const text = await vault.openEnvelope(push.topic, push.message, way)
      if (text === undefined) return unopened('no key for this topic')
      const incoming = readIncoming(text, {
        isOfPage: id => askedByPage(id) !== undefined,
        isSubscribed: event => isSubscribed(push.topic, event),
      })
      id = incoming.payload.id
      const asked = incoming.payload.answer === undefined ? undefined : askedByPage(incoming.payload.id)
      if (asked) return { payload: await keepAnswer(incoming.payload, asked, { store: bytes, verify }) }
      if (incoming.cacaos !== undefined)
        return { payload: { ...incoming.payload, ...(await statementsIn(incoming.cacaos)) } }
      if (!incoming.transaction) return incoming
      const read = await readSigned(incoming.transaction, incoming.payload.id, { store: bytes, verify }).catch(
        (cause: unknown) => {
          // The signature beside it is checked later against the request
          const isWrong = cause instanceof Fault && cause.code === 'bad_response'
          if (isWrong && incoming.payload.signature !== undefined) return {}
          throw cause
        },
      )
      return { payload: { ...incoming.payload, ...read } }
    } catch (cause) {
      // A message that may be readable later is not reported, so the relay redelivers it
      if (!(cause instanceof Fault) || cause.code === 'storage_down' || cause.code === 'reload_needed') throw cause
      return unopened(cause.message, id)
    }
  }

  /** The verify service's validation of a message's origin; undefined when there is no attestation or no judge. */
  async function validationFor({ topic, message, attestation }: Delivered, { kind, peer }: IncomingPayload) {
    // A message that the wallet's key does not open may be from anyone
    if (!judge || !attestation || kind === 'unopened') return undefined
    const peerUrl = peer?.url ?? peerOn(topic)?.url
    return judge.validationIn(attestation, { envelopeHash: hashMessage(message), peerUrl })
  }

  /** Reads a message from a link like one of the relay's, but it needs no acknowledgement. */
  async function readLink(url: string, universal: string): Promise<InputOf<'relay.message'>> {
    const { topic, envelope: message } = readLinkUrl(url, universal)
    const { payload } = await readMessage({ topic, message }, 'link')
    const hash = hashMessage(message)
    const { url: home, redirect = payload.redirect } = payload.peer
      ? { url: payload.peer.url }
      : (peerOn(topic) ?? { url: '' })
    const verified = validationOfLink(redirect?.universal, home)
    const judged = payload.kind === 'unopened' ? payload : { ...payload, verified }
    return { pushId: '', topic, hash, publishedAt: Math.floor(now()), tag: 0, payload: judged, link: true }
  }

  async function statementsIn(cacaos: unknown) {
    const { readStatements } = await statements.get()
    return readStatements(cacaos)
  }

  function transmit(frame: string): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(frame)
  }

  async function envelope(callId: string, messageRef: string): Promise<string | undefined> {
    const message = await vault.sealedMessage(messageRef)
    if (message === undefined)
      emit({ type: 'relay.failed', data: { callId, error: { code: 0, message: 'the sealed message is gone' } } })
    return message
  }

  /**
   * Without an attestation field the wallet asks the service itself, and waits up to 5 s. So the field is empty, unless the
   * service was asked and may know the message.
   */
  function attestation(messageRef: string): { attestation?: string } {
    const { attestations } = vault
    const attestation = attestations.has(messageRef) ? attestations.get(messageRef) : ''
    return attestation === undefined ? {} : { attestation }
  }

  return {
    readLink,
    'relay.open': async ({ data }, answer) => {
      try {
        await connect(data, answer)
      } catch (cause) {
        // The browser's message quotes the URL with its token
        const failure: Failure =
          cause instanceof Fault
            ? { code: cause.code, message: cause.message }
            : { code: 'unreachable', message: 'the relay’s socket could not be made' }
        answer({ type: 'relay.closed', data: { code: 0, failure } })
      }
    },
    'relay.close': async () => {
      sockets += 1
      drop()
    },
    'relay.subscribe': drive(async ({ callId, topics, oneByOne }: EffectData['relay.subscribe']) => {
      const [topic = ''] = topics
      transmit(oneByOne ? subscribeFrame(callId, topic) : batchSubscribeFrame(callId, topics))
      return undefined
    }),
    'relay.fetch': drive(async ({ callId, topics, oneByOne }: EffectData['relay.fetch']) => {
      const [topic = ''] = topics
      transmit(oneByOne ? fetchFrame(callId, topic) : batchFetchFrame(callId, topics))
      return undefined
    }),
    'relay.unsubscribe': drive(async ({ callId, topic }: EffectData['relay.unsubscribe']) => {
      transmit(unsubscribeFrame(callId, topic, subscriptionId(topic, clientId)))
      return undefined
    }),
    'relay.publish': drive(async ({ callId, topic, messageRef, ttl, tag, prompt }: EffectData['relay.publish']) => {
      const message = await envelope(callId, messageRef)
      const about = attestedTags.has(tag) ? attestation(messageRef) : {}
      if (message !== undefined)
        transmit(publishFrame(callId, { topic, message, publishing: { ttl, tag, prompt }, ...about }))
      return undefined
    }),
    'relay.propose': drive(async ({ callId, pairingTopic, messageRef, correlationId }: EffectData['relay.propose']) => {
      const sessionProposal = await envelope(callId, messageRef)
      if (sessionProposal !== undefined)
        transmit(
          proposeFrame(callId, {
            pairingTopic,
            sessionProposal,
            correlationId: Number(correlationId),
            ...attestation(messageRef),
          }),
        )
      return undefined
    }),
    'relay.acknowledge': drive(async ({ pushId }: EffectData['relay.acknowledge']) => {
      transmit(answerTrue(pushId))
      return undefined
    }),
  }
}
