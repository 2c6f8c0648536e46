import type { Block } from '../blocks.ts'
import { LAG } from '../blocks.ts'
import { transactionJson } from '../encode.ts'
import { invalidParams } from '../errors.ts'
import type { TransactionRecord } from '../ledger.ts'
import {
  addressParam,
  type Call,
  configParam,
  historyBlock,
  inContext,
  type Method,
  needs,
  signatureParam,
  type SlotOrder,
  wholeParam,
} from './params.ts'

/** Slots for which a node without history search remembers statuses: about the life of a blockhash. */
const RECENT_SLOTS = 300

/** Methods about what was executed. */
export const historyMethods: Record<string, Method> = {
  getSignatureStatuses(call) {
    needs(call, 1)
    const [list] = call.params
    if (!Array.isArray(list)) throw invalidParams('Invalid params: expected a sequence of signatures.')
    if (list.length > 256) throw invalidParams('Too many inputs provided; max 256')
    const all = configParam(call.params[1]).searchTransactionHistory === true
    const tip = call.chain.blocks.seen('processed', call.lag)
    return inContext(
      tip,
      list.map(signatureParam).map(signature => {
        const record = call.chain.ledger.get(signature)
        if (!record || record.slot > tip.slot || (!all && tip.slot - record.slot > RECENT_SLOTS)) return null
        return statusOf(record, tip)
      }),
    )
  },
  getSignaturesForAddress(call) {
    needs(call, 1)
    const address = addressParam(call.params[0])
    const config = configParam(call.params[1])
    const limit = config.limit === undefined ? 1_000 : wholeParam(config.limit)
    if (limit < 1 || limit > 1_000) throw invalidParams('Invalid limit; max 1000')
    const before = config.before === undefined ? undefined : signatureParam(config.before)
    const until = config.until === undefined ? undefined : signatureParam(config.until)
    const last = historyBlock(call, config)
    const tip = call.chain.blocks.seen('processed', call.lag)
    let list = call.chain.ledger
      .mentioning(address)
      .filter(record => record.slot <= last.slot)
      .reverse()
    const order = newestFirst(call.slotOrder)
    if (call.slotOrder !== 'block') list.sort(order)
    const start = before === undefined ? undefined : call.chain.ledger.get(before)
    if (before !== undefined)
      list = start ? list.filter(record => order(record, start) > 0 || (call.overlap && record === start)) : []
    const end = until === undefined ? undefined : call.chain.ledger.get(until)
    if (end) list = list.filter(record => order(end, record) > 0)
    return list.slice(0, limit).map(record => ({
      signature: record.signature,
      slot: record.slot,
      err: record.err,
      memo: record.memo,
      blockTime: record.time,
      confirmationStatus: statusOf(record, tip).confirmationStatus,
      ...placeOf(call, record),
    }))
  },
  getTransaction(call) {
    needs(call, 1)
    const signature = signatureParam(call.params[0])
    const config = typeof call.params[1] === 'string' ? { encoding: call.params[1] } : configParam(call.params[1])
    const last = historyBlock(call, config)
    const record = call.chain.ledger.get(signature)
    if (!record || record.slot > last.slot) return null
    const form = { encoding: config.encoding ?? 'json', maxVersion: config.maxSupportedTransactionVersion }
    return {
      slot: record.slot,
      blockTime: record.time,
      ...transactionJson(record, form),
      ...placeOf(call, record),
    }
  },
}

const IN_SLOT: Record<SlotOrder, (a: TransactionRecord, b: TransactionRecord) => number> = {
  block: (a, b) => b.index - a.index,
  backward: (a, b) => a.index - b.index,
  signature: (a, b) => (a.signature < b.signature ? -1 : Number(a.signature > b.signature)),
}

const newestFirst =
  (within: SlotOrder) =>
  (a: TransactionRecord, b: TransactionRecord): number =>
    b.slot - a.slot || IN_SLOT[within](a, b)

/** The field that tells a transaction's place in its block. */
function placeOf(call: Call, { slot, index }: TransactionRecord): { transactionIndex?: number } {
  if (call.transactionIndex === 'absent') return {}
  if (call.transactionIndex === 'right') return { transactionIndex: index }
  return { transactionIndex: (call.chain.blocks.at(slot)?.signatures.length ?? 0) - index }
}

/** The status of a landed transaction as a reader with this newest block sees it. */
export function statusOf(record: TransactionRecord, tip: Block) {
  const behind = tip.slot - record.slot
  const level = behind >= LAG.finalized ? 'finalized' : behind >= LAG.confirmed ? 'confirmed' : 'processed'
  return {
    slot: record.slot,
    confirmations: level === 'finalized' ? null : behind,
    err: record.err,
    status: record.err === null ? { Ok: null } : { Err: record.err },
    confirmationStatus: level,
  } as const
}
