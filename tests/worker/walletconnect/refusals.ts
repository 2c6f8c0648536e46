import { Fault } from '../../../src/runtime/failure.ts'

/** The fault a call ends in; anything else it does is a failure of the test. */
export function faultOf(call: () => unknown): Fault {
  try {
    call()
  } catch (cause) {
    if (cause instanceof Fault) return cause
    throw new Error('expected a Fault, another error was thrown', { cause })
  }
  throw new Error('expected a Fault, the call returned')
}

/** Whether a call either returns or ends in a Fault; another error passes through and fails the test. */
export function endsWell(call: () => unknown): boolean {
  try {
    call()
    return true
  } catch (cause) {
    if (cause instanceof Fault) return true
    throw cause
  }
}
