import { quarantine } from '../core/quarantine.ts'
import { crashGuardFor, type CrashGuardPorts } from './crashGuardFor.ts'
import type { CrashGuard } from './inboxFor.ts'

/** Makes the careful way of stepping of this product's core. */
export function createCrashGuard(ports: CrashGuardPorts): CrashGuard {
  return crashGuardFor(quarantine, ports)
}
