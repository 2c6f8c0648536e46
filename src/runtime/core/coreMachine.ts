/**
 * The core: a synchronous, pure function of its inputs. One input, all its facts, then the next input.
 * It reads no clock, no chance and no outside; it knows no subject by name. A throw leaves no facts but `core.faulted` and
 * what follows from going on without that input, so that nothing waits for ever.
 */
import { own } from '../schema/own.ts'
import { fieldsInOrder } from '../log/createCodec.ts'
import { shortHash } from '../log/shortHash.ts'
import { type Failure, toFailure } from '../failure.ts'
import type { Effect, EffectRecord, FactRecord, InputRecord } from '../log/record.ts'
import type { Definition } from '../schema/registry.ts'
import { nextRandom } from './generator.ts'
import { timerOf } from './timerOf.ts'
import type { CoreContext, CoreRules, CoreScratch, CoreTypes, DeciderOf } from './coreTypes.ts'

/** Facts and effects of one input. */
export type StepOf<E extends string> = { facts: FactRecord[]; effects: Effect<E>[] }

export type MachineOf<P extends CoreTypes> = {
  readonly model: P['model']
  /** The seq of the last fact. */
  readonly seq: number
  step(input: InputRecord): StepOf<keyof P['effects'] & string>
  /** Takes a fact of an earlier life, while the log is folded at the start. */
  recall(fact: FactRecord): void
  /** The scratch memory as it is now, and the boot it began with if there was one: what a checkpoint keeps as `transient`. */
  memory(): Record<string, unknown>
}

/** The core's own view of its product's types. */
type AnyData = Record<string, unknown>
type AnyTypes = {
  model: any
  transient: CoreScratch
  boot: CoreTypes['boot']
  inputs: Record<string, any>
  facts: Record<string, AnyData>
  effects: Record<string, AnyData>
  timers: string
}
type Ctx = CoreContext<AnyTypes>
type AnyDecider = DeciderOf<AnyTypes>

/** A step's own context: a getter in its place would cost each step more than all the rest. */
type Running = Omit<Ctx, 'transient'> & { transient: CoreScratch }

/** Where a core goes on that does not begin with its log: what a checkpoint kept beside the world. */
export type CoreStart<P extends CoreTypes> = { seq: number; transient?: P['transient']; boot?: P['boot'] }

/** A timer whose handler threw fires again after this: what it was for may still matter, ms. */
const timerAgainMs = 60_000

/**
 * Makes a core over a model.
 *
 * One function, because a step's facts, its effects and the waits for their answers are undone together. Other scratch memory
 * stays as a handler that throws has left it.
 *
 * @param decisions the deciders, in the order in which they hear an input
 * @param model the model to go on from; it is written into
 * @param from the last fact's seq, and the scratch memory to go on with; both are written into
 */
export function createMachine<P extends CoreTypes>(
  { codec, fold, freshTransient, unanswered, quarantine }: CoreRules<P>,
  decisions: readonly DeciderOf<P>[],
  model: P['model'],
  from: CoreStart<P> = { seq: 0 },
): MachineOf<P> {
  /** Definitions of facts that were told. A map finds one in a third of the time that the large record of all takes. */
  const told = new Map<string, Definition | undefined>()
  const { quarantineDraft, insteadOf } = quarantine
  // A decider names its own types; the core hands each only what the registry has under them
  const deciders = decisions as unknown as readonly AnyDecider[]
  const { handlers, failures, timers } = tableOf(deciders)
  const followers = deciders.filter(({ stepped }) => stepped)
  let { seq, boot, transient = freshTransient('', 0) }: CoreStart<P> = from

  function run(ctx: Running, input: InputRecord): void {
    if (input.type === 'core.boot') {
      start(ctx)
      for (const decider of deciders) decider.resume?.(ctx)
      return
    }
    if (input.type === 'timer.fired') {
      const { family, id } = timerOf((input.data as { timerId: string }).timerId)
      timers.get(family)?.(ctx, id)
      return
    }
    hear(ctx, input)
    if (input.type === 'core.setAside') {
      const { input: type, timerId } = input.data as { input: string; timerId?: string }
      ctx.fact('core.inputSetAside', { input: type })
      if (timerId !== undefined) ctx.effect('timer.set', { timerId, at: ctx.at + timerAgainMs })
      goOnWithout(ctx, type, true)
    }
  }

  function start(ctx: Ctx): void {
    const { life, build, cause, storage, obstacle } = ctx.boot
    ctx.fact('core.started', { life, build, cause, storage, ...(obstacle && { obstacle }) })
  }

  function hear(ctx: Ctx, { type, data }: Pick<InputRecord, 'type' | 'data'>): void {
    if (type === 'effect.failed') return fail(ctx, (data as { failure: Failure }).failure)
    const all = handlers.get(type)
    if (all) for (let at = 0; at < all.length; at += 1) all[at]?.(ctx, data)
  }

  /** Tells the deciders that order such effects. The failure of an earlier life's effect concerns none. */
  function fail(ctx: Ctx, failure: Failure): void {
    if (ctx.cause) for (const handler of failures.get(ctx.cause.type) ?? []) handler(ctx, failure, ctx.cause.about)
  }

  /** Ends the wait for this input's answer: there is none. */
  function goOnWithout(ctx: Ctx, type: string, isQuarantined: boolean): void {
    const instead = insteadOf(type, ctx.input.to, ctx.cause, isQuarantined)
    if (instead) hear(ctx, instead)
  }

  /** Goes on after an input that made a handler throw. */
  function goOnAfterFault(ctx: Running, input: InputRecord): void {
    if (input.type === 'core.boot') {
      // Each decider resumes by itself, also when another one throws
      transient = freshTransient(ctx.boot.seed, input.at)
      ctx.transient = transient
      start(ctx)
      for (const { resume } of deciders) if (resume) attempt(resume, ctx, undefined)
      return
    }
    if (input.type === 'timer.fired') {
      const { timerId } = input.data as { timerId: string }
      ctx.effect('timer.set', { timerId, at: ctx.at + timerAgainMs })
      return
    }
    hear(ctx, quarantineDraft(input))
    goOnWithout(ctx, input.type, false)
  }

  /** The input of the step that runs, and what it set in motion. */
  let input: InputRecord
  let facts: FactRecord[] = []
  let effects: Effect[] = []
  let life = 0

  function fact(type: string, data: AnyData): void {
    seq += 1
    let definition = told.get(type)
    if (!definition) {
      definition = codec.definitionOf('f', type)
      told.set(type, definition)
    }
    const record: FactRecord = {
      k: 'f',
      seq,
      n: input.n,
      at: input.at,
      type,
      v: definition?.version ?? 1,
      data: fieldsInOrder(definition, data),
    }
    if (input.ref !== undefined) record.ref = input.ref
    facts.push(record)
  }

  function effect(type: string, data: AnyData, options?: Parameters<Ctx['effect']>[2]): string {
    const id = `e${life}.${input.n}.${effects.length}`
    const ordered: Effect = { id, type, data }
    if (options?.after) ordered.after = options.after
    if (options?.tab !== undefined) ordered.tab = options.tab
    effects.push(ordered)
    if (!unanswered.has(type) || options?.about !== undefined)
      transient.asked[id] = {
        type,
        about: options?.about ?? '',
        ...(ordered.tab !== undefined && { tab: ordered.tab }),
      }
    return id
  }

  function random(below: number): number {
    return nextRandom(transient.random) % below
  }

  function id(kind: string): string {
    return `${kind}-${life}.${input.n}.${hex(nextRandom(transient.random))}`
  }

  /** Runs a task; one that throws leaves no facts and no effects. @returns what it threw */
  function attempt<A>(task: (ctx: Running, about: A) => void, ctx: Running, about: A): { cause: unknown } | undefined {
    const firstFact = facts.length
    const firstEffect = effects.length
    const before = seq
    try {
      task(ctx, about)
      return undefined
    } catch (cause) {
      facts.length = firstFact
      seq = before
      // An effect that is not ordered gets no answer
      for (const { id: name } of effects.splice(firstEffect)) delete transient.asked[name]
      return { cause }
    }
  }

  function step(next: InputRecord): StepOf<string> {
    input = next
    facts = []
    effects = []
    if (input.type === 'core.boot') {
      boot = input.data as P['boot']
      transient = freshTransient(boot.seed, input.at)
    }
    if (!boot) throw new Error('the core expected core.boot as its first input')
    life = boot.life
    const cause = input.to === undefined ? undefined : own(transient.asked, input.to)
    if (cause && input.to !== undefined) delete transient.asked[input.to]

    const ctx: Running = { model, transient, at: input.at, input, boot, cause, fact, effect, random, id }
    const fault = attempt(run, ctx, input)
    if (fault) {
      // An engine's own words differ from browser to browser, and may quote what they stumbled over
      fact('core.faulted', { input: input.type, message: toFailure(fault.cause).message })
      attempt(goOnAfterFault, ctx, input)
    }
    for (const { stepped } of followers) if (stepped) attempt(stepped, ctx, facts.slice())
    for (const one of facts) fold(model, one)
    return { facts, effects }
  }

  return {
    get model() {
      return model
    },
    get seq() {
      return seq
    },
    step: step as MachineOf<P>['step'],
    memory: () => (boot ? { ...transient, boot } : { ...transient }),
    recall(fact) {
      seq = fact.seq
      fold(model, fact)
    },
  }
}

/** Handlers of each input and of each effect's failure, in order, and of each family of timers. */
function tableOf(deciders: readonly AnyDecider[]) {
  const handlers = new Map<string, ((ctx: Ctx, data: any) => void)[]>()
  const failures = new Map<string, ((ctx: Ctx, failure: Failure, about: string) => void)[]>()
  const timers = new Map<string, (ctx: Ctx, id: string) => void>()
  for (const { timers: its = {}, failed = {}, resume: _, ...hears } of deciders) {
    for (const [type, handler] of Object.entries(failed))
      if (handler) failures.set(type, [...(failures.get(type) ?? []), handler])
    for (const [type, handler] of Object.entries(hears)) {
      if (typeof handler !== 'function' || type === 'stepped') continue
      const known = handlers.get(type)
      if (known) known.push(handler)
      else handlers.set(type, [handler])
    }
    for (const [family, handler] of Object.entries(its)) if (handler) timers.set(family, handler)
  }
  return { handlers, failures, timers }
}

/**
 * The hash leaves out what the input's line and an effect's place say already: the same order has the same hash every time,
 * and a log in which nothing new happens packs to little. Any other id, time or word is another hash.
 *
 * @returns the log's line for what an input set in motion, or undefined when that is nothing
 */
export function effectRecord(
  input: Pick<InputRecord, 'n' | 'at'>,
  effects: readonly Effect[],
): EffectRecord | undefined {
  if (effects.length === 0) return undefined
  const types: string[] = []
  let text = ''
  for (const [k, { id, type, data, after, tab }] of effects.entries()) {
    types.push(type)
    const place = `.${input.n}.${k}`
    const name = id.endsWith(place) ? id.slice(0, -place.length) : id
    const said = type === 'timer.set' ? { ...data, at: Number(data.at) - input.at } : data
    text += JSON.stringify([name, type, said, after, tab])
  }
  return { k: 'e', types, h: shortHash(text) }
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
