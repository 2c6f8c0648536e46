import type { Block, Commitment } from '../blocks.ts'
import { fromBase58 } from '../bytes.ts'
import type { Chain } from '../chain.ts'
import { invalidParams, RpcError } from '../errors.ts'
import { isSignature } from '../execute.ts'

/** Input of a method: its parameters and the chain as visible to this caller. */
export type Call = {
  params: unknown[]
  chain: Chain
  /** slots the node pretends to be behind */
  lag: number
  /** fate of a sent transaction: runs, is dropped, or waits for release */
  landing: 'now' | 'never' | 'held'
  hold(bytes: Uint8Array): void
  /** the place in the block in signature lists and transactions; nodes tell it since Agave 4.0 */
  transactionIndex: TransactionIndex
  /** how signature lists order the transactions of one slot */
  slotOrder: SlotOrder
  /** whether a page of signatures begins with the last one of the page before it */
  overlap: boolean
}

/** `wrong`: counted from the block's end, from 1. */
export type TransactionIndex = 'right' | 'wrong' | 'absent'

/** `block`: newest first, as in the block; `backward`: oldest first; `signature`: by the signature's text. */
export const SLOT_ORDERS = ['block', 'backward', 'signature'] as const
export type SlotOrder = (typeof SLOT_ORDERS)[number]

export type Method = (call: Call) => unknown

export type Config = Record<string, unknown>

/** Refuses calls with fewer than `count` parameters. */
export function needs(call: Call, count: number): void {
  if (call.params.length < count)
    throw invalidParams(`\`params\` should have at least ${count} argument${count === 1 ? '' : 's'}`)
}

/** A 32-byte base58 address. */
export function addressParam(value: unknown): string {
  if (typeof value !== 'string')
    throw invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected a string.`)
  const bytes = fromBase58(value, 64)
  if (!bytes) throw invalidParams('Invalid param: Invalid')
  if (bytes.length !== 32) throw invalidParams('Invalid param: WrongSize')
  return value
}

/** A list of at most `max` addresses. */
export function addressesParam(value: unknown, max = 100): string[] {
  if (!Array.isArray(value)) throw invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected a sequence.`)
  if (value.length > max) throw invalidParams(`Too many inputs provided; max ${max}`)
  return value.map(addressParam)
}

/** A 64-byte base58 signature. */
export function signatureParam(value: unknown): string {
  if (typeof value !== 'string')
    throw invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected a string.`)
  if (!isSignature(value))
    throw invalidParams(fromBase58(value, 200) ? 'Invalid param: WrongSize' : 'Invalid param: Invalid')
  return value
}

/** A whole number from 0 to `max`. */
export function wholeParam(value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
    throw invalidParams(`Invalid params: expected a whole number from 0 to ${max}, got ${shortly(value)}`)
  return value
}

/** A configuration object; absent and null count as empty. */
export function configParam(value: unknown): Config {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidParams(`Invalid params: invalid type: ${kindOf(value)}, expected a configuration object.`)
  return value as Config
}

const COMMITMENTS: Record<string, Commitment> = {
  processed: 'processed',
  confirmed: 'confirmed',
  finalized: 'finalized',
}

/** The commitment a configuration asks for; finalized when it names none. */
export function commitmentOf(config: Config, fallback: Commitment = 'finalized'): Commitment {
  const asked = config.commitment
  if (asked === undefined || asked === null) return fallback
  const commitment = typeof asked === 'string' && Object.hasOwn(COMMITMENTS, asked) ? COMMITMENTS[asked] : undefined
  if (!commitment)
    throw invalidParams(
      `Invalid params: unknown commitment ${shortly(asked)}, expected processed, confirmed or finalized.`,
    )
  return commitment
}

/** The newest block this caller may see; refuses when the caller asked for a slot beyond it. */
export function seenBlock(call: Call, config: Config, fallback: Commitment = 'finalized'): Block {
  const block = call.chain.blocks.seen(commitmentOf(config, fallback), call.lag)
  if (typeof config.minContextSlot === 'number' && config.minContextSlot > block.slot)
    throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: block.slot })
  return block
}

/** The newest block for a method that reads history, which refuses the processed level. */
export function historyBlock(call: Call, config: Config): Block {
  if (commitmentOf(config) === 'processed') throw invalidParams('Method does not support commitment below `confirmed`')
  return seenBlock(call, config)
}

/** An answer with the slot it holds for. */
export const inContext = (block: Block, value: unknown): unknown => ({
  context: { slot: block.slot, apiVersion: API_VERSION },
  value,
})

/** The node version clients are told. */
export const API_VERSION = '4.0.0'

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return Array.isArray(value) ? 'sequence' : typeof value
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
