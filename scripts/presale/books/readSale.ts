/** Reads a sale's ledger, from the stored part of it where there is one. */
import { Fault } from '../../../src/runtime/failure.ts'
import type { VerbArguments } from '../../../src/main/replay/verb.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { SaleScan } from '../../../src/worker/ledger/saleHistory.ts'
import type { Node } from '../node.ts'
import { listSale, type OnTraced, readLedger, type ReadSale } from '../readLedger.ts'
import { stateDirectory } from '../stateDirectory.ts'
import type { PresaleIo } from '../verb.ts'
import { agreeOnLedger } from './secondNode.ts'
import { readStored, type StoredLedger } from './storedLedger.ts'

/**
 * @returns the state directory of a verb that needs none: undefined where `--state` names no other one than a published folder
 * @throws Fault `bad_input` when `--state` names a place that is published
 */
export function readingPlace(asked: VerbArguments, sale: LedgerSale, io: PresaleIo): string | undefined {
  try {
    return stateDirectory(asked, sale, io)
  } catch (cause) {
    if (asked.values.state !== undefined || !(cause instanceof Fault)) throw cause
    return undefined
  }
}

/**
 * @param until the last slot with rows; absent: the newest final one
 * @returns the stored part, when it ends there or before
 * @throws Fault as `readStored`
 */
export function storedUntil(
  directory: string | undefined,
  sale: LedgerSale,
  until = Number.POSITIVE_INFINITY,
): StoredLedger | undefined {
  const stored = directory === undefined ? undefined : readStored(directory, sale)
  return stored && stored.part.slot <= until ? stored : undefined
}

/** `second`: its ledger must be the same. */
type Reading = {
  io: PresaleIo
  second?: Node | undefined
  directory: string | undefined
  until?: number | undefined
  onRows?: OnTraced | undefined
}

/** @throws Fault as `listSince`, `readStored`, `readLedger` and `agreeOnLedger` */
export async function readSale(node: Node, sale: LedgerSale, reading: Reading): Promise<ReadSale> {
  const { io, second, directory, until, onRows } = reading
  const stored = storedUntil(directory, sale, until)
  const since = stored?.part.slot
  const scan = await listSince(node, sale, io, stored)
  const read = await readLedger(node, sale, scan, { io, until, stored, onRows })
  if (second) await agreeOnLedger(second, sale, { scan, read, since }, io)
  return read
}

/** Lists what is new since a stored part. @throws Fault `unreachable` when the node has not come to its end; as `listSale` */
export async function listSince(
  node: Node,
  sale: LedgerSale,
  io: PresaleIo,
  stored: StoredLedger | undefined,
): Promise<SaleScan> {
  const scan = await listSale(node, sale, io, stored?.part.slot)
  if (stored && scan.slot < stored.part.slot)
    throw new Fault(
      'unreachable',
      `${node.host} expected to know slot ${stored.part.slot} of the stored ledger, got ${scan.slot} as its newest final one`,
    )
  return scan
}
