import { type Schema, string, where } from '../../../runtime/schema/schema.ts'
import { decodeBase58 } from './base58.ts'

/** Base58 of 64 bytes: an Ed25519 signature. */
export const signature: Schema<string> = where(string({ most: 90 }), text => decodeBase58(text)?.length === 64)
