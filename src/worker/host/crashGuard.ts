import { runtime } from '../runtime.ts'
import type { CrashGuardPorts } from './crashGuardFor.ts'
import type { CrashGuard } from './inboxFor.ts'

/** Makes the careful way of stepping of this product's core. */
export function createCrashGuard(ports: CrashGuardPorts): CrashGuard {
  return runtime.crashGuard(ports)
}
