/** The one door into the core: numbers, stamps and checks what comes, steps, and hands on what came of it. */
import { allInputDefinitions } from '../events/definitions.ts'
import { encode, versionOf } from '../events/codec.ts'
import { Fault } from '../events/failure.ts'
import type { Effect, FactRecord, InputRecord } from '../events/record.ts'
import type { EffectType } from '../events/effect.ts'
import { type Definitions, misfit } from '../events/registry.ts'
import { type CoreMachine, effectRecord } from './core.ts'
import type { Journal } from './journal.ts'

/** Something from outside, before it is numbered. */
export type Draft = { type: string; data: Record<string, unknown>; to?: string; tab?: string; ref?: string }

export type Inbox = {
  /**
   * Takes an input into the core. After `stop` nothing is taken any more.
   * @throws Fault `bad_input` when its data does not fit its type; nothing was taken then. `core_lost` when the step failed
   */
  take(draft: Draft): void
  stop(): void
}

type Ports = {
  core: CoreMachine
  journal: Journal
  life: number
  now(): number
  /** Hears every step, in order. */
  stepped(result: { input: InputRecord; facts: FactRecord[]; effects: Effect<EffectType>[] }): void
  /** Hears that a step failed half way: this core is of no use any more, its log is whole up to the input before. */
  broke(cause: unknown): void
}

const jumpMs = 60_000

/** Makes the inbox. Inputs that arrive during a step wait for its end. */
export function createInbox({ core, journal, life, now, stepped, broke }: Ports): Inbox {
  let { n } = journal.head()
  let lastAt = 0
  let stepping = false
  let stopped = false
  let broken = false
  let queue: Draft[] = []

  function step(draft: Draft, at: number): void {
    n += 1
    const { type, data, to, tab, ref } = draft
    const input: InputRecord = { k: 'i', n, at, type, v: versionOf('i', type), data }
    if (to !== undefined) input.to = to
    if (tab !== undefined) input.tab = tab
    if (ref !== undefined) input.ref = ref
    const { facts, effects } = core.step(input)
    const lines = [encode(input)]
    for (const fact of facts) lines.push(encode(fact))
    const ordered = effectRecord(n, effects)
    if (ordered) lines.push(encode(ordered))
    journal.append(lines, { life, n, seq: core.seq })
    stepped({ input, facts, effects })
  }

  function drain(): void {
    stepping = true
    try {
      for (let draft = queue.shift(); draft; draft = queue.shift()) {
        const at = Math.floor(now())
        const gap = at - lastAt
        if (lastAt !== 0 && (gap < 0 || gap > jumpMs)) step({ type: 'clock.jumped', data: { byMs: gap } }, at)
        lastAt = at
        step(draft, at)
      }
    } catch (cause) {
      // Numbers were given out that no line has, so this log cannot go on
      broken = true
      queue = []
      broke(cause)
      throw lost()
    } finally {
      stepping = false
    }
  }

  return {
    take(draft) {
      if (stopped) return
      if (broken) throw lost()
      const definition = Object.hasOwn(allInputDefinitions, draft.type)
        ? (allInputDefinitions as Definitions)[draft.type]
        : undefined
      if (!definition) throw new Fault('bad_input', `an input expected a known type, got ${draft.type.slice(0, 60)}`)
      const problem = misfit(definition, draft.data)
      if (problem) throw new Fault('bad_input', `${draft.type}: ${problem}`)
      queue.push(draft)
      if (!stepping) drain()
    },
    stop() {
      stopped = true
      queue = []
    },
  }
}

function lost(): Fault {
  return new Fault('core_lost', 'a step of the core failed half way, so the core has to begin again')
}
