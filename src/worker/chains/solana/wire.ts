/**
 * A strict parser of Solana transactions. Every byte is accounted for: an ambiguous transaction, or one of a shape the
 * chain rejects, is refused here.
 *
 * @see Solana documentation, transactions; versioned transactions
 */
import { Fault } from '../../../runtime/failure.ts'
import { decodeBase58, encodeBase58 } from '../../../events/values/solana/base58.ts'

/** Longest transaction, bytes, signatures included. */
export const maxTransactionBytes = 1232

export type WireInstruction = { program: number; accounts: number[]; data: Uint8Array }
type WireLookup = { table: string; writable: number[]; readonly: number[] }

/** A parsed transaction. Keys and the blockhash are base58; numbers in instructions are account indices. */
export type WireTransaction = {
  /** 64 bytes each, all zero where a signature is missing; the first is the transaction's id */
  signatures: Uint8Array[]
  version: 'legacy' | 0
  header: { signers: number; readonlySigners: number; readonlyOthers: number }
  /** accounts in the message itself; those of lookup tables follow them, first writable ones, then read-only */
  accountKeys: string[]
  recentBlockhash: string
  instructions: WireInstruction[]
  lookups: WireLookup[]
  /** offset of the message in the bytes */
  messageAt: number
}

/**
 * Parses a whole transaction.
 *
 * @throws Fault `bad_response` when it is too long, truncated, has trailing bytes, a length in more bytes than needed, an
 *   index out of range, a duplicate account, or an unknown version
 */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length > maxTransactionBytes) {
    refuse(`expected ${maxTransactionBytes} bytes at most, got ${bytes.length}`)
  }
  const from = reader(bytes)
  const signatures = Array.from({ length: from.length('signatures', 64) }, () => from.take(64, 'a signature'))
  const messageAt = from.at()

  const first = from.byte('the version')
  const version = first < 0x80 ? 'legacy' : first === 0x80 ? 0 : refuse(`expected version 0, got ${first & 0x7f}`)
  const header = {
    signers: version === 'legacy' ? first : from.byte('the number of signers'),
    readonlySigners: from.byte('the number of read-only signers'),
    readonlyOthers: from.byte('the number of other read-only accounts'),
  }
  const accountKeys = Array.from({ length: from.length('accounts', 32) }, () =>
    encodeBase58(from.take(32, 'an account')),
  )
  const recentBlockhash = encodeBase58(from.take(32, 'the blockhash'))
  const instructions = Array.from({ length: from.length('instructions', 3) }, () => {
    const program = from.byte('a program')
    const accounts = [...from.take(from.length('accounts of an instruction', 1), 'accounts')]
    return { program, accounts, data: from.take(from.length('data of an instruction', 1), 'data') }
  })
  const lookups = version === 'legacy' ? [] : readLookups(from)
  if (from.at() < bytes.length) refuse(`ends at byte ${from.at()}, but ${bytes.length} came`)

  const transaction = {
    signatures,
    version,
    header,
    accountKeys,
    recentBlockhash,
    instructions,
    lookups,
    messageAt,
  } as const
  checkShape(transaction)
  return transaction
}

/** @returns the signed part of a transaction, a view of the same bytes */
export function messageBytes(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(readTransaction(bytes).messageAt)
}

/**
 * @param signer base58 public key
 * @param signature 64 bytes
 * @returns a copy of the transaction with the signature in the signer's slot
 * @throws Fault `bad_response` when the account is not a signer, or the signature has another length
 */
export function withSignature(bytes: Uint8Array, signer: string, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const { accountKeys, header, messageAt, signatures } = readTransaction(bytes)
  const place = accountKeys.indexOf(signer)
  if (place < 0 || place >= header.signers) refuse(`does not ask ${signer.slice(0, 44)} for a signature`)
  if (signature.length !== 64) refuse(`expected a signature of 64 bytes, got ${signature.length}`)
  const signed = Uint8Array.from(bytes)
  signed.set(signature, messageAt - signatures.length * 64 + place * 64)
  return signed
}

/**
 * @returns the signature of `signer` in base58, or undefined when its slot is empty
 * @throws Fault `bad_response` when the account is not a signer
 */
export function signatureOf(transaction: WireTransaction, signer: string): string | undefined {
  const place = transaction.accountKeys.indexOf(signer)
  const signature = place < transaction.header.signers ? transaction.signatures[place] : undefined
  if (!signature) return refuse(`does not ask ${signer.slice(0, 44)} for a signature`)
  return signature.every(byte => byte === 0) ? undefined : encodeBase58(signature)
}

/** @returns whether the account at this index signs */
export function isSigner(transaction: WireTransaction, index: number): boolean {
  return index < transaction.header.signers
}

/** @returns whether the account at this index is writable; accounts of lookup tables as their list says */
export function isWritable(transaction: WireTransaction, index: number): boolean {
  const { header, accountKeys, lookups } = transaction
  if (index >= accountKeys.length) {
    const writable = lookups.reduce((sum, lookup) => sum + lookup.writable.length, 0)
    return index < accountKeys.length + writable
  }
  if (index < header.signers) return index < header.signers - header.readonlySigners
  return index < accountKeys.length - header.readonlyOthers
}

/**
 * @param text a transaction or signature in base58
 * @throws Fault `bad_response` when it is not base58
 */
export function bytesOfBase58(text: string): Uint8Array<ArrayBuffer> {
  return decodeBase58(text) ?? refuse(`expected base58 of at most ${maxTransactionBytes} bytes`)
}

function checkShape({ signatures, header, accountKeys, instructions, lookups }: WireTransaction): void {
  const looked = lookups.reduce((sum, lookup) => sum + lookup.writable.length + lookup.readonly.length, 0)
  const accounts = accountKeys.length + looked
  if (header.signers === 0) refuse('expected a signer, got none')
  if (signatures.length !== header.signers) {
    refuse(`expected ${header.signers} signatures as its header says, got ${signatures.length}`)
  }
  if (header.readonlySigners >= header.signers) refuse('expected a fee payer that can be charged')
  if (header.signers + header.readonlyOthers > accountKeys.length) {
    refuse(`names ${accountKeys.length} accounts, its header more`)
  }
  if (accounts > 256) refuse(`expected 256 accounts at most, got ${accounts}`)
  if (new Set(accountKeys).size < accountKeys.length) refuse('names an account twice')
  if (lookups.some(lookup => lookup.writable.length + lookup.readonly.length === 0))
    refuse('looks up a table for nothing')
  for (const instruction of instructions) {
    // Account 0 pays the fee and cannot be a program; programs never come from lookup tables
    if (instruction.program === 0 || instruction.program >= accountKeys.length) {
      refuse(`calls account ${instruction.program}, which is no program of ${accountKeys.length} accounts`)
    }
    const beyond = instruction.accounts.find(index => index >= accounts)
    if (beyond !== undefined) refuse(`gives an instruction account ${beyond} of ${accounts}`)
  }
}

function readLookups(from: Reader): WireLookup[] {
  return Array.from({ length: from.length('lookup tables', 34) }, () => ({
    table: encodeBase58(from.take(32, 'a lookup table')),
    writable: [...from.take(from.length('writable lookups', 1), 'lookups')],
    readonly: [...from.take(from.length('read-only lookups', 1), 'lookups')],
  }))
}

type Reader = {
  at(): number
  byte(what: string): number
  take(count: number, what: string): Uint8Array
  /** reads a length; refuses it when its items, of at least `each` bytes, exceed the rest */
  length(what: string, each: number): number
}

function reader(bytes: Uint8Array): Reader {
  let at = 0
  const move = (count: number, what: string): number => {
    if (at + count > bytes.length) refuse(`is cut off in ${what}: expected ${at + count} bytes, got ${bytes.length}`)
    at += count
    return at - count
  }
  const take = (count: number, what: string): Uint8Array => bytes.slice(move(count, what), at)
  const byte = (what: string): number => bytes[move(1, what)] ?? 0
  const length = (what: string, each: number): number => {
    // 7 bits a byte, least first, 16 bits at most; a last byte of 0 would be a longer form of the same number
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte(`the number of ${what}`)
      if (shift === 14 && next > 3) refuse(`expected a number of ${what} below 65536`)
      if (shift > 0 && next === 0) refuse(`writes the number of ${what} longer than it is`)
      value |= (next & 0x7f) << shift
      if (next < 0x80) break
    }
    if (at + value * each > bytes.length) refuse(`announces ${value} ${what}, more than its bytes hold`)
    return value
  }
  return { at: () => at, byte, take, length }
}

function refuse(sentence: string): never {
  throw new Fault('bad_response', `a transaction ${sentence}`)
}
