import { base58 } from './bytes.ts'

/** The largest transaction a validator takes, in bytes. */
export const MAX_TRANSACTION_BYTES = 1232

export type WireInstruction = { program: number; accounts: number[]; data: Uint8Array }
export type WireLookup = { table: string; writable: number[]; readonly: number[] }

/** A transaction as read from its bytes; key indices are checked, looked-up keys are not resolved yet. */
export type WireTransaction = {
  bytes: Uint8Array
  message: Uint8Array
  version: 'legacy' | 0
  /** raw 64-byte signatures, as many as `header.signers` */
  signatures: Uint8Array[]
  header: { signers: number; readonlySigners: number; readonlyOthers: number }
  keys: Uint8Array[]
  addresses: string[]
  blockhash: string
  instructions: WireInstruction[]
  lookups: WireLookup[]
}

/** Reason why bytes are no transaction: `shape` if unreadable, `sense` if readable but not allowed. */
export class WireError extends Error {
  readonly kind: 'shape' | 'sense'
  constructor(kind: 'shape' | 'sense', message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Reads a transaction strictly: bounds, canonical lengths, no bytes left over, counts and indices in range.
 * The native VM aborts the whole process on bytes it cannot read, so nothing reaches it that did not pass here.
 *
 * @throws WireError naming the first thing that is wrong
 */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw new WireError('shape', `too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES} bytes)`)
  const cursor = { bytes, at: 0 }
  const signatures = list(cursor, 'signatures', () => take(cursor, 64, 'signature'))
  const messageAt = cursor.at
  const message = readMessageBody(cursor)
  if (cursor.at !== bytes.length)
    throw new WireError('shape', `${bytes.length - cursor.at} bytes left over after the message`)
  if (signatures.length !== message.header.signers)
    throw new WireError('sense', `header asks for ${message.header.signers} signatures, ${signatures.length} given`)
  return { bytes, message: bytes.slice(messageAt), signatures, ...message }
}

/** Reads a bare message, as getFeeForMessage takes it, into a transaction with empty signatures. */
export function readMessage(bytes: Uint8Array): WireTransaction {
  const cursor = { bytes, at: 0 }
  const message = readMessageBody(cursor)
  if (cursor.at !== bytes.length)
    throw new WireError('shape', `${bytes.length - cursor.at} bytes left over after the message`)
  const signatures = Array.from({ length: message.header.signers }, () => new Uint8Array(64))
  return { bytes, message: bytes, signatures, ...message }
}

/** Whether the key at this index of the static keys may be written. */
export function isWritable(transaction: WireTransaction, index: number): boolean {
  const { signers, readonlySigners, readonlyOthers } = transaction.header
  if (index < signers) return index < signers - readonlySigners
  return index < transaction.keys.length - readonlyOthers
}

type Cursor = { bytes: Uint8Array; at: number }

function readMessageBody(cursor: Cursor): Omit<WireTransaction, 'bytes' | 'message' | 'signatures'> {
  const first = cursor.bytes[cursor.at]
  let version: 'legacy' | 0 = 'legacy'
  if (first !== undefined && first >= 0x80) {
    if (first !== 0x80) throw new WireError('shape', `message version ${first & 0x7f} is not supported`)
    version = 0
    cursor.at++
  }
  const header = { signers: byte(cursor), readonlySigners: byte(cursor), readonlyOthers: byte(cursor) }
  const keys = list(cursor, 'account keys', () => take(cursor, 32, 'account key'))
  const blockhash = base58(take(cursor, 32, 'blockhash'))
  const instructions = list(cursor, 'instructions', () => readInstruction(cursor))
  const lookups = version === 0 ? list(cursor, 'lookup tables', () => readLookup(cursor)) : []
  checkSense({ header, keys, instructions, lookups })
  return { version, header, keys, addresses: keys.map(base58), blockhash, instructions, lookups }
}

function readInstruction(cursor: Cursor): WireInstruction {
  const program = byte(cursor)
  const accounts = list(cursor, 'instruction accounts', () => byte(cursor))
  return { program, accounts, data: take(cursor, length(cursor, 'instruction data'), 'instruction data') }
}

function readLookup(cursor: Cursor): WireLookup {
  const table = base58(take(cursor, 32, 'lookup table address'))
  const writable = list(cursor, 'writable lookups', () => byte(cursor))
  const readonly = list(cursor, 'read-only lookups', () => byte(cursor))
  return { table, writable, readonly }
}

function checkSense(message: Pick<WireTransaction, 'header' | 'keys' | 'instructions' | 'lookups'>): void {
  const { header, keys, instructions, lookups } = message
  if (header.signers < 1) throw new WireError('sense', 'no signer pays the fee')
  if (header.readonlySigners >= header.signers) throw new WireError('sense', 'the fee payer is not writable')
  if (header.signers + header.readonlyOthers > keys.length)
    throw new WireError(
      'sense',
      `header counts ${header.signers + header.readonlyOthers} keys, the message has ${keys.length}`,
    )
  let total = keys.length
  for (const lookup of lookups) {
    const count = lookup.writable.length + lookup.readonly.length
    if (count === 0) throw new WireError('sense', `lookup table ${lookup.table} is named but nothing is looked up`)
    total += count
  }
  if (total > 256) throw new WireError('sense', `${total} account keys, at most 256 fit an index byte`)
  for (const instruction of instructions) {
    if (instruction.program === 0) throw new WireError('sense', 'the fee payer cannot be a program')
    if (instruction.program >= keys.length)
      throw new WireError('sense', `program index ${instruction.program} is outside ${keys.length} static keys`)
    for (const account of instruction.accounts)
      if (account >= total) throw new WireError('sense', `account index ${account} is outside ${total} keys`)
  }
}

function byte(cursor: Cursor): number {
  const value = cursor.bytes[cursor.at]
  if (value === undefined) throw new WireError('shape', 'io error: unexpected end of file')
  cursor.at++
  return value
}

function take(cursor: Cursor, size: number, what: string): Uint8Array {
  if (cursor.at + size > cursor.bytes.length)
    throw new WireError('shape', `io error: unexpected end of file in ${what}`)
  cursor.at += size
  return cursor.bytes.slice(cursor.at - size, cursor.at)
}

/** A compact-u16: seven bits a byte, at most three bytes, no padding. */
function length(cursor: Cursor, what: string): number {
  let value = 0
  for (let i = 0; i < 3; i++) {
    const part = byte(cursor)
    if (i > 0 && part === 0) throw new WireError('shape', `length of ${what} is not canonical`)
    if (i === 2 && part > 3) throw new WireError('shape', `length of ${what} is over 65535`)
    value |= (part & 0x7f) << (7 * i)
    if (part < 0x80) return value
  }
  throw new WireError('shape', `length of ${what} takes more than three bytes`)
}

function list<T>(cursor: Cursor, what: string, read: () => T): T[] {
  const count = length(cursor, what)
  if (count > cursor.bytes.length - cursor.at)
    throw new WireError('shape', `io error: unexpected end of file in ${what}`)
  return Array.from({ length: count }, read)
}
