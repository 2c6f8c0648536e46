/**
 * Sends each request to the wallet or the RPC node that has to answer it.
 *
 * 1. A method that a session approved on the chain goes to that session's wallet.
 * 2. A method approved on other chains of the family only, and a signing method, goes to no node: the core refuses it.
 * 3. All other requests go to the chain's node. Its answer is void when the family was left meanwhile.
 */
import { namespaceOf } from '../../../events/values/networks.ts'
import type { ChainAnswer, ChainQuestion } from '../../../events/wire.ts'
import type { Chains } from '../chains.ts'
import { ProviderError, thrown } from '../providerError.ts'
import type { SessionIndex } from '../sessions/sessionIndex.ts'
import { type createAsking, paramsText } from './asking.ts'
import type { CallsSent, ProviderCall } from './callsStatus.ts'
import { signersNamed } from './signerNamed.ts'
import { signs } from './signs.ts'

type Ports = {
  sessions: SessionIndex
  chains: Pick<Chains, 'rpcUrl'>
  asking: Pick<ReturnType<typeof createAsking>, 'ask'>
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** Departures from a family so far. */
  departures(family: string): number
  /** A wallet accepted `wallet_sendCalls`. */
  callsSent(result: unknown, where: CallsSent): void
}

type WalletChoice = { expirySeconds?: number | undefined; topic?: string | undefined }

type Routing = {
  /**
   * Asks the session with this topic if it approved the method, else one that did.
   * @throws ProviderError
   */
  askWallet(call: ProviderCall, chain: string, choice?: WalletChoice): Promise<unknown>
  /** Asks a wallet or the node, whichever has to answer. @throws ProviderError */
  askAny(call: ProviderCall, chain: string, expirySeconds?: number): Promise<unknown>
  /** Asks a node. @throws ProviderError 4900 when the core was lost before it answered */
  askNode(question: ChainQuestion): Promise<ChainAnswer>
}

export function createRouting({ sessions, chains, asking, readChain, departures, callsSent }: Ports): Routing {
  async function askWallet(
    call: ProviderCall,
    chain: string,
    { expirySeconds, topic = '' }: WalletChoice = {},
  ): Promise<unknown> {
    const { method, params } = call
    const session =
      sessions.may(topic, chain, method) ?? sessions.sessionFor(chain, method, signersNamed(method, params))
    // Callers have checked this, but a session may end between two calls of one request
    if (!session) throw thrown.closed()
    const result = await asking.ask(session, chain, call, expirySeconds)
    if (method === 'wallet_sendCalls') callsSent(result, { chain, topic: session.sessionTopic })
    return result
  }

  function askNode(question: ChainQuestion): Promise<ChainAnswer> {
    return readChain(question).catch(() => Promise.reject(thrown.closed()))
  }

  async function read({ method, params }: ProviderCall, chain: string): Promise<unknown> {
    const family = namespaceOf(chain)
    const before = departures(family)
    paramsText(params)
    const answer = await askNode({ url: chains.rpcUrl(chain), method, params: params ?? [] })
    if (departures(family) !== before) throw thrown.closed()
    if ('error' in answer) throw new ProviderError(answer.error.code, answer.error.message, answer.error.data)
    return answer.result
  }

  return {
    askWallet,
    askNode,
    askAny(call, chain, expirySeconds) {
      const { method } = call
      if (sessions.sessionFor(chain, method)) return askWallet(call, chain, { expirySeconds })
      // The core refuses a method that this session did not approve, with the official provider's error
      const refuser =
        sessions.approving(namespaceOf(chain), method) ?? (signs(method) ? sessions.sessionOn(chain) : undefined)
      return refuser ? asking.ask(refuser, chain, call, expirySeconds) : read(call, chain)
    },
  }
}
