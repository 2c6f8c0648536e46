import { Fault, toFailure } from './failure.ts'
import type { Drive } from './host/driver.ts'

/** A module of this worker in a file of its own, loaded on first use. */
export type Later<Part> = {
  /**
   * Loads on the first call; promises resolve in call order.
   *
   * @throws Fault `reload_needed` when the file is missing, as after a deployment; the next call retries
   */
  get(): Promise<Part>
  /** @returns whether the module is loaded or loading */
  begun(): boolean
}

/**
 * @param what the module's purpose, as the beginning of the error: "building a transaction"
 * @param load imports it
 */
export function later<Part>(what: string, load: () => Promise<Part>): Later<Part> {
  let part: Promise<Part> | undefined
  return {
    get() {
      part ??= load().catch((cause: unknown) => {
        part = undefined
        if (cause instanceof Fault) throw cause
        throw new Fault('reload_needed', `${what} expected a part of this page that is not there any more`)
      })
      return part
    },
    begun: () => part !== undefined,
  }
}

/** @returns a driver that loads the module on the first effect; effects run in order */
export function driveLater<Type extends string>(type: Type, part: Later<{ [T in Type]: Drive }>): Drive {
  return async (effect, answer) => {
    let drive: Drive
    try {
      drive = (await part.get())[type]
    } catch (cause) {
      answer({ type: 'effect.failed', data: { failure: toFailure(cause) } })
      return
    }
    await drive(effect, answer)
  }
}
