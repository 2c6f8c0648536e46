/**
 * Calls over a port: from a page to its worker, between the workers of two tabs.
 *
 * 1. Each call settles once: by its answer, by its deadline, or when the line is lost.
 * 2. A lost line sends nothing more: such a call would never be answered, and stay pending for ever.
 */
import { type Endpoint, releaseProxy, wrap } from 'comlink'
import { Fault } from '../failure.ts'

type Call = (...args: never[]) => Promise<unknown>

export type Line<T> = {
  calls: T
  /** Gives the other side up: every pending and later call is rejected with this fault. */
  lose(fault: Fault): void
}

/**
 * @param names of the calls that the other side answers
 * @param limitOf a call's deadline, ms; undefined for one that may wait for ever
 */
export function callsOver<T extends { [name in keyof T]: Call }>(
  endpoint: Endpoint,
  names: readonly (keyof T & string)[],
  limitOf: (name: keyof T & string) => number | undefined = () => undefined,
): Line<T> {
  const remote = wrap<{ [name: string]: (...args: unknown[]) => unknown }>(endpoint)
  const pending = new Set<(cause: Fault) => void>()
  let lost: Fault | undefined

  function call(name: keyof T & string, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (lost) return reject(lost)
      const limitMs = limitOf(name)
      const settle = () => {
        clearTimeout(timer)
        pending.delete(fail)
      }
      const fail = (cause: unknown) => {
        settle()
        reject(cause as Error)
      }
      const late = () => fail(new Fault('timeout', `${name} expected an answer within ${limitMs} ms, got none`))
      const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs)
      pending.add(fail)
      const answered = (remote[name] as (...given: unknown[]) => Promise<unknown>)(...args)
      answered.then(value => {
        settle()
        resolve(value)
      }, fail)
    })
  }

  return {
    calls: Object.fromEntries(names.map(name => [name, (...args: unknown[]) => call(name, args)])) as unknown as T,
    lose(fault) {
      if (lost) return
      lost = fault
      for (const reject of pending) reject(fault)
      remote[releaseProxy]()
    },
  }
}
