/** A page in small for tests of the whole worker side: real drivers, real stack, no browser. */
import 'fake-indexeddb/auto'
import { WebSocket } from 'ws'
import { emptyPageModel, fold, type Model } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'
import type { FactRecord } from '../../../src/events/record.ts'
import type { Core, CoreConfig, PageEffect, PageHello, PagePort } from '../../../src/events/wire.ts'
import { createShell, type ShellPorts } from '../../../src/worker/shell.ts'
import type { Stack } from '../../stack/start.ts'

Object.assign(globalThis, { WebSocket })
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { onLine: true } })

/** Locks of one origin: first come, first served. */
export function createLocks(): Pick<LockManager, 'request'> {
  let last: Promise<unknown> = Promise.resolve()
  const request = (_name: string, options: LockOptions, run: (lock: Lock | null) => Promise<unknown>) => {
    const before = last
    const result = new Promise((resolve, reject) => {
      let gone = false
      options.signal?.addEventListener('abort', () => {
        gone = true
        reject(options.signal?.reason)
      })
      void before.then(() => (gone ? undefined : run(null).then(resolve, reject)))
    })
    last = result.catch(() => undefined)
    return result
  }
  return { request: request as LockManager['request'] }
}

export type TestPage = {
  core: Core
  model(): Model
  facts: FactRecord[]
  effects: PageEffect[]
  command(command: Command): Promise<void>
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
    apiUrl: addresses.VITE_CONFIG_URL,
    termsUrl: addresses.VITE_TERMS_URL,
    featured: [],
    metadata: { name: 'MAI presale', description: 'test', url: 'http://127.0.0.1', icons: [] },
  }
}

/** Starts a core and joins it as one page. */
export async function openPage(options: {
  config: CoreConfig
  locks: Pick<LockManager, 'request'>
  tab?: string
  cause?: 'start' | 'lost'
  now?: () => number
  /** The page saw the core before this one end in the middle of a step. */
  diedInStep?: boolean
  shell?: Pick<ShellPorts, 'stepping' | 'die'>
}): Promise<TestPage> {
  const { config, locks, tab = 't-test', cause = 'start', now, diedInStep = false, shell = {} } = options
  const core = createShell({ locks, ...(now ? { now } : {}), ...shell })
  const hello: PageHello = {
    tab,
    language: 'en',
    timeZone: 'UTC',
    visible: true,
    online: true,
    asking: [],
    answered: [],
    diedInStep,
  }
  const facts: FactRecord[] = []
  const effects: PageEffect[] = []
  const listeners = new Set<() => void>()
  let model: Model | undefined
  let refs = 0

  await core.begin(config, hello, cause)
  await core.lead()
  const port: PagePort = {
    async facts(batch) {
      for (const fact of batch) {
        facts.push(fact)
        if (model) fold(model, fact)
      }
      for (const listener of listeners) listener()
    },
    async perform(effect) {
      effects.push(effect)
      for (const listener of listeners) listener()
    },
    detached: async () => undefined,
    restart: async () => undefined,
  }
  const attached = await core.attach(hello, port)
  model = { ...attached.model, ...emptyPageModel() }
  const known = model
  return {
    core,
    facts,
    effects,
    model: () => known,
    command(command) {
      refs += 1
      return core.command(command, `${tab}.c${refs}`, tab)
    },
    until(what, find, limitMs = 15_000) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = find(known)
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
}
