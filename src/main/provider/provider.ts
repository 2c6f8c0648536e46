/**
 * A provider as EIP-1193 has it, for every family of chains: what a wallet approved is asked of the wallet, everything else is
 * read from the chain's node. It keeps no state of sessions: they are the model's, and every promise is settled by facts.
 *
 * @see reference "WalletConnect", §22; EIP-1193, EIP-3085, EIP-3326, EIP-5792
 */
import { idIn } from '../../events/values/reference.ts'
import EventEmitter from 'eventemitter3'
import type { CoreModel } from '../../events/app.ts'
import type { Command } from '../../events/command.ts'
import { own } from '../../runtime/schema/own.ts'
import type { FactRecord } from '../../runtime/log/record.ts'
import type { WalletRequest } from '../../events/subjects/request.ts'
import { namespaceOf } from '../../events/subjects/session.ts'
import type { ChainAnswer, ChainQuestion } from '../../events/wire.ts'
import { createAsking, paramsText } from './requests/asking.ts'
import { type ProviderCall, createCallsStatus } from './requests/callsStatus.ts'
import { createChains, type Platform, type RpcMap } from './chains.ts'
import { createConnecting } from './connecting.ts'
import { type AddedChain, createEip155 } from './eip155.ts'
import { createNews, type ProviderEvents } from './news.ts'
import { checkOptions, type ConnectOptions } from './proposal.ts'
import { ProviderError, thrown } from './providerError.ts'
import { type UnclaimedAnswer, unclaimedAnswers } from './requests/unclaimedAnswers.ts'
import { createSessionIndex } from './sessions/sessionIndex.ts'
import { familiesIn, type ProviderSession, shownSession } from './sessions/sessions.ts'
import { signersNamed } from './requests/signerNamed.ts'
import { signs } from './requests/signs.ts'

type ProviderPorts = {
  model(): CoreModel
  now(): number
  platform: Platform
  /** this page's name in refs of commands */
  tab: string
  give(command: Command): { ref: string; taken: Promise<void> }
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  pairingUri(pairingTopic: string): Promise<string | undefined>
  answerText(resultRef: string): Promise<string | undefined>
  readChain(question: ChainQuestion): Promise<ChainAnswer>
  /** Runs a host's code, whose errors are its own. */
  guarded(run: () => void): void
}

export type ProviderOptions = {
  /** Where chains are read, by chain: `{ 'eip155:1': 'https://…' }`. Such an address never leaves this page and its worker. */
  rpcMap?: RpcMap
  /** The chain that is meant when a request names none, by family: `{ eip155: 'eip155:137' }`. */
  defaultChains?: Readonly<Record<string, string>>
  /** What a wallet is told of a chain that it does not have yet, by chain. */
  networks?: Readonly<Record<string, AddedChain>>
}

/** One of several sessions, or one family in it. */
type SessionLeft = { topic: string; family?: string }

type Listener<E extends keyof ProviderEvents> = (...args: ProviderEvents[E]) => void

export type Provider = {
  /** The newest session, undefined when there is none. */
  readonly session: ProviderSession | undefined
  /** the newest first */
  readonly sessions: ProviderSession[]
  /**
   * Asks the wallet that approved the method on the chain, else the chain's node. Of several such wallets the one whose
   * account the params name is asked, else the newest one. What a wallet approved for other chains only, and what signs, is
   * refused where no wallet may be asked it.
   *
   * @param chain CAIP-2, or a family alone; without one the newest session's first family at its default chain
   * @param expirySeconds how long a wallet may take, 300 to 604800; 900 when it is not given
   * @returns the result as JSON has it, but whole numbers beyond ±(2^53 - 1) are bigints, digit for digit
   * @throws ProviderError
   */
  request<T = unknown>(
    request: { method: string; params?: unknown },
    chain?: string,
    expirySeconds?: number,
  ): Promise<T>
  /** Shows a code by `display_uri`, and resolves when a wallet has approved. @throws ProviderError */
  connect(options: ConnectOptions): Promise<ProviderSession>
  /** Connects if nobody is, as `connect` was told the last time. @returns the addresses on the default chain */
  enable(): Promise<string[]>
  /**
   * Ends every session, or the one that is named; of a family alone leaves it in each session that has it. Everything else
   * stays.
   *
   * @param what a family, or a session by its `topic`, with or without a family
   * @throws ProviderError when no such session is there, or it has no such family
   */
  disconnect(what?: string | SessionLeft): Promise<void>
  /** Nobody is asked. Without a session it is ignored. @throws ProviderError when no session has the family */
  setDefaultChain(chain: string, rpcUrl?: string): void
  /** Answers of wallets that this page did not wait for, or not any more: after a reload, or too late. */
  answers(): Promise<UnclaimedAnswer[]>
  on<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  once<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  off<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
  removeListener<E extends keyof ProviderEvents>(event: E, listener: Listener<E>): Provider
}

const disconnectMs = 10_000

export function createProvider(ports: ProviderPorts, options: ProviderOptions = {}): Provider {
  const { model, give, platform, readChain, answerText } = ports
  const events = new EventEmitter<ProviderEvents>()
  const sessions = createSessionIndex(model)
  const chains = createChains(platform, sessions, sessions.all())
  for (const [chain, url] of Object.entries(options.rpcMap ?? {}))
    chains.configure(namespaceOf(chain), { rpcMap: { [chain]: url } })
  for (const [family, defaultChain] of Object.entries(options.defaultChains ?? {}))
    chains.configure(family, { defaultChain })
  let lastOptions: ConnectOptions = {}
  /** sessions this provider ends by itself, of which it does not tell, and whether others of their families stay */
  const ending = new Map<string, { othersStay: boolean }>()
  /** times each family was left: what was read for a connection that is over is nobody's */
  const left = new Map<string, number>()
  const watching = new Set<() => void>()

  const emit = <E extends keyof ProviderEvents>(event: E, ...args: ProviderEvents[E]): void => {
    // Typed by the table; the emitter's own types cannot follow a generic event
    ports.guarded(() => void (events.emit as (name: string, ...given: unknown[]) => boolean)(event, ...args))
  }
  const asking = createAsking({ model, give, readKept: answerText })
  const connecting = createConnecting({
    model,
    give,
    pairingUri: ports.pairingUri,
    show: uri => emit('display_uri', uri),
  })
  const isOwn = ({ purpose }: WalletRequest) => idIn('page', purpose)?.startsWith(`${ports.tab}.`) === true
  const news = createNews({
    model,
    sessions,
    chains,
    emit,
    ownEnd(topic) {
      const end = ending.get(topic)
      ending.delete(topic)
      return end
    },
    isOwn,
    gaveUp: ({ purpose }) => asking.gaveUp(purpose),
    readKept: answerText,
    keep,
  })
  const status = createCallsStatus({
    model,
    sessions,
    now: ports.now,
    platform,
    readChain: ask,
    askWallet: (call, chain, topic) => askWallet(call, chain, { topic }),
  })
  const eip155 = createEip155({
    sessions,
    askWallet: (call, chain, topic) => askWallet(call, chain, { topic }),
    askAny: (call, chain) => askAny(call, chain),
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
    news.look(facts)
    for (const look of watching) look()
  })

  /**
   * With the newest session of the family, so that of several kept ones the newest is the last that was set, and with the
   * one that has the chain, so that it outlives the other.
   */
  function keep(chain: string): void {
    const family = namespaceOf(chain)
    for (const session of new Set([sessions.newestOf(family), sessions.sessionOn(chain)])) {
      if (!session || session.chains[family] === chain) continue
      const { sessionTopic } = session
      // A page that cannot have it kept means this chain all the same
      give({ type: 'session.setChain', data: { sessionTopic, chainId: chain } }).taken.catch(() => undefined)
    }
  }

  async function askWallet(
    call: ProviderCall,
    chain: string,
    { expirySeconds, topic = '' }: { expirySeconds?: number | undefined; topic?: string | undefined } = {},
  ): Promise<unknown> {
    const { method, params } = call
    const session =
      sessions.may(topic, chain, method) ?? sessions.sessionFor(chain, method, signersNamed(method, params))
    // Whoever calls this has looked; a session may have ended between two questions of one request
    if (!session) throw thrown.closed()
    const result = await asking.ask(session, chain, call, expirySeconds)
    if (method === 'wallet_sendCalls') status.sent(result, { chain, topic: session.sessionTopic })
    return result
  }

  /** A core that is gone before it has answered is no fault of the question. */
  function ask(question: ChainQuestion): Promise<ChainAnswer> {
    return readChain(question).catch(() => Promise.reject(thrown.closed()))
  }

  async function read({ method, params }: ProviderCall, chain: string): Promise<unknown> {
    const family = namespaceOf(chain)
    const before = left.get(family)
    paramsText(params)
    const answer = await ask({ url: chains.rpcUrl(chain), method, params: params ?? [] })
    if (left.get(family) !== before) throw thrown.closed()
    if ('error' in answer) throw new ProviderError(answer.error.code, answer.error.message, answer.error.data)
    return answer.result
  }

  /** What is a wallet's to answer is never a node's: where no wallet may be asked it, the core refuses it in the official words. */
  function askAny(call: ProviderCall, chain: string, expirySeconds?: number): Promise<unknown> {
    const { method } = call
    if (sessions.sessionFor(chain, method)) return askWallet(call, chain, { expirySeconds })
    const refuser =
      sessions.approving(namespaceOf(chain), method) ?? (signs(method) ? sessions.sessionOn(chain) : undefined)
    return refuser ? asking.ask(refuser, chain, call, expirySeconds) : read(call, chain)
  }

  /** @returns the chain that is meant */
  function chainMeant(chain: string | undefined): string {
    const [family = sessions.families()[0], reference] = chain === undefined ? [] : String(chain).split(':')
    if (family === undefined || !sessions.hasFamily(family)) throw thrown.noNamespace(family ?? '')
    if (reference !== undefined && reference !== '') return `${family}:${reference}`
    return chains.defaultOf(family) ?? family
  }

  /** Resolves once the model says so. */
  function until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (isSo()) end(resolve)
      }
      const end = (how: () => void) => {
        watching.delete(look)
        clearTimeout(timer)
        how()
      }
      const timer = setTimeout(() => end(() => reject(thrown.stillThere())), disconnectMs)
      watching.add(look)
      look()
    })
  }

  async function leave({ topic, family, othersStay }: SessionLeft & { othersStay: boolean }): Promise<void> {
    const isLast = family === undefined || familiesOf(topic).length === 1
    if (isLast) ending.set(topic, { othersStay })
    const { taken } = give({
      type: 'session.disconnect',
      data: { sessionTopic: topic, ...(family === undefined ? {} : { namespace: family }) },
    })
    const gone = until(() => {
      return model().session[topic] === undefined || (family !== undefined && !familiesOf(topic).includes(family))
    })
    await Promise.all([taken.catch(() => Promise.reject(thrown.notInitialized())), gone]).catch((cause: unknown) => {
      ending.delete(topic)
      throw cause
    })
  }

  const familiesOf = (topic: string): string[] => familiesIn(own(model().session, topic)?.namespaces ?? {})

  function leaveOne({ topic, family }: SessionLeft): Promise<void> {
    if (!own(model().session, topic)) throw thrown.noSession(String(topic))
    const its = familiesOf(topic)
    if (family !== undefined && !its.includes(family)) throw thrown.noNamespace(family)
    for (const one of family === undefined ? its : [family]) if (sessions.withFamily(one).length <= 1) forgetReads(one)
    return leave({ topic, ...(family === undefined ? {} : { family }), othersStay: true })
  }

  function forgetReads(family: string): void {
    left.set(family, (left.get(family) ?? 0) + 1)
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
      if (typeof what === 'object' && what !== null) return leaveOne(what)
      const those = what === undefined ? sessions.all() : sessions.withFamily(what)
      if (what !== undefined && those.length === 0) throw thrown.noNamespace(what)
      for (const one of what === undefined ? sessions.families() : [what]) forgetReads(one)
      const family = what === undefined ? {} : { family: what }
      await Promise.all(those.map(({ sessionTopic: topic }) => leave({ topic, ...family, othersStay: false })))
    },
    setDefaultChain(chain, rpcUrl) {
      if (sessions.newest()) news.setDefault(chainMeant(chain), rpcUrl)
    },
    answers: () => unclaimedAnswers(model(), request => isOwn(request) && !asking.gaveUp(request.purpose), answerText),
    on: (event, listener) => hearing('on', event, listener),
    once: (event, listener) => hearing('once', event, listener),
    off: (event, listener) => hearing('off', event, listener),
    removeListener: (event, listener) => hearing('off', event, listener),
  }
  /** Calls may be chained, as with Node's emitter. */
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

/** @returns a request as the official provider quotes it */
function textOf(request: unknown): string {
  try {
    return JSON.stringify(request)
  } catch {
    return String(request)
  }
}
