/**
 * A core under a test's control: it boots, takes inputs, and records its facts and effects. Time passes only with
 * inputs. `kill` discards the worker and begins the next life from the facts so far, as the worker does.
 */
import type { CoreModel, CoreSideFact } from '../../src/events/app.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../src/events/log/codec.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { factDefinitions } from '../../src/events/schema/definitions.ts'
import type { EffectData, EffectType } from '../../src/events/effect.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import type { Effect, FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import { type Definitions, misfit } from '../../src/runtime/schema/registry.ts'
import type { BootData, InputData, InputType } from '../../src/worker/core/context.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'

/** Noon of a day on which the example sale is open, ms. */
export const noon = 1_799_000_000_000
export const tab = 't-1'

export type Given = { to?: string; tab?: string; ref?: string }
export type Ordered<T extends EffectType = EffectType> = Effect<T, EffectData[T]> & { answered?: true }
export type Came = { facts: FactRecord[]; effects: Effect<EffectType>[]; types: string[] }

export const bootData = (life: number, changes: Partial<BootData> = {}): BootData => ({
  life,
  build: 'core-build',
  seed: `seed-${life}`,
  cause: 'start',
  storage: 'durable',
  language: 'en',
  timeZone: 'UTC',
  online: true,
  projectId: 'p1',
  relayUrl: 'wss://relay.one',
  relays: ['wss://relay.one', 'wss://relay.two'],
  genesisHash: '',
  featured: [],
  metadata: { name: 'MAI', description: '', url: 'https://mai.example', icons: [] },
  ...changes,
})

export const failing = (code: FailureCode, message = code) => ({ failure: { code, message } })

/** Collects the logs of all worlds, where scripted visits are recorded: see `replay/keepStories.ts`. */
export type Stories = { stories?: string[][] }

export function createWorld(changes: Partial<BootData> = {}) {
  let core = createCore(deciders, emptyCoreModel())
  let life = 0
  let n = 0
  let at = noon
  let facts: FactRecord[] = []
  const inputs: InputRecord[] = []
  let effects: Ordered[] = []
  let timers = new Map<string, { at: number; effectId: string }>()
  const { stories } = globalThis as Stories
  const log: string[] = []
  stories?.push(log)

  function take(type: string, data: Record<string, unknown>, given: Given = {}): Came {
    n += 1
    const input: InputRecord = { k: 'i', n, at, type, v: versionOf('i', type), data, ...given }
    inputs.push(input)
    const came = core.step(input)
    for (const fact of came.facts) {
      const definition = (factDefinitions as Definitions)[fact.type]
      const problem = definition ? misfit(definition, fact.data) : 'nobody defined it'
      // A model folded in memory and one folded from disk are the same, down to the order of their keys
      const order = Object.keys(definition?.fields ?? {}).filter(name => fact.data[name] !== undefined)
      if (Object.keys(fact.data).join() !== order.join())
        throw new Error(`the core said ${fact.type} with its fields in another order than in its definition`)
      if (problem) throw new Error(`the core said ${fact.type}, which no recording could hold: ${problem}`)
    }
    facts.push(...came.facts)
    if (stories) {
      const ordered = effectRecord(input, came.effects)
      log.push(...[input, ...came.facts, ...(ordered ? [ordered] : [])].map(encode))
    }
    for (const effect of came.effects as Ordered[]) {
      effects.push(effect)
      if (effect.type === 'timer.set') {
        const set = effect.data as EffectData['timer.set']
        timers.set(set.timerId, { at: set.at, effectId: effect.id })
      }
      if (effect.type === 'timer.clear') timers.delete((effect.data as EffectData['timer.clear']).timerId)
    }
    return { ...came, types: came.facts.map(fact => fact.type) }
  }

  const ordered = <T extends EffectType>(type: T) => effects.filter(effect => effect.type === type) as Ordered<T>[]

  const world = {
    get model(): CoreModel {
      return core.model
    },
    get at() {
      return at
    },
    get life() {
      return life
    },
    inputs,
    /** every committed fact */
    get facts() {
      return facts
    },
    /** every ordered effect of this life */
    get effects() {
      return effects
    },
    timers: () => timers,
    /** the transient memory, as a checkpoint stores it */
    memory: () => core.memory(),
    boot(more: Partial<BootData> = {}): Came {
      life += 1
      return take('core.boot', bootData(life, { ...changes, ...more }))
    },
    /** One input at the current time. */
    input<T extends InputType>(type: T, data: InputData<T>, given: Given = {}): Came {
      return take(type, data as Record<string, unknown>, given)
    },
    /** A command from the page. */
    command<T extends InputType>(type: T, data: InputData<T>): Came {
      return take(type, data as Record<string, unknown>, { tab, ref: `${tab}.c${n}` })
    },
    /** Answers the newest unanswered effect of a type. */
    answer<T extends InputType>(effect: EffectType, type: T, data: InputData<T>): Came {
      const open = ordered(effect)
        .filter(one => !one.answered)
        .at(-1)
      if (!open) throw new Error(`nobody asked for ${effect}, or it was answered already`)
      open.answered = true
      return take(type, data as Record<string, unknown>, { to: open.id, ...(open.tab ? { tab: open.tab } : {}) })
    },
    fail(effect: EffectType, code: FailureCode): Came {
      return world.answer(effect, 'effect.failed', failing(code))
    },
    /** Effects of a type, oldest first. */
    ordered,
    last<T extends EffectType>(type: T): Ordered<T> {
      const found = ordered(type).at(-1)
      if (!found) throw new Error(`nobody asked for ${type}`)
      return found
    },
    /** Facts of a type, oldest first. */
    said<T extends CoreSideFact['type']>(type: T): Extract<CoreSideFact, { type: T }>['data'][] {
      return facts.filter(fact => fact.type === type).map(fact => fact.data as never)
    },
    /** Advances time without an input. */
    wait(ms: number): void {
      at += ms
    },
    /** The clock was set, or the device slept; a clock set back delays no timer, as the driver ensures. */
    jump(byMs: number): Came {
      at += byMs
      if (byMs < 0) for (const timer of timers.values()) timer.at += byMs
      return take('clock.jumped', { byMs })
    },
    /** Advances to a timer's moment and fires it. */
    fire(timerId: string): Came {
      const timer = timers.get(timerId)
      if (!timer) throw new Error(`no timer ${timerId} is set, only ${[...timers.keys()].join(', ')}`)
      timers.delete(timerId)
      at = Math.max(at, timer.at)
      return take('timer.fired', { timerId }, { to: timer.effectId })
    },
    /** Advances time; timers fire in order. @returns the types of all facts meanwhile */
    pass(ms: number): string[] {
      const until = at + ms
      const types: string[] = []
      for (;;) {
        const [next] = [...timers].filter(([, one]) => one.at <= until).sort((a, b) => a[1].at - b[1].at)
        if (!next) break
        types.push(...world.fire(next[0]).types)
      }
      at = until
      return types
    },
    /** The worker dies and the next one begins; the last `lose` steps are not on disk. */
    kill(cause: 'start' | 'lost' = 'lost', lose = 0): Came {
      const kept = n - lose
      facts = facts.filter(fact => fact.n <= kept)
      // Numbers that no line has end what can be recorded
      if (lose > 0) log.length = 0
      core = createCore(deciders, emptyCoreModel())
      for (const fact of facts) core.recall(fact)
      timers = new Map()
      effects = []
      return world.boot({ cause })
    },
    attach(changes: Partial<InputData<'page.attached'>> = {}, of = tab): Came {
      return take('page.attached', { visible: true, asking: [], answered: [], ...changes }, { tab: of })
    },
  }
  return world
}
export type World = ReturnType<typeof createWorld>
