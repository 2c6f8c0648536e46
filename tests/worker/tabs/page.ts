/** A small page for tests of the whole worker side: real drivers, real stack, no browser. */
import 'fake-indexeddb/auto'
import type { Model } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel, emptyPageModel } from '../../../src/events/emptyModel.ts'
import type { Command } from '../../../src/events/command.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import {
  type Core,
  type CoreConfig,
  coreCalls,
  type PageEffect,
  type PageHello,
  type PagePort,
  type Wire,
} from '../../../src/events/wire.ts'
import { joinedCalls } from '../../../src/main/page/supervisor/supervisor.ts'
import type { NextLog, Standing } from '../../../src/runtime/wire.ts'
import { createPageCalls } from '../../../src/runtime/page/pageCalls.ts'
import type { Patience } from '../../../src/runtime/tabs/followerTab.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { deviceClock } from '../../../src/runtime/host/timer.ts'
import { createShell, type ShellPorts } from '../../../src/worker/tabs/shell.ts'
import { BrowserSocket } from '../../browserSocket.ts'
import type { Stack } from '../../stack/start.ts'

Object.assign(globalThis, { WebSocket: BrowserSocket })
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { onLine: true } })

export type TestPage = {
  core: Core
  tab: string
  /** States its worker reported while it could not join, in order. */
  standings: Standing[]
  /** Each report whether another build is open beside it. */
  otherBuilds: boolean[]
  /** The log of each next core that it was told to start. */
  restarts: NextLog[]
  /** The reason why its worker gave up, if it did. */
  died(): unknown
  /** Number of joins. */
  joins(): number
  /** The last folded fact. */
  seq(): number
  model(): Model
  facts: FactRecord[]
  effects: PageEffect[]
  command(command: Command): Promise<void>
  /** The same for a program, with its ref. */
  give(command: Command): { ref: string; taken: Promise<void> }
  /** Listens to folded facts; called with none on each join. */
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  /** Resolves when the model fits; rejects after `limitMs`. */
  until<T>(what: string, find: (model: Model) => T | undefined | false | null, limitMs?: number): Promise<T>
}

export function configFor({ addresses }: Pick<Stack, 'addresses'>): CoreConfig {
  return {
    appBuild: 'test',
    coreBuild: 'test',
    projectId: addresses.VITE_PROJECT_ID,
    relayUrls: [addresses.VITE_RELAY_URL],
    solanaRpcUrl: addresses.VITE_SOLANA_RPC_URL,
    apiUrl: addresses.VITE_API_URL,
    configUrl: addresses.VITE_CONFIG_URL,
    termsUrl: addresses.VITE_TERMS_URL,
    sale: { authority: addresses.VITE_SALE_AUTHORITY, id: addresses.VITE_SALE_ID },
    featured: [],
    metadata: { name: 'MAI presale', description: 'test', url: 'http://127.0.0.1', icons: [] },
  }
}

/** @returns the CAIP-2 id of the page's chain, once its node has told; a code that is made before does not ask for a local chain */
export const chainOf = ({ until }: Pick<TestPage, 'until'>): Promise<string> =>
  until('the chain', ({ network }) => network.phase === 'identified' && network.caip2)

/** Starts a worker and joins the core through it, wherever the core runs; joins again on each restart. */
export async function openPage(options: {
  config: CoreConfig
  locks: Locks | undefined
  tab?: string
  cause?: 'start' | 'lost'
  now?: () => number
  visible?: boolean
  patience?: Partial<Patience>
  /** Carries out page effects, beside recording them; not awaited. */
  perform?: (effect: PageEffect, core: Core) => Promise<void>
  /** Resolves before the page has joined. */
  early?: boolean
  /** Input in whose step the page saw the previous core end. */
  diedInStep?: number
  /** The last life known to the page. */
  lastLife?: number
  /** Its worker's name, and the name of the worker it replaced. */
  worker?: string
  ended?: string
  shell?: Pick<ShellPorts, 'stepping' | 'die' | 'registry' | 'loadClient'>
}): Promise<TestPage> {
  const { config, locks, tab = 't-test', cause = 'start', now, patience } = options
  const { visible = true, early = false, diedInStep = 0, lastLife = 0, worker, ended, shell = {} } = options
  let death: unknown
  const core = createShell({
    locks,
    die: fault => (death = fault),
    clock: deviceClock(now),
    ...(patience ? { patience } : {}),
    ...shell,
  })
  const hello: PageHello = {
    tab,
    language: 'en',
    timeZone: 'UTC',
    visible,
    online: true,
    asking: [],
    answered: [],
    diedInStep,
    lastLife,
    ...(worker !== undefined && { worker }),
    ...(ended !== undefined && { ended }),
  }
  const facts: FactRecord[] = []
  const effects: PageEffect[] = []
  const standings: Standing[] = []
  const otherBuilds: boolean[] = []
  const restarts: NextLog[] = []
  const listeners = new Set<() => void>()
  const hearing = new Set<(facts: readonly FactRecord[]) => void>()
  let model: Model = { ...emptyCoreModel(), ...emptyPageModel() }
  let seq = -1
  let waiting: FactRecord[] = []
  let joins = 0
  const calls = createPageCalls<Core, Wire['command']>({
    table: coreCalls,
    names: joinedCalls,
    tab,
    isDurable: () => model.core.storage === 'durable',
    caughtUp() {
      for (const listener of hearing) listener([])
    },
    undelivered: () => undefined,
  })

  const tell = () => {
    for (const listener of listeners) listener()
  }
  function take(): void {
    if (seq < 0) return
    const before = facts.length
    for (const fact of waiting.splice(0)) {
      if (fact.seq <= seq) continue
      if (fact.seq !== seq + 1) throw new Error(`${tab} expected fact ${seq + 1}, got ${fact.seq}`)
      seq = fact.seq
      facts.push(fact)
      fold(model, fact)
    }
    for (const listener of hearing) listener(facts.slice(before))
  }

  async function join(): Promise<void> {
    let standing = await core.standing()
    while (standing !== 'joined') {
      standings.push(standing)
      standing = await core.standing(standing)
    }
    seq = -1
    waiting = []
    const attached = await core.attach({ ...hello, ...held() }, port)
    model = { ...attached.model, ...emptyPageModel() }
    seq = attached.seq
    joins += 1
    calls.attached(core)
    take()
    tell()
  }

  const port: PagePort = {
    async facts(batch) {
      waiting.push(...batch)
      take()
      tell()
    },
    async perform(effect) {
      effects.push(effect)
      tell()
      void options.perform?.(effect, core)
    },
    detached: () => join().catch(() => undefined),
    restart: async next => void restarts.push(next),
    async otherBuild(open) {
      otherBuilds.push(open)
      tell()
    },
  }
  const prompts = new Set(['wallet.signTransaction', 'wallet.signAndSendTransaction'])
  const settled = new Set<string>()
  const held = () => ({
    asking: effects.flatMap(({ id, type }) => (prompts.has(type) && !settled.has(id) ? [id] : [])),
  })

  const page: TestPage = {
    core,
    tab,
    facts,
    effects,
    standings,
    otherBuilds,
    restarts,
    died: () => death,
    joins: () => joins,
    seq: () => seq,
    model: () => model,
    command: command => page.give(command).taken,
    give: calls.give,
    hear(listener) {
      hearing.add(listener)
      return () => void hearing.delete(listener)
    },
    until(what, find, limitMs = 60_000) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = find(model)
          if (!found) return
          clearTimeout(timer)
          listeners.delete(check)
          resolve(found)
        }
        const timer = setTimeout(() => {
          listeners.delete(check)
          const lastFacts = facts.slice(-12).map(fact => `${fact.type} ${JSON.stringify(fact.data).slice(0, 200)}`)
          reject(new Error(`${what} did not come within ${limitMs} ms; last facts:\n${lastFacts.join('\n')}`))
        }, limitMs)
        listeners.add(check)
        check()
      })
    },
  }
  await core.begin(config, hello, cause)
  if (early) void join().catch(() => undefined)
  else await join()
  return page
}
