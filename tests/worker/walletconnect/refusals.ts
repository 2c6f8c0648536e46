import { Fault } from '../../../src/runtime/failure.ts'

/** @returns the fault of a call; throws when the call ends otherwise */
export function faultOf(call: () => unknown): Fault {
  try {
    call()
  } catch (cause) {
    if (cause instanceof Fault) return cause
    throw new Error('expected a Fault, another error was thrown', { cause })
  }
  throw new Error('expected a Fault, the call returned')
}

/** Runs a call that may return or end in a Fault; another error passes through and fails the test. */
export function endsWell(call: () => unknown): boolean {
  try {
    call()
    return true
  } catch (cause) {
    if (cause instanceof Fault) return true
    throw cause
  }
}
