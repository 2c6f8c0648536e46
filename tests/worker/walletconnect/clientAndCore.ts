/**
 * Our client with the core behind it and a socket under the test's control: the real drivers carry out effects of the
 * relay and the vault, other effects stay open. The test sets the time.
 */
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { versionOf } from '../../../src/events/log/codec.ts'
import { allInputDefinitions, factDefinitions } from '../../../src/events/schema/definitions.ts'
import type { FactRecord, InputRecord } from '../../../src/runtime/log/record.ts'
import { type Definitions, misfit } from '../../../src/runtime/schema/registry.ts'
import { nextRandom, seeded } from '../../../src/runtime/core/generator.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import type { Answer } from '../../../src/runtime/host/driver.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { createWalletConnectClient } from '../../../src/worker/drivers/walletconnect/walletConnectClient.ts'
import { askedByPage } from '../../../src/worker/host/askedByPage.ts'
import type { Transient } from '../../../src/worker/core/transient.ts'
import { bootData, tab } from '../world.ts'

export type Hooks = {
  /** Called with each effect before its driver. */
  before?(type: string, data: Record<string, unknown>): void
  /** Called with each answer before the core's step. */
  comes?(type: string, data: Record<string, unknown>): void
}

type Effect = { id: string; type: string; data: Record<string, unknown> }
type Sent = { id: string; method: string; params: Record<string, unknown> }

/** Event loop turns without an event after which all work counts as done. */
const quietRounds = 3
/** Most turns to wait for a push to reach the core. */
const mostRounds = 5000

export function createClientAndCore({
  at: startAt,
  boot = {},
  hooks = {},
}: {
  at: number
  boot?: Parameters<typeof bootData>[1]
  hooks?: Hooks
}) {
  let at = startAt
  let n = 0
  let refs = 0
  let work: Promise<unknown> = Promise.resolve()
  let happened = 0
  let socket: FakeSocket | undefined
  const { WebSocket: realSocket } = globalThis
  const core = createCore(deciders, emptyCoreModel())
  const facts: FactRecord[] = []
  const inputs: InputRecord[] = []
  /** every frame of ours, as it was sent */
  const sent: string[] = []
  const wrongs: string[] = []

  const plugIn = (made: FakeSocket) => {
    socket = made
  }
  class FakeSocket {
    static readonly OPEN = 1
    readyState = 0
    onopen: (() => void) | null = null
    onclose: ((event: { code: number }) => void) | null = null
    onmessage: ((event: { data: unknown }) => void) | null = null
    constructor() {
      plugIn(this)
      setImmediate(() => {
        this.readyState = 1
        this.onopen?.()
      })
    }
    send(frame: string): void {
      happened += 1
      sent.push(frame)
      const { id, method, params } = JSON.parse(frame) as Partial<Sent>
      if (method === undefined) return
      const result = resultOf(method, params ?? {})
      setImmediate(() => this.onmessage?.({ data: JSON.stringify({ id, jsonrpc: '2.0', result }) }))
    }
    close(): void {
      this.readyState = 3
    }
  }

  const client = createWalletConnectClient({
    keys: memoryKeys(),
    bytes: memoryBytes(),
    verify: async () => true,
    relayUrls: [],
    now: () => at,
    online: () => true,
    emit: input => take(input),
    askedByPage: id => askedByPage(core.model, id),
  })
  const drivers = client as unknown as Record<
    string,
    ((effect: Effect, answer: (input: Answer) => void) => Promise<void>) | undefined
  >

  function take({ type, data }: Answer, given: { to?: string; tab?: string; ref?: string } = {}): void {
    happened += 1
    hooks.comes?.(type, data)
    const definition = (allInputDefinitions as Definitions)[type]
    const unfit = definition ? misfit(definition, data) : 'nobody defined it'
    if (unfit !== undefined) {
      wrongs.push(`no core can take ${type}: ${unfit}`)
      return
    }
    n += 1
    const input: InputRecord = { k: 'i', n, at, type, v: versionOf('i', type), data, ...given }
    inputs.push(input)
    const step = core.step(input)
    for (const fact of step.facts) {
      const shape = (factDefinitions as Definitions)[fact.type]
      const wrong = shape ? misfit(shape, fact.data) : 'nobody defined it'
      if (wrong !== undefined) wrongs.push(`no recording could hold ${fact.type}: ${wrong}`)
      if (fact.type === 'core.faulted') wrongs.push(`the core faulted: ${JSON.stringify(fact.data)}`)
      facts.push(fact)
    }
    for (const effect of step.effects as Effect[]) {
      const drive = effect.type === 'vault.forget' ? undefined : drivers[effect.type]
      if (effect.type === 'vault.forget') work = work.then(() => client.forget(effect.data as never))
      if (!drive) continue
      work = work.then(() => {
        hooks.before?.(effect.type, effect.data)
        return drive(effect, input => take(input, { to: effect.id }))
      })
    }
  }

  async function settle(): Promise<void> {
    let seen = -1
    for (let quiet = 0; quiet < quietRounds; quiet++) {
      await work
      await new Promise(resolve => setImmediate(resolve))
      if (happened !== seen) quiet = 0
      seen = happened
    }
  }

  Object.assign(globalThis, { WebSocket: FakeSocket })
  take({ type: 'core.boot', data: bootData(1, boot) as unknown as Record<string, unknown> })
  take({ type: 'page.attached', data: { visible: true, asking: [], answered: [] } }, { tab })

  return {
    facts,
    inputs,
    sent,
    /** Broken rules, as sentences. */
    wrongs,
    get model() {
      return core.model
    },
    /** Sets the clock. */
    setTime(moment: number): void {
      at = moment
    },
    /** Sets the next numbers below a thousand that the core draws. */
    force(...draws: number[]): void {
      const { random } = core.memory() as Pick<Transient, 'random'>
      for (let seed = 0; ; seed++) {
        const state = seeded(`draw ${seed}`)
        const trial: typeof state = [...state]
        if (draws.some(draw => nextRandom(trial) % 1000 !== draw)) continue
        random.splice(0, 4, ...state)
        return
      }
    },
    async command(type: string, data: Record<string, unknown>): Promise<void> {
      refs += 1
      take({ type, data }, { tab, ref: `${tab}.c${refs}` })
      await settle()
    },
    /** A frame of the relay, text or any other data of a socket. */
    async frame(data: unknown): Promise<void> {
      socket?.onmessage?.({ data })
      await settle()
    },
    /** A push over the relay, which always reaches the core; its reader may be a lazy part. */
    async push(data: string): Promise<void> {
      const before = inputs.length
      socket?.onmessage?.({ data })
      for (let round = 0; inputs.length === before && round < mostRounds; round++)
        await new Promise(resolve => setTimeout(resolve, 1))
      await settle()
    },
    pairingUri: (topic: string) => client.pairingUri(topic),
    settle,
    close(): void {
      Object.assign(globalThis, { WebSocket: realSocket })
    },
  }
}
export type ClientAndCore = ReturnType<typeof createClientAndCore>

/** The relay's answer to a call. */
function resultOf(method: string, params: Record<string, unknown>): unknown {
  if (method === 'irn_batchSubscribe') return (params.topics as string[]).map(topic => `subscription-${topic}`)
  if (/fetchMessages$/i.test(method)) return { messages: [], hasMore: false }
  return method === 'irn_subscribe' ? `subscription-${params.topic}` : true
}
