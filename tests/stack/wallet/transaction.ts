import bs58 from 'bs58'

/** A transaction as wallets read it from wire bytes, legacy or version 0. */
export type WalletTransaction = {
  bytes: Uint8Array
  /** Where the signed part begins in `bytes`. */
  messageAt: number
  /** Static keys in base58; the first `signers` of them must sign, in this order. */
  keys: string[]
  signers: number
  instructions: WalletInstruction[]
}

/** One instruction; `accounts` names static keys, or `looked up` for a key from a lookup table. */
export type WalletInstruction = { program: string; accounts: string[]; data: Uint8Array; dataAt: number }

const signatureLength = 64
const keyLength = 32

/** @throws Error naming the missing bytes */
export function readWalletTransaction(bytes: Uint8Array): WalletTransaction {
  let at = 0
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error(`transaction expected ${at + length} bytes, got ${bytes.length}`)
    at += length
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1)[0] as number
  const count = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const part = byte()
      value |= (part & 0x7f) << shift
      if (part < 0x80 || shift === 14) return value
    }
  }

  take(count() * signatureLength)
  const messageAt = at
  const version = byte()
  if (version > 0x80) throw new Error(`transaction expected version legacy or 0, got ${version & 0x7f}`)
  const signers = version === 0x80 ? byte() : version
  take(2)
  const keys = Array.from({ length: count() }, () => bs58.encode(take(keyLength)))
  take(keyLength)
  const instructions = Array.from({ length: count() }, () => {
    const program = keys[byte()] ?? 'looked up'
    const accounts = Array.from(take(count()), index => keys[index] ?? 'looked up')
    const length = count()
    const dataAt = at
    return { program, accounts, data: take(length), dataAt }
  })
  if (signers === 0 || signers > keys.length) {
    throw new Error(`transaction expected 1 to ${keys.length} signers, got ${signers}`)
  }
  return { bytes, messageAt, keys, signers, instructions }
}

/** A copy of the wire bytes with the signature in the place of its signer. @throws Error when the address need not sign */
export function withSignature(transaction: WalletTransaction, address: string, signature: Uint8Array): Uint8Array {
  const place = transaction.keys.slice(0, transaction.signers).indexOf(address)
  if (place < 0) throw new Error(`transaction is not for ${address} to sign`)
  const signed = transaction.bytes.slice()
  signed.set(signature, transaction.messageAt - transaction.signers * signatureLength + place * signatureLength)
  return signed
}

/** The first signature in base58: the id the chain knows the transaction by. */
export function transactionId({ bytes, messageAt, signers }: WalletTransaction): string {
  const from = messageAt - signers * signatureLength
  return bs58.encode(bytes.subarray(from, from + signatureLength))
}

const systemProgram = '11111111111111111111111111111111'
const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']

/** A payment of an instruction: offset of the amount in the wire bytes, and the amount in base units. */
export type Payment = { kind: 'sol' | 'token' | 'tokenChecked'; amountAt: number; amount: bigint }

/** The payment an instruction makes, if it is one of the plain transfers. */
export function paymentOf({ program, data, dataAt }: WalletInstruction): Payment | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  if (program === systemProgram && data.length === 12 && view.getUint32(0, true) === 2) {
    return { kind: 'sol', amountAt: dataAt + 4, amount: view.getBigUint64(4, true) }
  }
  if (!tokenPrograms.includes(program)) return undefined
  if (data.length === 9 && data[0] === 3)
    return { kind: 'token', amountAt: dataAt + 1, amount: view.getBigUint64(1, true) }
  if (data.length === 10 && data[0] === 12) {
    return { kind: 'tokenChecked', amountAt: dataAt + 1, amount: view.getBigUint64(1, true) }
  }
  return undefined
}

/** The same transaction paying one base unit less in its last payment: the result of a tampering wallet. */
export function withOtherAmount(transaction: WalletTransaction): Uint8Array {
  const payment = transaction.instructions
    .map(paymentOf)
    .filter(one => one !== undefined)
    .at(-1)
  if (!payment) throw new Error('transaction has no transfer whose amount could be changed')
  const bytes = transaction.bytes.slice()
  new DataView(bytes.buffer).setBigUint64(payment.amountAt, payment.amount > 0n ? payment.amount - 1n : 1n, true)
  return bytes
}

/** The same transaction with another account as a signer: the result of a wallet that confuses its accounts. */
export function withOtherSigner(transaction: WalletTransaction, address: string, other: string): Uint8Array {
  const place = transaction.keys.slice(0, transaction.signers).indexOf(address)
  if (place < 0) throw new Error(`transaction is not for ${address} to sign`)
  const bytes = transaction.bytes.slice()
  const start = transaction.messageAt + (bytes[transaction.messageAt] === 0x80 ? 1 : 0) + 3
  const keysAt = start + (transaction.keys.length > 127 ? 2 : 1)
  bytes.set(bs58.decode(other), keysAt + place * keyLength)
  return bytes
}
