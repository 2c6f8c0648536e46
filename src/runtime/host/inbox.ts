/** The only way into the core: numbers, stamps and checks what comes, steps, and hands on what came of it. */
import { fieldsInOrder, type Codec } from '../log/createCodec.ts'
import { Fault } from '../failure.ts'
import type { Effect, FactRecord, InputRecord } from '../log/record.ts'
import { misfit } from '../schema/registry.ts'
import type { Draft } from '../core/draft.ts'
import type { QuarantineRules } from '../core/createQuarantine.ts'
import { effectRecord, type StepOf } from '../core/coreMachine.ts'
import type { Journal } from '../journal/journal.ts'

export type Inbox = {
  /** @throws Fault as `take` would: `bad_input` or `core_lost` */
  check(draft: Draft): void
  /**
   * Takes an input into the core: at once, or while the inbox is careful, as soon as it is on disk. After `stop` nothing is
   * taken any more.
   * @throws Fault `bad_input` when its data does not fit its type; nothing was taken then. `core_lost` when the step failed
   */
  take(draft: Draft): void
  /** Resolves when all that was taken so far went through the core. @throws Fault `core_lost` when it will not */
  settled(): Promise<void>
  /**
   * From now on inputs are stepped with care; the one it names as dead is set aside, now and whenever it comes again. After a
   * step that failed nothing is stepped any more.
   */
  beCareful(careful: CrashGuard): void
  stop(): void
}

/** A way of stepping that takes its time: see `crashGuard.ts`. */
export type CrashGuard = {
  dead?: Draft
  /** keys of inputs that are not taken any more */
  aside: readonly string[]
  isOver(): boolean
  /** Steps one input after the other; ends in what a step throws. */
  drain(inputs: Iterable<InputRecord>, step: (input: InputRecord) => void): Promise<void>
}

/** A product's rules for its inbox. */
type InboxRules = {
  codec: Pick<Codec, 'definitionOf' | 'encode'>
  quarantine: Pick<QuarantineRules, 'keyOf' | 'quarantineDraft'>
}

/** `E` are the types of effects. */
export type InboxPorts<E extends string> = {
  core: { readonly seq: number; step(input: InputRecord): StepOf<E> }
  journal: Journal
  life: number
  /** of this core; what another build could not handle is tried anew */
  build?: string
  now(): number
  /** Hears every step, in order. */
  stepped(result: { input: InputRecord; facts: FactRecord[]; effects: Effect<E>[] }): void
  /** Hears that a step failed half way: this core is of no use any more, its log is whole up to the input before. */
  broke(cause: unknown): void
}

const jumpMs = 60_000

/**
 * Makes the inbox. Inputs that arrive during a step wait for its end. One function, because the queue, the numbering and the crash
 * guard share one state.
 */
export function inboxFor<E extends string>({ codec, quarantine }: InboxRules, ports: InboxPorts<E>): Inbox {
  const { definitionOf, encode } = codec
  const { keyOf, quarantineDraft } = quarantine
  const { core, journal, life, build = '', now, stepped, broke } = ports
  const { care } = journal.head()
  let aside: readonly string[] = care?.build === build ? care.aside : []
  let { n } = journal.head()
  let lastAt = 0
  let busy = false
  let stopped = false
  let broken = false
  let careful: CrashGuard | undefined
  let queue: Draft[] = []
  let waiting: { resolve(): void; reject(fault: Fault): void }[] = []

  /** The core is given what stands in the line: a part of the data that it keeps has the same order of keys when it runs again. */
  function numbered({ type, data, to, tab, ref }: Draft, at: number): InputRecord {
    n += 1
    const definition = definitionOf('i', type)
    const input: InputRecord = {
      k: 'i',
      n,
      at,
      type,
      v: definition?.version ?? 1,
      data: fieldsInOrder(definition, data),
    }
    if (to !== undefined) input.to = to
    if (tab !== undefined) input.tab = tab
    if (ref !== undefined) input.ref = ref
    return input
  }

  function step(input: InputRecord): void {
    if (stopped) return
    const { facts, effects } = core.step(input)
    const lines = [encode(input)]
    for (const fact of facts) lines.push(encode(fact))
    const ordered = effectRecord(input, effects)
    if (ordered) lines.push(encode(ordered))
    journal.append(lines, { life, n: input.n, seq: core.seq })
    stepped({ input, facts, effects })
  }

  /** All that was taken. An input before which the clock jumped comes second: the jump comes first. */
  function* inputs(): Generator<InputRecord> {
    for (let draft = queue.shift(); draft; draft = queue.shift()) {
      const at = Math.floor(now())
      const gap = at - lastAt
      if (lastAt !== 0 && (gap < 0 || gap > jumpMs)) {
        lastAt = at
        yield numbered({ type: 'clock.jumped', data: { byMs: gap } }, at)
      }
      lastAt = at
      yield numbered(draft, at)
    }
  }

  function fail(cause: unknown): Fault {
    // Numbers were given out that no line has, so this log cannot go on
    broken = true
    queue = []
    broke(cause)
    return lost()
  }

  function over(fault?: Fault): void {
    busy = false
    const told = waiting
    waiting = []
    for (const { resolve, reject } of told) {
      if (fault) reject(fault)
      else resolve()
    }
  }

  /** Steps all that can be stepped at once. @throws Fault `core_lost` when a step failed */
  function drain(): void {
    busy = true
    try {
      for (const input of inputs()) step(input)
    } catch (cause) {
      const fault = fail(cause)
      over(fault)
      throw fault
    }
    over()
  }

  function enter(draft: Draft): void {
    const isDead = aside.length > 0 && aside.includes(keyOf(draft))
    queue.push(isDead ? quarantineDraft(draft) : draft)
    if (!busy) go()
  }

  function go(): void {
    if (!careful || careful.isOver()) return drain()
    busy = true
    careful.drain(inputs(), step).then(goOn, (cause: unknown) => over(fail(cause)))
  }

  /** An input that came after the last one was stepped waits still. */
  function goOn(): void {
    if (queue.length === 0) return over()
    try {
      go()
    } catch {
      // `broke` reports a failed step; this call has no caller to tell
    }
  }

  function check({ type, data }: Draft): void {
    if (broken) throw lost()
    const definition = definitionOf('i', type)
    if (!definition) throw new Fault('bad_input', `an input expected a known type, got ${type.slice(0, 60)}`)
    const problem = misfit(definition, data)
    if (problem) throw new Fault('bad_input', problem, { type })
  }

  return {
    check,
    take(draft) {
      if (stopped) return
      check(draft)
      enter(draft)
    },
    settled() {
      if (broken) return Promise.reject(lost())
      return busy ? new Promise((resolve, reject) => waiting.push({ resolve, reject })) : Promise.resolve()
    },
    beCareful(way) {
      if (broken) return
      careful = way
      aside = way.aside
      if (way.dead) enter(way.dead)
    },
    stop() {
      stopped = true
      queue = []
      over(lost())
    },
  }
}

function lost(): Fault {
  return new Fault('core_lost', 'a step of the core failed half way, so the core has to begin again')
}
