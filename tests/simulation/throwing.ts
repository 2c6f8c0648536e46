/**
 * Deciders that throw in steps which the dice choose. A step is known by its life, number and time, so the same step throws
 * again when its log is re-executed, from the first boot or from a checkpoint.
 */
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { Fault } from '../../src/runtime/failure.ts'
import type { Ctx, Decider } from '../../src/worker/core/context.ts'
import type { Transient } from '../../src/worker/core/transient.ts'
import type { Stepped } from './watch.ts'

/** The message of a planted throw: any other fault of the core is a bug. */
export const plantedThrow = 'a decider expected to run, it was made to throw'

/** Names the effect that a decider orders before it throws. */
const planted = 'sale:planted'

type Chosen = { life: number; at: number; handlers: number }
type Handler = (ctx: Ctx, ...rest: unknown[]) => unknown
type Handlers = { [name: string]: Handler | Handlers | undefined }

export type Throwing = {
  /** of the core, and of every re-execution of its log */
  deciders: readonly Decider[]
  /** Makes the step of this input throw once, in place of the handler after so many: it leaves a fact and an effect half way. */
  choose(input: InputRecord, life: number, handlers: number): void
}

/** @param deciders of the product */
export function createThrowing(deciders: readonly Decider[]): Throwing {
  const chosen = new Map<number, Chosen[]>()
  /** handlers that have run in a chosen step */
  const ran = new WeakMap<Ctx, number>()

  function beforeHandler(ctx: Ctx): void {
    const { input, boot } = ctx
    const its = chosen.get(input.n)?.find(({ life, at }) => life === boot.life && at === input.at)
    if (!its) return
    const count = ran.get(ctx) ?? 0
    ran.set(ctx, count + 1)
    if (count !== its.handlers) return
    ctx.fact('core.logShrunk', { records: 0 })
    ctx.effect('timer.set', { timerId: planted, at: ctx.at }, { about: planted })
    throw new Fault('unknown', plantedThrow)
  }

  function wrapped(handlers: Handlers): Handlers {
    return Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => {
        if (typeof handler === 'object') return [name, wrapped(handler)]
        if (typeof handler !== 'function') return [name, handler]
        const wrapper: Handler = (ctx, ...rest) => {
          beforeHandler(ctx)
          return handler(ctx, ...rest)
        }
        return [name, wrapper]
      }),
    )
  }

  return {
    deciders: deciders.map(one => wrapped(one as unknown as Handlers) as unknown as Decider),
    choose({ n, at }, life, handlers) {
      chosen.set(n, [...(chosen.get(n) ?? []), { life, at, handlers }])
    },
  }
}

/** @returns what remains of a decider that threw */
export function leftBehind({ facts, effects, memory }: Stepped): string | undefined {
  if (!facts.some(({ type }) => type === 'core.faulted')) return undefined
  if (facts[0]?.type !== 'core.faulted') return `a decider that threw leaves ${facts[0]?.type}`
  const isPlanted = effects.some(({ data }) => data.timerId === planted)
  const { asked } = memory() as Pick<Transient, 'asked'>
  return isPlanted || Object.values(asked).some(({ about }) => about === planted)
    ? 'a decider that threw leaves an effect'
    : undefined
}
