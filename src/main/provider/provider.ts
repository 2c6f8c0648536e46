/**
 * The EIP-1193 provider, for every family of chains. A family is a CAIP-2 namespace, such as `eip155`.
 *
 * 1. `requests/` sends each request to a wallet or to the chain's node, `news.ts` turns facts into events, `leaving.ts` ends
 *    sessions, `connecting.ts` makes them.
 * 2. The provider stores no sessions: the model has them, and facts settle every promise.
 * 3. All parts have taken in a batch of facts, the session index first, before a promise continues.
 *
 * @see reference "WalletConnect", §22; EIP-1193, EIP-3085, EIP-3326, EIP-5792
 */
import { idIn } from '../../events/values/reference.ts'
import EventEmitter from 'eventemitter3'
import type { CoreModel } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { isRecord } from '../../runtime/json/isRecord.ts'
import type { Command } from '../../events/command.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import type { WalletRequest } from '../../events/subjects/session/requestState.ts'
import { namespaceOf } from '../../events/values/networks.ts'
import type { ChainAnswer, ChainQuestion } from '../../events/wire.ts'
import { createCalling } from './calling.ts'
import { createAsking, jsonOf } from './requests/asking.ts'
import { createCallsStatus } from './requests/callsStatus.ts'
import { createRouting } from './requests/routing.ts'
import type { Platform } from '../platformUrl.ts'
import { createChains, type RpcMap } from './chains.ts'
import { createConnecting } from './connecting.ts'
import { type AddedChain, createEip155 } from './eip155.ts'
import { createLeaving, type SessionLeft } from './leaving.ts'
import { createNews, type ProviderEvents } from './news.ts'
import { checkOptions, type ConnectOptions } from './proposal.ts'
import { thrown } from './providerError.ts'
import { type UnclaimedAnswer, unclaimedAnswers } from './requests/unclaimedAnswers.ts'
import { createSessionIndex } from './sessions/sessionIndex.ts'
import { type ProviderSession, shownSession } from './sessions/sessions.ts'

type ProviderPorts = {
  model(): CoreModel
  now(): number
  platform: Platform
  /** The page's name, the prefix of its commands' refs. */
  tab: string
  give(command: Command): { ref: string; taken: Promise<void> }
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  pairingUri(pairingTopic: string): Promise<string | undefined>
  answerText(resultRef: string): Promise<string | undefined>
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** Runs a host's code; its errors are reported and stop nothing here. */
  guarded(run: () => void): void
}

/** Options of a host, all optional. Chains are CAIP-2. */
export type ProviderOptions = {
  /** RPC addresses by chain: `{ 'eip155:1': 'https://…' }`. They never leave this page and its worker. */
  rpcMap?: RpcMap
  /** Chain of a request that names none, by family: `{ eip155: 'eip155:137' }`. */
  defaultChains?: Readonly<Record<string, string>>
  /** Parameters of `wallet_addEthereumChain`, by chain: sent to a wallet that lacks the chain. */
  networks?: Readonly<Record<string, AddedChain>>
  /** Probes each node by a call `test` before its first request: any HTTP answer counts. Default false. */
  ping?: boolean
}

type Listener<E extends keyof ProviderEvents> = (...args: ProviderEvents[E]) => void

/** The EIP-1193 provider. `on`, `once`, `off` and `removeListener` are those of Node's emitter. */
export type Provider = {
  /** The newest session; undefined when there is none. */
  readonly session: ProviderSession | undefined
  /** All sessions, the newest first. */
  readonly sessions: ProviderSession[]
  /**
   * Sends a request to a wallet that approved the method on the chain, else to the chain's node. Of several such wallets the
   * one whose account the params name is asked, of several with this account the active connection's, else the newest session's. A method approved on other chains of the family
   * only, and a signing method without approval, are refused with code 5.
   *
   * @param chain CAIP-2, or a family alone for its default chain; by default the newest session's first family
   * @param expirySeconds time for the wallet, 300 to 604800; default 900
   * @returns the result as parsed JSON; integers beyond ±(2^53 - 1) are bigints, digit for digit
   * @throws ProviderError
   */
  request<T = unknown>(
    request: { method: string; params?: unknown },
    chain?: string,
    expirySeconds?: number,
  ): Promise<T>
  /** Emits `display_uri` with a pairing code; resolves with the session once a wallet has approved. @throws ProviderError */
  connect(options: ConnectOptions): Promise<ProviderSession>
  /** Connects with the options of the last `connect` when there is no session. @returns the addresses on the default chain */
  enable(): Promise<string[]>
  /**
   * Ends every session, one session, or one family of one or of every session. Resolves when the model says so; everything
   * not named stays.
   *
   * @param what a family, or `{ topic, family? }` for one session
   * @throws ProviderError when the session does not exist, no session has the family, or 10 s have passed
   */
  disconnect(what?: string | SessionLeft): Promise<void>
  /**
   * Sets the default chain of its family without asking a wallet; does nothing without a session.
   *
   * @param rpcUrl the chain's RPC address from now on
   * @throws ProviderError when no session has the family
   */
  setDefaultChain(chain: string, rpcUrl?: string): void
  /** Asks a session's wallet for a sign of life, by default the newest's. Resolves with its answer. @throws ProviderError */
  ping(topic?: string): Promise<void>
  /** Asks a session's wallet for seven more days, by default the newest's. Resolves once it agreed. @throws ProviderError */
  extend(topic?: string): Promise<void>
  /**
   * Sends a session's wallet an event, whose name it approved for the chain. Resolves once the relay has it.
   *
   * @param event `data` is JSON, absent as null
   * @param chain as for `request`
   * @param topic by default the newest session's
   * @throws ProviderError
   */
  emitEvent(event: { name: string; data?: unknown }, chain?: string, topic?: string): Promise<void>
  /** Stored answers that no promise got: to requests of earlier pages, or after the request had ended. */
  answers(): Promise<UnclaimedAnswer[]>
  on<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  once<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  off<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  removeListener<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
}

/**
 * Makes a provider over the model of a running page.
 *
 * One function, because news, requests and departures need each other, and the provider's methods need all of them.
 */
export function createProvider(ports: ProviderPorts, options: ProviderOptions = {}): Provider {
  const { model, give, platform, answerText } = ports
  const events = new EventEmitter<ProviderEvents>()
  const sessions = createSessionIndex(model, () => activeConnection(model())?.connection.sessionTopic)
  const chains = createChains(platform, sessions, sessions.all())
  for (const [chain, url] of Object.entries(options.rpcMap ?? {}))
    chains.configure(namespaceOf(chain), { rpcMap: { [chain]: url } })
  for (const [family, defaultChain] of Object.entries(options.defaultChains ?? {}))
    chains.configure(family, { defaultChain })
  let lastOptions: ConnectOptions = {}

  const emit = <E extends keyof ProviderEvents>(event: E, ...args: ProviderEvents[E]): void => {
    // `ProviderEvents` types the arguments; the emitter's own types cannot follow a generic event
    ports.guarded(() => void (events.emit as (name: string, ...given: unknown[]) => boolean)(event, ...args))
  }
  const asking = createAsking({ model, give, readKept: answerText })
  const connecting = createConnecting({
    model,
    give,
    pairingUri: ports.pairingUri,
    show: uri => emit('display_uri', uri),
  })
  const calling = createCalling({ model, give })
  const isOwn = ({ purpose }: WalletRequest) => idIn('page', purpose)?.startsWith(`${ports.tab}.`) === true
  const leaving = createLeaving({ model, give, sessions })
  const news = createNews({
    model,
    sessions,
    chains,
    emit,
    ownEnd: leaving.ownEnd,
    isOwn,
    gaveUp: ({ purpose }) => asking.gaveUp(purpose),
    readKept: answerText,
    keep,
  })
  const { askWallet, askAny, askNode } = createRouting({
    sessions,
    chains,
    asking,
    readChain: options.ping ? question => ports.readChain({ ...question, ping: true }) : ports.readChain,
    departures: leaving.departures,
    callsSent: (result, where) => status.sent(result, where),
  })
  const status = createCallsStatus({
    model,
    sessions,
    now: ports.now,
    platform,
    readChain: askNode,
    askWallet: (call, chain, topic) => askWallet(call, chain, { topic }),
  })
  const eip155 = createEip155({
    sessions,
    askWallet: (call, chain, topic) => askWallet(call, chain, { topic }),
    askAny,
    callsStatus: status.status,
    setDefault: news.setDefault,
    networks: options.networks ?? {},
  })

  ports.hear(facts => {
    sessions.look(facts)
    chains.look()
    eip155.look(facts)
    asking.look(facts)
    connecting.look(facts)
    calling.look(facts)
    news.look(facts)
    leaving.look()
  })

  /**
   * Stores a default chain with the sessions, so that it survives a reload: with the family's newest session, which a later
   * page reads first, and with the session that has the chain, which may outlive the newest.
   */
  function keep(chain: string): void {
    const family = namespaceOf(chain)
    for (const session of new Set([sessions.newestOf(family), sessions.sessionOn(chain)])) {
      if (!session || session.chains[family] === chain) continue
      const { sessionTopic } = session
      // The chain holds for this page even if the core does not store it
      give({ type: 'session.setChain', data: { sessionTopic, chainId: chain } }).taken.catch(() => undefined)
    }
  }

  /** @returns the chain of a request. @throws ProviderError when no session has its family */
  function chainMeant(chain: string | undefined): string {
    const [family = sessions.families()[0], reference] = chain === undefined ? [] : String(chain).split(':')
    if (family === undefined || !sessions.hasFamily(family)) throw thrown.noNamespace(family ?? '')
    if (reference !== undefined && reference !== '') return `${family}:${reference}`
    return chains.defaultOf(family) ?? family
  }

  /** @returns the topic of the session that is called. @throws ProviderError when there is none */
  function topicMeant(topic: string | undefined): string {
    const meant = topic ?? sessions.newest()?.sessionTopic
    if (meant === undefined) throw thrown.notConnected()
    return String(meant)
  }

  const provider: Provider = {
    get session() {
      const newest = sessions.newest()
      return newest && shownSession(newest)
    },
    get sessions() {
      return sessions.all().map(shownSession)
    },
    async request<T>(request: { method: string; params?: unknown }, chain?: string, expirySeconds?: number) {
      if (!sessions.newest()) throw thrown.notConnected()
      if (typeof request !== 'object' || request === null) throw thrown.noParams(request)
      const { method, params } = request
      const meant = chainMeant(chain)
      if (typeof method !== 'string' || method === '') throw thrown.noMethod(textOf(request))
      if (expirySeconds !== undefined && !(typeof expirySeconds === 'number' && Number.isFinite(expirySeconds)))
        throw thrown.badExpiry(String(expirySeconds))
      const call = { method, params }
      const local =
        namespaceOf(meant) === 'eip155' && Object.hasOwn(eip155.methods, method) ? eip155.methods[method] : undefined
      const seconds = expirySeconds === undefined ? undefined : Math.floor(expirySeconds)
      return (await (local ? local(call, meant) : askAny(call, meant, seconds))) as T
    },
    async connect(given) {
      checkOptions(given)
      lastOptions = given
      for (const part of [given.namespaces ?? {}, given.optionalNamespaces ?? {}])
        for (const [key, { rpcMap, defaultChain }] of Object.entries(part))
          chains.configure(namespaceOf(key), { rpcMap, defaultChain })
      return shownSession(await connecting.connect(given))
    },
    async enable() {
      if (!sessions.newest()) await provider.connect(lastOptions)
      return [...sessions.addressesOn(chainMeant(undefined))]
    },
    async disconnect(what) {
      if (!sessions.newest()) throw thrown.notEnabled()
      await (typeof what === 'object' && what !== null ? leaving.leaveOne(what) : leaving.leaveAll(what))
    },
    setDefaultChain(chain, rpcUrl) {
      if (sessions.newest()) news.setDefault(chainMeant(chain), rpcUrl)
    },
    ping: async topic => calling.call({ type: 'session.ping', data: { sessionTopic: topicMeant(topic) } }),
    extend: async topic => calling.call({ type: 'session.extend', data: { sessionTopic: topicMeant(topic) } }),
    async emitEvent(event, chain, topic) {
      const sessionTopic = topicMeant(topic)
      if (!isRecord(event)) throw thrown.badCall('emitEvent() expected an event with a name')
      const { name, data = null } = event
      const text = jsonOf(data)
      if (text === undefined) throw thrown.badCall('emitEvent() expected JSON as data, got what JSON cannot hold')
      const asked = { sessionTopic, event: String(name), chainId: chainMeant(chain), data: text }
      await calling.call({ type: 'session.emit', data: asked })
    },
    answers: () => unclaimedAnswers(model(), request => isOwn(request) && !asking.gaveUp(request.purpose), answerText),
    on: (event, listener) => hearing('on', event, listener),
    once: (event, listener) => hearing('once', event, listener),
    off: (event, listener) => hearing('off', event, listener),
    removeListener: (event, listener) => hearing('off', event, listener),
  }
  /** @returns the provider, so that calls chain as with Node's emitter */
  function hearing<E extends keyof ProviderEvents>(
    how: 'on' | 'once' | 'off',
    event: E,
    listener: Listener<E>,
  ): Provider {
    events[how](event, listener as () => void)
    return provider
  }
  return provider
}

/** @returns a request's text, quoted in errors as the official provider does */
function textOf(request: unknown): string {
  try {
    return JSON.stringify(request)
  } catch {
    return String(request)
  }
}
