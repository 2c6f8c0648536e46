import { Fault, toFailure } from '../../events/failure.ts'
import { answered, type Drive } from './drive.ts'

/** A part of this worker that comes in a file of its own, when it is first needed. */
export type Later<Part> = {
  /**
   * Whoever asks first begins the loading; the answers come in the order of the calls.
   *
   * @throws Fault `reload_needed` when its file cannot be had, as after a deployment; the next call tries again
   */
  get(): Promise<Part>
  /** @returns whether the part is here or on its way */
  begun(): boolean
}

/**
 * @param what what the part is for, as a sentence's beginning: "building a transaction"
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

/** @returns a driver that waits for the part with the true one in it; effects are carried out in the order they came */
export function driveLater<Type extends string>(type: Type, part: Later<{ [T in Type]: Drive }>): Drive {
  return async (effect, answer) => {
    let drive: Drive
    try {
      drive = (await part.get())[type]
    } catch (cause) {
      answer(answered({ type: 'effect.failed', data: { failure: toFailure(cause) } }))
      return
    }
    await drive(effect, answer)
  }
}
