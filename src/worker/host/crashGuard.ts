import { runtime } from '../runtime.ts'
import type { CrashGuardPorts } from '../../runtime/host/crashGuard.ts'
import type { CrashGuard } from '../../runtime/host/inbox.ts'

/** Makes the careful way of stepping of this product's core. */
export function createCrashGuard(ports: CrashGuardPorts): CrashGuard {
  return runtime.crashGuard(ports)
}
