/** Finds, opens, moves and erases a chain's record on this device: databases, journal, hashes over both. Each visit loads this part. */
import { adoptLog } from '../journal/adoptLog.ts'
import { openRecord } from '../journal/openLog.ts'
import { eraseLog, rememberChain } from '../journal/storage.ts'
import { genesisHashAt } from './chainOf.ts'

export const recordParts = { genesisHashAt, rememberChain, openRecord, adoptLog, eraseLog }

export type RecordParts = typeof recordParts
