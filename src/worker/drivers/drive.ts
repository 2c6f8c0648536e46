import { Fault, type Failure, toFailure } from '../../runtime/failure.ts'
import type { OutsideInput } from '../../events/input.ts'
import type { Answer, Drive } from '../../runtime/host/driver.ts'

/** The data of one input. */
export type InputOf<T extends OutsideInput['type']> = Extract<OutsideInput, { type: T }>['data']

/** @returns the input; the compiler checks its data */
export function answered(input: OutsideInput): Answer {
  return input
}

/** @returns an error's name and stack for the console, without its message, which may quote anything, even a secret */
export function traceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  const { name, message, stack = '' } = cause
  const words = stack.indexOf(message)
  const after = words < 0 ? '' : stack.slice(words + message.length)
  return [name, ...after.split('\n').filter(line => /:\d+:\d+\)?$/.test(line))].join('\n')
}

/**
 * @param run carries out the effect; returns the answer, undefined when there is none
 * @param failed maps a failure to an answer; default `effect.failed`
 * @returns a driver that turns exceptions of `run` into failures and logs unexpected ones to the console
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
      if (!(cause instanceof Fault)) console.error('an effect failed unexpectedly:', traceOf(cause))
      input = failed(toFailure(cause), effect.data)
    }
    if (input) answer(input)
  }
}
