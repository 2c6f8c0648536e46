/** Instructions of any program by its bytes, and transactions of them with valid signatures. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import {
  type AddressLookupTableAccount,
  type Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { messageBytes, readTransaction } from '../../src/worker/chains/solana/wire.ts'
import { blockhash } from '../worker/chains/solana/exampleOrder.ts'

export type Meta = { pubkey: PublicKey; isSigner: boolean; isWritable: boolean }
export const reads = (pubkey: PublicKey): Meta => ({ pubkey, isSigner: false, isWritable: false })
export const writes = (pubkey: PublicKey): Meta => ({ pubkey, isSigner: false, isWritable: true })
export const signs = (pubkey: PublicKey, isWritable = true): Meta => ({ pubkey, isSigner: true, isWritable })

/** @param program base58 */
export function call(program: string, data: readonly number[], keys: readonly Meta[] = []): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(program), keys: [...keys], data: Buffer.from(data) })
}

/** Little-endian bytes. */
export const u32 = (value: number): number[] => [...new Uint8Array(new Uint32Array([value]).buffer)]
export const u64 = (value: bigint): number[] => [...new Uint8Array(new BigUint64Array([value]).buffer)]

export type Shape = {
  instructions: readonly TransactionInstruction[]
  payer: PublicKey
  version?: 'legacy' | 0
  hash?: string
  tables?: AddressLookupTableAccount[]
}

/** @returns an unsigned transaction */
export function bytesOf({ instructions, payer, version = 'legacy', hash = blockhash, tables = [] }: Shape): Uint8Array {
  if (version === 0 || tables.length > 0) {
    const message = new TransactionMessage({ payerKey: payer, recentBlockhash: hash, instructions: [...instructions] })
    return new VersionedTransaction(message.compileToV0Message(tables)).serialize()
  }
  const transaction = new Transaction({ feePayer: payer, blockhash: hash, lastValidBlockHeight: 150 })
  transaction.add(...instructions)
  return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

/** @returns the transaction signed by each of these keys that it requires; unchanged when it cannot be read */
export function signedBy(bytes: Uint8Array, ...keys: Keypair[]): Uint8Array {
  let read: ReturnType<typeof readTransaction>
  try {
    read = readTransaction(bytes)
  } catch {
    return signedBlindly(bytes, keys)
  }
  const message = messageBytes(bytes)
  const signed = Uint8Array.from(bytes)
  for (const key of keys) {
    const place = read.accountKeys.indexOf(key.publicKey.toBase58())
    if (place >= 0 && place < read.header.signers)
      signed.set(signatureOf(key, message), read.messageAt - (read.signatures.length - place) * 64)
  }
  return signed
}

/** Bytes that only a lenient reader accepts: the first key signs everything after one signature. */
function signedBlindly(bytes: Uint8Array, [key]: Keypair[]): Uint8Array {
  const signed = Uint8Array.from(bytes)
  if (key && bytes.length > 65) signed.set(signatureOf(key, bytes.subarray(65)), 1)
  return signed
}

const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const privateKeys = new Map<Keypair, KeyObject>()
function signatureOf(key: Keypair, message: Uint8Array): Uint8Array {
  const der = Buffer.concat([pkcs8, key.secretKey.subarray(0, 32)])
  const known = privateKeys.get(key) ?? createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  privateKeys.set(key, known)
  return sign(null, message, known)
}
