/** What a host hears: facts about sessions in the words of the official provider. */
import type { CoreModel } from '../../events/app.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import { type EndedRequest, isEnded, type WalletRequest } from '../../events/subjects/request.ts'
import { namespaceOf } from '../../events/subjects/session.ts'
import { addressOf, type SessionNamespaces } from '../../worker/walletconnect/session/namespaces.ts'
import { type Chains, shownChain } from './chains.ts'
import { type UnclaimedAnswer, unclaimedAnswer } from './requests/unclaimedAnswers.ts'
import { ProviderError } from './providerError.ts'
import type { ReadKept } from './requests/requestEnd.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'
import { chainsIn, type ProviderSession, shownSession, usableIn, valueOf } from './sessions/sessions.ts'

export type ProviderEvents = {
  /** A code for the person's eyes: whoever has it can answer the proposal. */
  display_uri: [uri: string]
  /** `chainId` in hex when the session has a chain of Ethereum's family. */
  connect: [news: { session: ProviderSession; chainId?: string }]
  /** A session ended, but not by this provider's own `disconnect`. */
  disconnect: [error: ProviderError]
  /** Addresses on the default chain. */
  accountsChanged: [addresses: string[]]
  /** The chain that is meant when none is named: in Ethereum's family in hex, as in `0x89`, else its reference alone. */
  chainChanged: [chainId: string]
  /** What a wallet says of Ethereum's family beside accounts and chains. */
  message: [message: { type: string; data: unknown }]
  session_event: [news: { topic: string; params: { event: { name: string; data: unknown }; chainId: string } }]
  session_update: [news: { topic: string; params: { namespaces: SessionNamespaces } }]
  session_delete: [news: { topic: string }]
  session_expire: [news: { topic: string }]
  /** The relay has the request: the wallet may see it any moment. */
  session_request_sent: [news: { id: string; topic: string; chainId: string; request: { method: string } }]
  /** A wallet answered what this page asked, but after that had ended. */
  late_answer: [answer: UnclaimedAnswer]
}

type Ports = {
  model(): CoreModel
  sessions: SessionIndex
  chains: Chains
  emit<E extends keyof ProviderEvents>(event: E, ...args: ProviderEvents[E]): void
  /** What this provider knows of the end when it ended the session itself; asked once. */
  ownEnd(topic: string): { othersStay: boolean } | undefined
  /** Whether this page asked. */
  isOwn(request: WalletRequest): boolean
  /** Whether whoever asked was told that the end is not known. */
  gaveUp(request: WalletRequest): boolean
  readKept: ReadKept
  /** Has a chain that is meant from now on kept over a reload. */
  keep(chain: string): void
}

type News = {
  look(facts: readonly FactRecord[]): void
  /** From now on this chain is meant. */
  setDefault(chain: string, rpcUrl?: string): void
}

type Known = { chain: string | undefined; addresses: readonly string[]; told: readonly string[] }

export function createNews(ports: Ports): News {
  const { model, sessions, chains, emit } = ports
  /** the default chain of each family, the addresses that sessions have on it, and those that were told last */
  const known = new Map<string, Known>()
  const topics = new Set(sessions.all().map(({ sessionTopic }) => sessionTopic))
  refresh(false)

  /** Whoever is shown another chain or other addresses than before is told; a family that came or went is told of otherwise. */
  function refresh(tells = true): void {
    const families = sessions.families()
    for (const family of known.keys()) if (!families.includes(family)) known.delete(family)
    for (const family of families) {
      const before = known.get(family)
      const chain = chains.defaultOf(family)
      const addresses = chain === undefined ? [] : sessions.addressesOn(chain)
      // A wallet that named some of its accounts is not contradicted until its session is another
      const isOther = !before || chain !== before.chain || !isSame(addresses, before.addresses)
      known.set(family, { chain, addresses, told: isOther ? addresses : before.told })
      if (!before || !tells || !isOther) continue
      if (chain !== undefined && chain !== before.chain) emit('chainChanged', shownChain(chain))
      if (!isSame(addresses, before.told)) emit('accountsChanged', [...addresses])
    }
  }

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
      const told = value.filter(one => typeof one === 'string').map(addressOf)
      const before = known.get(family)
      if (before) known.set(family, { ...before, told })
      emit('accountsChanged', [...told])
    } else if (name === 'chainChanged') {
      if (typeof chain === 'string') setDefault(chain)
    } else if (family === 'eip155') emit('message', messageOf(String(name), value))
  }

  function setDefault(chain: string, rpcUrl?: string): void {
    const before = known.get(namespaceOf(chain))?.chain
    chains.set(chain, rpcUrl)
    emit('chainChanged', shownChain(chain))
    const addresses = sessions.addressesOn(chain)
    known.set(namespaceOf(chain), { chain, addresses, told: addresses })
    if (before !== chain) emit('accountsChanged', [...addresses])
    ports.keep(chain)
  }

  /** A wallet replaced what the session may do. */
  function updated(topic: string): void {
    const session = model().session[topic]
    if (!session) return
    emit('session_update', { topic, params: { namespaces: shownSession(session).namespaces } })
    refresh()
  }

  function deleted(topic: string, by?: string): void {
    topics.delete(topic)
    const end = ports.ownEnd(topic)
    refresh(end?.othersStay !== false)
    if (end) return
    if (by === 'expiry') emit('session_expire', { topic })
    else if (by === 'wallet') emit('session_delete', { topic })
    emit('disconnect', new ProviderError(6000, 'User disconnected.', topic))
  }

  /** Facts were missed: what there is says which sessions ended or came. */
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

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((address, at) => address === other[at]))
}

/** @returns what a wallet says, as EIP-1193 has it: a wallet that knows that form is taken at its word */
function messageOf(name: string, value: unknown): ProviderEvents['message'][0] {
  if (name !== 'message' || typeof value !== 'object' || value === null || !('type' in value))
    return { type: name, data: value }
  return { type: String(value.type), data: 'data' in value ? value.data : null }
}
