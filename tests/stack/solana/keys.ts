import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, concat, fromBase58, sha256 } from './bytes.ts'

/** An ed25519 key of the local chain: its address, its 32-byte seed, and how to sign with it. */
export type Keypair = {
  address: string
  publicKey: Uint8Array
  /** 64 bytes, seed then public key: what web3.js `Keypair.fromSecretKey` takes. */
  secretKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** The key whose seed is sha256(seed text, 0, name): the same pair of texts gives the same key for ever. */
export function seededKeypair(seed: string, name: string): Keypair {
  return keypairFromSeed(sha256('local solana key\0', seed, '\0', name))
}

/** The key of a 32-byte ed25519 seed. */
export function keypairFromSeed(seed: Uint8Array): Keypair {
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  const publicKey = new Uint8Array(spki.subarray(spki.length - 32))
  return {
    address: base58(publicKey),
    publicKey,
    secretKey: concat(seed, publicKey),
    sign: message => new Uint8Array(sign(null, message, privateKey)),
  }
}

/** Whether an ed25519 signature holds; false for anything malformed. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  try {
    const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' })
    return verify(null, message, key, signature)
  } catch {
    return false
  }
}

/** Bytes of a 32-byte base58 address; throws a sentence naming what came instead. */
export function addressBytes(address: string): Uint8Array {
  const bytes = typeof address === 'string' ? fromBase58(address, 64) : undefined
  if (bytes?.length !== 32) throw new Error(`address expected base58 of 32 bytes, got ${JSON.stringify(address)}`)
  return bytes
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}

/** Program derived address: the first off-curve hash of seeds, bump (255 downwards), program and the marker text. */
export function programAddress(seeds: Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = sha256(...seeds, Uint8Array.of(bump), addressBytes(program), 'ProgramDerivedAddress')
    if (!isOnCurve(hash)) return base58(hash)
  }
  throw new Error('no bump gives an off-curve program address')
}
