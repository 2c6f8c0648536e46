import { Fault, type Failure, toFailure } from '../../events/failure.ts'
import type { OutsideInput } from '../../events/input.ts'

/** What a driver says back: an input that answers one effect. */
export type Answer = { type: string; data: Record<string, unknown> }

/** The data of one input. */
export type InputOf<T extends OutsideInput['type']> = Extract<OutsideInput, { type: T }>['data']

/**
 * Carries out one effect. It never rejects: every effect ends in its answer or in `effect.failed`, and every wait
 * inside has a deadline.
 */
export type Drive = (
  // the dispatcher knows an effect's data only by its type
  effect: { id: string; data: any },
  answer: (input: Answer) => void,
) => Promise<void>

/** @returns the input itself, with its data's shape checked by the compiler */
export function answered(input: OutsideInput): Answer {
  return input
}

/** @returns what kind of thing was thrown, and where, for the console: its own words may quote anything, a secret included */
export function traceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  const { name, message, stack = '' } = cause
  const words = stack.indexOf(message)
  const after = words < 0 ? '' : stack.slice(words + message.length)
  return [name, ...after.split('\n').filter(line => /:\d+:\d+\)?$/.test(line))].join('\n')
}

/**
 * @param run carries the effect out; its result is the answer, undefined when the effect has none
 * @param failed the answer that tells a failure; default `effect.failed`
 * @returns a driver that turns whatever `run` throws into a failure; what nobody foresaw also reaches the console
 */
export function drive<Data>(
  run: (data: Data) => Promise<Answer | undefined>,
  failed: (failure: Failure, data: Data) => Answer = failure => answered({ type: 'effect.failed', data: { failure } }),
): Drive {
  return async (effect, answer) => {
    let input: Answer | undefined
    try {
      input = await run(effect.data)
    } catch (cause) {
      if (!(cause instanceof Fault)) console.error('an effect failed in a way nobody foresaw:', traceOf(cause))
      input = failed(toFailure(cause), effect.data)
    }
    if (input) answer(input)
  }
}
