import { toFailure } from '../failure.ts'
import type { Later } from '../later.ts'
import type { Drive } from './driver.ts'

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
