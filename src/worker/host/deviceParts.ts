/** Touches the device and the network: a chain's record on this device, and the drivers. Each visit loads this part. */
import { adoptLog } from '../journal/adoptLog.ts'
import { openRecord } from '../journal/openLog.ts'
import { eraseLog, rememberChain } from '../journal/storage.ts'
import { genesisHashAt } from './chainOf.ts'
import { createDrivers } from './driverTable.ts'
import { namesTopics, sweepUnnamed } from './named.ts'

export const deviceParts = {
  genesisHashAt,
  rememberChain,
  openRecord,
  namesTopics,
  sweepUnnamed,
  adoptLog,
  eraseLog,
  createDrivers,
}

export type DeviceParts = typeof deviceParts
