/**
 * Reference keys: 32-byte hashes in a payment's read-only accounts, by which the chain's address index finds the
 * transactions of the sale, of a buyer, of one order or of one transfer. They have no private keys.
 *
 * @see reference "Presale", §6
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { encodeBase58 } from '../../../events/values/solana/base58.ts'
import { Fault } from '../../../runtime/failure.ts'
import { keyBytes } from './keyBytes.ts'

/**
 * @param authority base58 public key of the operator
 * @param id the sale's id in its terms
 * @returns base58
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes; so do the functions below
 */
export function presaleRef(authority: string, id: string): string {
  return hashKey('mai1/presale\0', keyBytes('authority', authority), utf8ToBytes(id))
}

/** @returns base58; finds a buyer's purchases on any device */
export function buyerRef(presale: string, buyer: string): string {
  return hashKey('mai1/buyer\0', keyBytes('presale', presale), keyBytes('buyer', buyer))
}

/**
 * @param orderKey 16 lower-case hex characters, as in the order's memo
 * @returns base58; finds one order, even when its signature is unknown
 */
export function orderRef(presale: string, buyer: string, orderKey: string): string {
  const bytes = hexToBytes(checked(orderKey))
  return hashKey('mai1/order\0', keyBytes('presale', presale), keyBytes('buyer', buyer), bytes)
}

/** @returns base58; finds the payment of a code, whose buyer is not known before */
export function invoiceRef(presale: string, orderKey: string): string {
  return hashKey('mai1/open\0', keyBytes('presale', presale), hexToBytes(checked(orderKey)))
}

/** @returns base58; finds one transfer of an account, even when its signature is unknown */
export function sendRef(account: string, orderKey: string): string {
  return hashKey('mai1/send\0', keyBytes('account', account), hexToBytes(checked(orderKey)))
}

/** @returns base58; finds the operator's notices */
export function noticeRef(presale: string): string {
  return hashKey('mai1/notice\0', keyBytes('presale', presale))
}

/**
 * @param planHash 64 lower-case hex characters
 * @param batch counts from 0
 * @returns base58; finds the payment of one batch of a plan
 */
export function payRef(planHash: string, batch: number): string {
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, batch, true)
  if (/^[0-9a-f]{64}$/.test(planHash)) return hashKey('mai1/pay\0', hexToBytes(planHash), number)
  throw new Fault('bad_input', `a plan's hash expected 64 lower-case hex characters, got ${planHash.length} characters`)
}

/** @returns the first 16 hex characters of a key's bytes, by which a memo names it. @throws Fault `bad_input` */
export function keyMark(key: string): string {
  return bytesToHex(keyBytes('a key', key).subarray(0, 8))
}

function hashKey(domain: string, ...parts: Uint8Array[]): string {
  const hash = sha256.create().update(utf8ToBytes(domain))
  for (const part of parts) hash.update(part)
  return encodeBase58(hash.digest())
}

function checked(orderKey: string): string {
  if (/^[0-9a-f]{16}$/.test(orderKey)) return orderKey
  throw new Fault('bad_input', `an order key expected 16 lower-case hex characters, got ${orderKey.length} characters`)
}
