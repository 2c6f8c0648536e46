/**
 * The core: a synchronous, pure function of its inputs. One input, all its facts, then the next input.
 * It reads no clock, no chance and no outside; it knows no subject by name. A throw leaves no facts but `core.faulted` and
 * what follows from going on without that input, so that nothing waits for ever.
 */
import { own } from '../schema/own.ts'
import { shortHash } from '../log/shortHash.ts'
import { type Failure, toFailure } from '../failure.ts'
import type { Effect, EffectRecord, FactRecord, InputRecord } from '../log/record.ts'
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
  const { inOrder, versionOf } = codec
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
      goOnWithout(ctx, type)
    }
  }

  function start(ctx: Ctx): void {
    const { life, build, cause, storage, obstacle } = ctx.boot
    ctx.fact('core.started', { life, build, cause, storage, ...(obstacle && { obstacle }) })
  }

  function hear(ctx: Ctx, { type, data }: Pick<InputRecord, 'type' | 'data'>): void {
    if (type === 'effect.failed') return fail(ctx, (data as { failure: Failure }).failure)
    for (const handler of handlers.get(type) ?? []) handler(ctx, data)
  }

  /** Tells the deciders that order such effects. The failure of an earlier life's effect concerns none. */
  function fail(ctx: Ctx, failure: Failure): void {
    if (ctx.cause) for (const handler of failures.get(ctx.cause.type) ?? []) handler(ctx, failure, ctx.cause.about)
  }

  /** Ends the wait for this input's answer: there is none. */
  function goOnWithout(ctx: Ctx, type: string): void {
    const instead = insteadOf(type, ctx.input.to, ctx.cause)
    if (instead) hear(ctx, instead)
  }

  /** Goes on after an input that made a handler throw. `attempt` undoes the facts and effects of a task that throws. */
  function goOnAfterFault(ctx: Running, input: InputRecord, attempt: (task: () => void) => boolean): void {
    if (input.type === 'core.boot') {
      // Each decider resumes by itself, also when another one throws
      transient = freshTransient(ctx.boot.seed, input.at)
      ctx.transient = transient
      start(ctx)
      for (const decider of deciders) attempt(() => decider.resume?.(ctx))
      return
    }
    if (input.type === 'timer.fired') {
      const { timerId } = input.data as { timerId: string }
      ctx.effect('timer.set', { timerId, at: ctx.at + timerAgainMs })
      return
    }
    hear(ctx, quarantineDraft(input))
    goOnWithout(ctx, input.type)
  }

  function step(input: InputRecord): StepOf<string> {
    const facts: FactRecord[] = []
    const effects: Effect[] = []
    const before = seq
    if (input.type === 'core.boot') {
      boot = input.data as P['boot']
      transient = freshTransient(boot.seed, input.at)
    }
    if (!boot) throw new Error('the core expected core.boot as its first input')
    const started = boot
    const cause = input.to === undefined ? undefined : own(transient.asked, input.to)
    if (cause && input.to !== undefined) delete transient.asked[input.to]

    const ctx: Running = {
      model,
      transient,
      at: input.at,
      input,
      boot: started,
      cause,
      fact(type, data) {
        seq += 1
        const fact: FactRecord = {
          k: 'f',
          seq,
          n: input.n,
          at: input.at,
          type,
          v: versionOf('f', type),
          data: inOrder('f', type, data),
        }
        if (input.ref !== undefined) fact.ref = input.ref
        facts.push(fact)
      },
      effect(type, data, options) {
        const id = `e${started.life}.${input.n}.${effects.length}`
        const effect: Effect = { id, type, data }
        if (options?.after) effect.after = options.after
        if (options?.tab !== undefined) effect.tab = options.tab
        effects.push(effect)
        if (!unanswered.has(type) || options?.about !== undefined)
          transient.asked[id] = {
            type,
            about: options?.about ?? '',
            ...(effect.tab !== undefined && { tab: effect.tab }),
          }
        return id
      },
      random: below => nextRandom(transient.random) % below,
      id: kind => `${kind}-${started.life}.${input.n}.${hex(nextRandom(transient.random))}`,
    }

    const attempt = (task: () => void, failed?: (cause: unknown) => void): boolean => {
      const [firstFact, firstEffect] = [facts.length, effects.length]
      try {
        task()
        return true
      } catch (cause) {
        facts.length = firstFact
        seq = before + firstFact
        // An effect that is not ordered gets no answer
        for (const effect of effects.splice(firstEffect)) delete transient.asked[effect.id]
        failed?.(cause)
        return false
      }
    }
    attempt(
      () => run(ctx, input),
      cause => {
        // An engine's own words differ from browser to browser, and may quote what they stumbled over
        ctx.fact('core.faulted', { input: input.type, message: toFailure(cause).message })
        attempt(() => goOnAfterFault(ctx, input, attempt))
      },
    )
    for (const { stepped } of followers) attempt(() => stepped?.(ctx, facts.slice()))
    for (const fact of facts) fold(model, fact)
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
