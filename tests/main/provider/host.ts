/** A small host page: the provider over a real core under the test's control; facts reach it later, as in a page. */
import { type AnyRequest, requestsIn } from '../../events/anyRequest.ts'
import { vi } from 'vitest'
import type { Command } from '../../../src/events/command.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import type { ChainAnswer, ChainQuestion } from '../../../src/events/wire.ts'
import type { ProviderEvents } from '../../../src/main/provider/news.ts'
import type { ConnectOptions } from '../../../src/main/provider/proposal.ts'
import { createProvider, type Provider, type ProviderOptions } from '../../../src/main/provider/provider.ts'
import { ready } from '../../worker/story.ts'
import {
  message,
  open,
  type Payload,
  publicKey,
  sealAll,
  settlement,
  takeAll,
  walletKey,
} from '../../worker/wcStory.ts'
import { tab, type World } from '../../worker/world.ts'

export const holder = `0x${'ab'.repeat(20)}`
export const other = `0x${'cd'.repeat(20)}`

type Approved = Record<string, { accounts: string[]; methods: string[]; events?: string[]; chains?: string[] }>

export const evm = (
  chains = ['eip155:1'],
  methods = ['personal_sign', 'eth_sendTransaction'],
  addresses = [holder],
) => ({
  eip155: { accounts: chains.flatMap(chain => addresses.map(address => `${chain}:${address}`)), methods },
})

const eventNames = [
  'display_uri',
  'connect',
  'disconnect',
  'accountsChanged',
  'chainChanged',
  'message',
  'session_event',
  'session_update',
  'session_delete',
  'session_expire',
  'session_request_sent',
  'late_answer',
] as const satisfies readonly (keyof ProviderEvents)[]

export type Host = {
  world: World
  provider: Provider
  /** events in order: `[name, data]` */
  events: [string, unknown][]
  /** events of a name */
  heard(name: keyof ProviderEvents): unknown[]
  asked: ChainQuestion[]
  /** answers of a node */
  node(answer: (question: ChainQuestion) => ChainAnswer | Promise<ChainAnswer>): void
  /** Facts reach the page. */
  came(what: { facts: readonly FactRecord[] }): void
  /** A message of the wallet. */
  says(topic: string, payload: Payload): Promise<void>
  /** Connects a wallet with this approval; resolves with its session's topic. */
  connect(approved: Approved, more?: Partial<Payload>, options?: ConnectOptions): Promise<string>
  /** The newest request of a page. */
  newest(): AnyRequest
  /** The wallet answers the newest request. */
  answers(result: unknown): Promise<void>
  refuses(error: unknown): Promise<void>
  /** The core closes the channel, and its pages join again. */
  rejoin(): void
  settle(): Promise<void>
  /** Loses every later command before the core. */
  lose(): void
  /** Collects facts of commands there, as if the page were busy; undefined ends it. */
  hold(facts: FactRecord[] | undefined): void
  /** Loses every later acknowledgement. */
  doubt(): void
  /** Later commands have no effect, and ten seconds pass. */
  deaf(): void
  /** The person abandons the attempt to connect. */
  abandon(): Promise<void>
}

/** @param core `lost` when it takes no command, `later` until `lose` is called */
export function createHost(
  options: ProviderOptions = {},
  world: World = ready(),
  platform = true,
  core: 'here' | 'lost' | 'later' = 'here',
  asTab = tab,
): Host {
  let lost = core === 'lost'
  let isDeaf = false
  let inDoubt = false
  let held: FactRecord[] | undefined
  const listeners = new Set<(facts: readonly FactRecord[]) => void>()
  const asked: ChainQuestion[] = []
  const events: Host['events'] = []
  let node: (question: ChainQuestion) => ChainAnswer | Promise<ChainAnswer> = () => ({ result: null })
  let count = 0
  const came: Host['came'] = ({ facts }) => {
    for (const listener of listeners) listener(facts)
  }
  const give = (command: Command) => {
    if (lost) return { ref: 'none', taken: Promise.reject(new Error('the worker is gone')) }
    if (isDeaf) return { ref: 'none', taken: Promise.resolve() }
    const step = world.command(command.type, command.data as never)
    if (held) held.push(...step.facts)
    else queueMicrotask(() => came(step))
    const taken = inDoubt ? Promise.reject(new Error('the worker is gone')) : Promise.resolve()
    return { ref: step.facts[0]?.ref ?? '', taken }
  }
  const provider = createProvider(
    {
      model: () => world.model,
      now: () => world.at,
      platform: platform ? { apiUrl: 'https://rpc.example/', projectId: 'p1' } : { apiUrl: '', projectId: '' },
      tab: asTab,
      give,
      hear(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      pairingUri: async topic => `wc:${topic}@2`,
      answerText: async ref => {
        if (ref === 'lost') throw new Error('the worker is gone')
        return ref === 'kept' ? '"long"' : undefined
      },
      readChain: async question => {
        asked.push(question)
        return node(question)
      },
      guarded: run => run(),
    },
    options,
  )
  for (const name of eventNames) provider.on(name, what => void events.push([name, what]))

  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  const newest = () => requestsIn(world.model).at(-1) as AnyRequest
  const says = async (topic: string, payload: Payload) => {
    came(message(world, topic, payload))
    await settle()
  }

  return {
    world,
    provider,
    events,
    heard: name => events.filter(([one]) => one === name).map(([, what]) => what),
    asked,
    node: answer => void (node = answer),
    came,
    says,
    settle,
    newest,
    async connect(approved, more = {}, connectOptions) {
      count += 1
      const [pairingTopic, sessionTopic] = [`pairing-${count}`, `session-${count}`]
      const wanted = connectOptions ?? {
        optionalNamespaces: Object.fromEntries(
          Object.entries(approved).map(([key, { accounts, methods, events: some = [] }]) => [
            key,
            { chains: accounts.map(account => account.split(':').slice(0, 2).join(':')), methods, events: some },
          ]),
        ),
      }
      const connecting = provider.connect(wanted)
      const { attemptId } = world.last('vault.makePairing').data
      if (world.ordered('relay.open').some(effect => !effect.answered)) open(world)
      await settle()
      came(world.answer('vault.makePairing', 'vault.pairingMade', { attemptId, pairingTopic, publicKey }))
      await settle()
      sealAll(world)
      takeAll(world)
      const { proposalId = '' } = world.model.pairing.open[pairingTopic] ?? {}
      came(message(world, pairingTopic, { kind: 'result', id: proposalId, responderKey: walletKey }))
      came(world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic, sessionTopic }))
      const namespaces = Object.fromEntries(
        Object.entries(approved).map(([key, part]) => [key, { events: [], ...part }]),
      )
      came(message(world, sessionTopic, settlement(world, { namespaces, ...more })))
      sealAll(world)
      takeAll(world)
      await connecting
      return sessionTopic
    },
    async answers(result) {
      const { requestId: id, sessionTopic } = newest()
      await says(sessionTopic, { kind: 'result', id, answer: JSON.stringify(result) })
    },
    async refuses(error) {
      const { requestId: id, sessionTopic } = newest()
      const given = (typeof error === 'object' ? error : { message: error }) as { code?: number; message?: string }
      const read = { code: given.code ?? 0, message: given.message ?? '' }
      await says(sessionTopic, { kind: 'error', id, error: read, answer: JSON.stringify(error) })
    },
    rejoin: () => came({ facts: [] }),
    lose: () => void (lost = true),
    hold: facts => void (held = facts),
    doubt: () => void (inDoubt = true),
    deaf() {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      isDeaf = true
      queueMicrotask(() => void vi.advanceTimersByTimeAsync(10_000).finally(() => vi.useRealTimers()))
    },
    async abandon() {
      came(world.command('connection.abandon', {}))
      await settle()
    },
  }
}
