import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { verify as verifyInNode } from '../../../../scripts/presale/verify.ts'
import { createVerify } from '../../../../src/worker/drivers/walletconnect/verify.ts'

const seed = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(seed)
const message = new TextEncoder().encode('pay nobody')
const signature = ed25519.sign(message, seed)

/** A browser without Ed25519 in WebCrypto. */
const without = {
  importKey: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')),
  verify: () => Promise.reject(new Error('nobody asks without a key')),
} as unknown as Pick<SubtleCrypto, 'importKey' | 'verify'>

const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))

describe.each([
  ['by the browser', () => createVerify({ loadOwn: () => Promise.reject(new Error('not to be loaded')) })],
  ['by our own part, in a browser without Ed25519', () => createVerify({ subtle: without })],
  ['by the operator’s tool', () => verifyInNode],
])('a signature checked %s', (_, make) => {
  test('fits its message and key', async () => {
    expect(await make()(signature, message, publicKey)).toBe(true)
  })

  test('fits no changed message or key', async () => {
    const verify = make()
    expect(await verify(flipped(signature, 3), message, publicKey)).toBe(false)
    expect(await verify(flipped(signature, 40), message, publicKey)).toBe(false)
    expect(await verify(signature, flipped(message, 0), publicKey)).toBe(false)
    expect(await verify(signature, message, ed25519.getPublicKey(new Uint8Array(32).fill(8)))).toBe(false)
  })

  test('fits nothing when the bytes are no key or no signature', async () => {
    const verify = make()
    expect(await verify(signature, message, new Uint8Array(32).fill(2))).toBe(false)
    expect(await verify(signature, message, publicKey.slice(1))).toBe(false)
    expect(await verify(new Uint8Array(64), message, publicKey)).toBe(false)
    expect(await verify(signature.slice(1), message, publicKey)).toBe(false)
  })

  test('is read from inside a larger buffer', async () => {
    const all = Uint8Array.from([...signature, ...message, ...publicKey])
    const end = 64 + message.length
    expect(await make()(all.subarray(0, 64), all.subarray(64, end), all.subarray(end))).toBe(true)
  })
})

test('of a repeated key is verified without importing it again, and one of another key rightly', async () => {
  let reads = 0
  const subtle = {
    importKey: (...key: Parameters<SubtleCrypto['importKey']>) => {
      reads += 1
      return crypto.subtle.importKey(...key)
    },
    verify: crypto.subtle.verify.bind(crypto.subtle),
  } as Pick<SubtleCrypto, 'importKey' | 'verify'>
  const verify = createVerify({ subtle })
  expect(await verify(signature, message, publicKey)).toBe(true)
  const before = reads
  expect(await verify(signature, message, publicKey.slice())).toBe(true)
  expect(reads).toBe(before)
  const other = new Uint8Array(32).fill(8)
  expect(await verify(ed25519.sign(message, other), message, ed25519.getPublicKey(other))).toBe(true)
  expect(await verify(ed25519.sign(message, other), message, publicKey)).toBe(false)
})

test('that the browser cannot verify is verified by our own part, and not called wrong', async () => {
  const verify = createVerify({
    subtle: {
      importKey: crypto.subtle.importKey.bind(crypto.subtle),
      verify: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')),
    } as Pick<SubtleCrypto, 'importKey' | 'verify'>,
  })
  expect(await verify(signature, message, publicKey)).toBe(true)
  expect(await verify(flipped(signature, 3), message, publicKey)).toBe(false)
})

test('verify: our own part gone after a deployment gives no verdict, and the next check tries again', async () => {
  let tries = 0
  const verify = createVerify({
    subtle: without,
    loadOwn: async () => {
      tries += 1
      if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return async () => true
    },
  })
  await expect(verify(signature, message, publicKey)).rejects.toMatchObject({ code: 'reload_needed' })
  expect(await verify(signature, message, publicKey)).toBe(true)
})
