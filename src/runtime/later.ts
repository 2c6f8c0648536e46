import { Fault } from './failure.ts'

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
