/** Turns facts about sessions and requests into the events of the official provider. */
import type { CoreModel } from '../../events/app.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import type { EndedRequest, WalletRequest } from '../../events/subjects/session/requestState.ts'
import { isEnded } from '../../events/subjects/session/request.ts'
import { namespaceOf } from '../../events/values/networks.ts'
import { addressOf, type SessionNamespaces } from '../../worker/walletconnect/session/namespaces.ts'
import { createAccountNews } from './accountNews.ts'
import { type Chains, shownChain } from './chains.ts'
import { type UnclaimedAnswer, unclaimedAnswer } from './requests/unclaimedAnswers.ts'
import { ProviderError } from './providerError.ts'
import type { ReadKept } from './requests/requestEnd.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'
import { chainsIn, type ProviderSession, shownSession, usableIn, valueOf } from './sessions/sessions.ts'

/** Arguments of the provider's events, by name. */
export type ProviderEvents = {
  /** A pairing code, to be shown as a QR code. Secret: any wallet with the code can answer the proposal. */
  display_uri: [uri: string]
  /** A wallet approved a session. `chainId` in hex when the session has a chain of Ethereum's family. */
  connect: [news: { session: ProviderSession; chainId?: string }]
  /** A session ended other than by this provider's `disconnect`; its topic is in `data`. */
  disconnect: [error: ProviderError]
  /** The addresses on the default chain changed. */
  accountsChanged: [addresses: string[]]
  /** The default chain changed: in Ethereum's family in hex, as in `0x89`, else the bare reference. */
  chainChanged: [chainId: string]
  /** Any other event of a wallet in Ethereum's family. */
  message: [message: { type: string; data: unknown }]
  session_event: [news: { topic: string; params: { event: { name: string; data: unknown }; chainId: string } }]
  session_update: [news: { topic: string; params: { namespaces: SessionNamespaces } }]
  session_delete: [news: { topic: string }]
  session_expire: [news: { topic: string }]
  /** The relay accepted the request, so the wallet may see it. */
  session_request_sent: [news: { id: string; topic: string; chainId: string; request: { method: string } }]
  /** A wallet answered a request of this page after the request had ended. */
  late_answer: [answer: UnclaimedAnswer]
}

type Ports = {
  model(): CoreModel
  sessions: SessionIndex
  chains: Chains
  emit<E extends keyof ProviderEvents>(event: E, ...args: ProviderEvents[E]): void
  /** This provider's part in a session's end, returned once; undefined when it did not end the session. */
  ownEnd(topic: string): { othersStay: boolean } | undefined
  /** Whether the request is this page's. */
  isOwn(request: WalletRequest): boolean
  /** Whether the request's promise was rejected before its end was known. */
  gaveUp(request: WalletRequest): boolean
  readKept: ReadKept
  /** Stores a default chain with the sessions. */
  keep(chain: string): void
}

type News = {
  /** Facts were folded; an empty list after facts may have been missed. */
  look(facts: readonly FactRecord[]): void
  /** Makes a chain the default of its family. */
  setDefault(chain: string, rpcUrl?: string): void
}

/**
 * Emits the events of sessions and requests; `accountNews.ts` those of chains and addresses.
 *
 * One function, because every event of a session is followed by a look at the addresses.
 */
export function createNews(ports: Ports): News {
  const { model, sessions, chains, emit } = ports
  const { refresh, announced, setDefault } = createAccountNews(ports)
  const topics = new Set(sessions.all().map(({ sessionTopic }) => sessionTopic))

  function settled(topic: string): void {
    const session = model().session[topic]
    if (!session) return
    topics.add(topic)
    const [chain] = chainsIn(usableIn(session), 'eip155')
    const chainId = chain === undefined ? {} : { chainId: shownChain(chains.defaultOf('eip155') ?? chain) }
    emit('connect', { session: shownSession(session), ...chainId })
    refresh()
  }

  function heard(topic: string, { name, data, chainId, chain }: Record<string, unknown>): void {
    const value = valueOf(String(data))
    const family = namespaceOf(String(chainId))
    emit('session_event', { topic, params: { event: { name: String(name), data: value }, chainId: String(chainId) } })
    if (name === 'accountsChanged' && Array.isArray(value)) {
      announced(family, value.filter(one => typeof one === 'string').map(addressOf))
    } else if (name === 'chainChanged') {
      if (typeof chain === 'string') setDefault(chain)
    } else if (family === 'eip155') emit('message', messageOf(String(name), value))
  }

  /** A wallet replaced the session's namespaces. */
  function updated(topic: string): void {
    const session = model().session[topic]
    if (!session) return
    emit('session_update', { topic, params: { namespaces: shownSession(session).namespaces } })
    refresh()
  }

  function deleted(topic: string, by?: string): void {
    topics.delete(topic)
    const end = ports.ownEnd(topic)
    // A departure of a whole family ends with the promise of `disconnect`, without events
    refresh(end?.othersStay === false)
    if (end) return
    if (by === 'expiry') emit('session_expire', { topic })
    else if (by === 'wallet') emit('session_delete', { topic })
    emit('disconnect', new ProviderError(6000, 'User disconnected.', topic))
  }

  /** Finds sessions that ended or came while facts were missed. */
  function catchUp(): void {
    const now = sessions.all().reverse()
    const there = new Set(now.map(({ sessionTopic }) => sessionTopic))
    for (const topic of topics) if (!there.has(topic)) deleted(topic)
    for (const { sessionTopic } of now) if (!topics.has(sessionTopic)) settled(sessionTopic)
    refresh()
  }

  async function tellLate(request: EndedRequest): Promise<void> {
    const answer = await unclaimedAnswer(request, ports.readKept)
    if (answer) emit('late_answer', answer)
  }

  function look(fact: FactRecord): void {
    const { data } = fact
    const topic = String(data.sessionTopic)
    switch (fact.type) {
      case 'session.settled':
        return settled(topic)
      case 'session.eventHeard':
        return heard(topic, data)
      case 'session.updated':
        return updated(topic)
      case 'session.namespaceLeft':
        return refresh()
      case 'session.deleted':
        return deleted(topic, String(data.by))
    }
    const request = model().request[String(data.requestId)]
    if (!request || !ports.isOwn(request)) return
    if (fact.type === 'request.delivered') {
      const { requestId: id, chainId, method, sessionTopic } = request
      return emit('session_request_sent', { id, topic: sessionTopic, chainId, request: { method } })
    }
    if (!isEnded(request)) return
    if (fact.type === 'request.late' || (fact.type === 'request.answered' && ports.gaveUp(request)))
      void tellLate(request)
  }

  return {
    look(facts) {
      if (facts.length === 0) catchUp()
      facts.forEach(look)
    },
    setDefault,
  }
}

/** @returns an event as EIP-1193 has it; the data of one called `message` is in that form already */
function messageOf(name: string, value: unknown): ProviderEvents['message'][0] {
  if (name !== 'message' || typeof value !== 'object' || value === null || !('type' in value))
    return { type: name, data: value }
  return { type: String(value.type), data: 'data' in value ? value.data : null }
}
