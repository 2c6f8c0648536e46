/** Touches the device and the network: a chain's record on this device, and the drivers. Each visit loads this part. */
import { adoptLog } from '../journal/adoptLog.ts'
import { openRecord } from '../journal/openLog.ts'
import { eraseLog, rememberChain } from '../journal/storage.ts'
import { genesisHashAt } from './chainOf.ts'
import { sweepKeys } from '../drivers/walletconnect/keys.ts'
import { createDrivers } from './driverTable.ts'

export const deviceParts = { genesisHashAt, rememberChain, openRecord, sweepKeys, adoptLog, eraseLog, createDrivers }

export type DeviceParts = typeof deviceParts
