/** What a host hears: facts about sessions in the words of the official provider. */
import type { CoreModel } from '../../events/app.ts'
import type { FactRecord } from '../../events/record.ts'
import type { WalletRequest } from '../../events/subjects/request.ts'
import { namespaceOf } from '../../events/subjects/session.ts'
import { addressOf, type SessionNamespaces } from '../../worker/walletconnect/namespaces.ts'
import { type Chains, referenceOf } from './chains.ts'
import { hexOf } from './eip155.ts'
import { type KeptAnswer, keptAnswer } from './keptAnswers.ts'
import { ProviderError } from './providerError.ts'
import type { ReadKept } from './requestEnd.ts'
import { addressesOn, chainsOf, families, type ProviderSession, shownSession, valueOf } from './sessions.ts'

export type ProviderEvents = {
  /** A code for the person's eyes: whoever has it can answer the proposal. */
  display_uri: [uri: string]
  /** `chainId` in hex when the session has a chain of Ethereum's family. */
  connect: [news: { session: ProviderSession; chainId?: string }]
  /** A session ended, but not by this provider's own `disconnect`. */
  disconnect: [error: ProviderError]
  /** Addresses on the default chain. */
  accountsChanged: [addresses: string[]]
  /** A chain's reference alone, as in `137`. */
  chainChanged: [reference: string]
  session_event: [news: { topic: string; params: { event: { name: string; data: unknown }; chainId: string } }]
  session_update: [news: { topic: string; params: { namespaces: SessionNamespaces } }]
  session_delete: [news: { topic: string }]
  session_expire: [news: { topic: string }]
  /** The relay has the request: the wallet may see it any moment. */
  session_request_sent: [news: { id: string; topic: string; chainId: string; request: { method: string } }]
  /** A wallet answered what this page asked, but after that had ended. */
  late_answer: [answer: KeptAnswer]
}

type Ports = {
  model(): CoreModel
  chains: Chains
  emit<E extends keyof ProviderEvents>(event: E, ...args: ProviderEvents[E]): void
  /** Whether this provider ended the session itself; asked once. */
  isOwnEnd(topic: string): boolean
  /** Whether this page asked. */
  isOwn(request: WalletRequest): boolean
  readKept: ReadKept
}

export type News = {
  look(facts: readonly FactRecord[]): void
  /** From now on this chain is meant. */
  setDefault(chain: string, rpcUrl?: string): void
}

export function createNews({ model, chains, emit, isOwnEnd, isOwn, readKept }: Ports): News {
  /** the default chain of each family and the addresses on it, as they were told or known last */
  let known = lookAround()

  function lookAround(): Map<string, { chain: string | undefined; addresses: string }> {
    return new Map(
      families(model()).map(family => {
        const chain = chains.defaultOf(model(), family)
        return [family, { chain, addresses: chain === undefined ? '' : addressesOn(model(), chain).join() }]
      }),
    )
  }

  function settled(topic: string): void {
    const session = model().session[topic]
    if (!session) return
    const [chain] = chainsOf(session, 'eip155')
    const chainId =
      chain === undefined ? {} : { chainId: hexOf(referenceOf(chains.defaultOf(model(), 'eip155') ?? chain)) }
    emit('connect', { session: shownSession(session), ...chainId })
  }

  function heard(topic: string, { name, data, chainId, chain }: Record<string, unknown>): void {
    const value = valueOf(String(data))
    emit('session_event', { topic, params: { event: { name: String(name), data: value }, chainId: String(chainId) } })
    if (name === 'accountsChanged' && Array.isArray(value)) {
      const addresses = value.filter(one => typeof one === 'string').map(addressOf)
      const family = namespaceOf(String(chainId))
      known.set(family, { chain: known.get(family)?.chain, addresses: addresses.join() })
      emit('accountsChanged', addresses)
    }
    if (name === 'chainChanged' && typeof chain === 'string') setDefault(chain)
  }

  function setDefault(chain: string, rpcUrl?: string): void {
    const before = known.get(namespaceOf(chain))?.chain
    chains.set(chain, rpcUrl)
    emit('chainChanged', referenceOf(chain))
    const addresses = addressesOn(model(), chain)
    known.set(namespaceOf(chain), { chain, addresses: addresses.join() })
    if (before !== chain) emit('accountsChanged', addresses)
  }

  /** A wallet replaced what the session may do: whoever is shown other addresses than before is told. */
  function updated(topic: string): void {
    const session = model().session[topic]
    if (!session) return
    emit('session_update', { topic, params: { namespaces: shownSession(session).namespaces } })
    const before = known
    known = lookAround()
    for (const [family, { chain, addresses }] of known)
      if (before.has(family) && before.get(family)?.addresses !== addresses)
        emit('accountsChanged', chain === undefined ? [] : addressesOn(model(), chain))
  }

  function deleted(topic: string, by: string): void {
    known = lookAround()
    if (isOwnEnd(topic)) return
    if (by === 'expiry') emit('session_expire', { topic })
    else if (by === 'wallet') emit('session_delete', { topic })
    emit('disconnect', new ProviderError(6000, 'User disconnected.', topic))
  }

  async function tellLate(request: WalletRequest): Promise<void> {
    const answer = await keptAnswer(request, readKept)
    if (answer) emit('late_answer', answer)
  }

  function look(fact: FactRecord): void {
    const { data } = fact
    const topic = String(data.sessionTopic)
    const request = model().request[String(data.requestId)]
    switch (fact.type) {
      case 'session.settled':
        known = lookAround()
        return settled(topic)
      case 'session.eventHeard':
        return heard(topic, data)
      case 'session.updated':
        return updated(topic)
      case 'session.deleted':
        return deleted(topic, String(data.by))
      case 'request.delivered': {
        if (!request || !isOwn(request)) return
        const { requestId: id, chainId, method, sessionTopic } = request
        return emit('session_request_sent', { id, topic: sessionTopic, chainId, request: { method } })
      }
      case 'request.late':
        if (request && isOwn(request)) void tellLate(request)
    }
  }

  return { look: facts => facts.forEach(look), setDefault }
}
