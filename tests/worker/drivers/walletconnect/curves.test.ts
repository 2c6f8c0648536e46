import { describe, expect, test } from 'vitest'
import { createCurves, type Curves } from '../../../../src/worker/drivers/walletconnect/curves.ts'
import { createVault } from '../../../../src/worker/drivers/walletconnect/vault.ts'
import { memoryKeys } from '../../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { fromHex, toUtf8 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { sealEnvelope } from '../../../../src/worker/walletconnect/crypto/envelope.ts'
import { relayJwt } from '../../../../src/worker/walletconnect/crypto/jwt.ts'
import { vectors } from '../../walletconnect/vectors.ts'

/** A browser without the curves in WebCrypto. */
const without = {
  importKey: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')),
  exportKey: () => Promise.reject(new Error('nobody asks without a key')),
  sign: () => Promise.reject(new Error('nobody asks without a key')),
  deriveBits: () => Promise.reject(new Error('nobody asks without a key')),
} as unknown as SubtleCrypto

/** A browser with Ed25519 alone. */
const half: Pick<SubtleCrypto, 'importKey' | 'exportKey' | 'sign' | 'deriveBits'> = {
  importKey: ((...[format, bytes, name, ...rest]: Parameters<SubtleCrypto['importKey']>) =>
    name === 'X25519'
      ? without.importKey(format as 'raw', bytes as never, name, ...rest)
      : crypto.subtle.importKey(format as 'raw', bytes as never, name, ...rest)) as SubtleCrypto['importKey'],
  exportKey: crypto.subtle.exportKey.bind(crypto.subtle) as SubtleCrypto['exportKey'],
  sign: crypto.subtle.sign.bind(crypto.subtle),
  deriveBits: without.deriveBits,
}

describe.each([
  ['by the browser', () => createCurves({ loadOwn: () => Promise.reject(new Error('not to be loaded')) })],
  ['by our own part, in a browser without the curves', () => createCurves({ subtle: without })],
  ['by both, in a browser without X25519', () => createCurves({ subtle: half })],
])('%s', (_, make) => {
  test.each(vectors.keyAgreement)('both sides of $topic come to the same secret', async vector => {
    const { agree } = make()
    const [a, b] = [fromHex(vector.privateA), fromHex(vector.privateB)]
    const basePoint = new Uint8Array(32).fill(9, 0, 1)
    expect([toHex(await agree(a, basePoint)), toHex(await agree(b, basePoint))]).toEqual([
      vector.publicA,
      vector.publicB,
    ])
    expect(toHex(await agree(a, fromHex(vector.publicB)))).toBe(vector.sharedSecret)
    expect(toHex(await agree(b, fromHex(vector.publicA)))).toBe(vector.sharedSecret)
  })

  test.each([
    ['zero', '0'.repeat(64)],
    ['one', `01${'0'.repeat(62)}`],
    ['a point of order eight', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
    ['p - 1', `ec${'f'.repeat(60)}7f`],
  ])('a peer whose public key is %s gives an all-zero secret and is refused', async (_what, key) => {
    const own = fromHex(vectors.keyAgreement[0]?.privateA ?? '')
    await expect(make().agree(own, fromHex(key))).rejects.toMatchObject({
      code: 'bad_response',
      message: 'X25519 public key of the peer gives an all-zero shared secret',
    })
  })

  test('a key of another length is refused without showing it', async () => {
    const { agree, signer } = make()
    const [right, wrong] = [new Uint8Array(32).fill(5), new Uint8Array(31)]
    await expect(agree(wrong, right)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'X25519 private key expected 32 bytes, got 31',
    })
    await expect(agree(right, wrong)).rejects.toMatchObject({ code: 'bad_input' })
    await expect(signer(wrong)).rejects.toMatchObject({ message: 'Ed25519 seed expected 32 bytes, got 31' })
  })

  test.each(vectors.jwt)('the token for $aud is signed bit for bit', async ({ seed, sub, aud, iat, ttl, jwt }) => {
    expect(await relayJwt({ signer: await make().signer(fromHex(seed)), sub, aud, iat, ttl })).toBe(jwt)
  })

  test('keys are read from inside a larger buffer', async () => {
    const { agree, signer } = make()
    const { privateA, publicB, sharedSecret } = vectors.keyAgreement[0] ?? {
      privateA: '',
      publicB: '',
      sharedSecret: '',
    }
    const all = fromHex(`ff${privateA}${publicB}`)
    expect(toHex(await agree(all.subarray(1, 33), all.subarray(33)))).toBe(sharedSecret)
    const one = await signer(all.subarray(1, 33))
    const other = await signer(fromHex(privateA))
    expect(one.publicKey).toEqual(other.publicKey)
    const text = toUtf8('..text.')
    expect(await one.sign(text.subarray(2, 6))).toEqual(await other.sign(toUtf8('text')))
  })
})

test('curves: the browser is probed once for each curve', async () => {
  let imports = 0
  const subtle = {
    ...half,
    deriveBits: crypto.subtle.deriveBits.bind(crypto.subtle),
    importKey: ((...key: Parameters<SubtleCrypto['importKey']>) => {
      imports += 1
      return crypto.subtle.importKey(...key)
    }) as SubtleCrypto['importKey'],
  }
  const { agree } = createCurves({ subtle })
  const key = new Uint8Array(32).fill(9, 0, 1)
  await Promise.all([agree(new Uint8Array(32).fill(1), key), agree(new Uint8Array(32).fill(2), key)])
  await agree(new Uint8Array(32).fill(3), key)
  expect(imports).toBe(1 + 3 * 2)
})

test('curves: our own part gone after a deployment is reported, and the next call tries again', async () => {
  let tries = 0
  const own: Curves = {
    signer: () => Promise.reject(new Error('nobody signs')),
    agree: async () => new Uint8Array(32).fill(4),
  }
  const { agree } = createCurves({
    subtle: without,
    loadOwn: async () => {
      tries += 1
      if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return own
    },
  })
  const key = new Uint8Array(32).fill(9, 0, 1)
  await expect(agree(key, key)).rejects.toMatchObject({ code: 'reload_needed' })
  expect(await agree(key, key)).toEqual(new Uint8Array(32).fill(4))
})

test('curves: an answer of type 1 with a sender’s key of low order opens to nothing', async () => {
  const vault = createVault({ keys: memoryKeys(), bytes: memoryBytes(), agree: createCurves().agree })
  const made: { data: Record<string, unknown> }[] = []
  const data = { authId: 'auth-1', expiresAt: 1_800_000_300_000 }
  await vault.drivers['vault.makeAuth']({ id: 'e1', data }, input => void made.push(input))
  const zeros = { symKey: new Uint8Array(32), iv: new Uint8Array(12), senderPublicKey: new Uint8Array(32) }
  const opening = vault.openEnvelope(String(made[0]?.data['responseTopic']), sealEnvelope({ text: '{}', ...zeros }))
  await expect(opening).rejects.toMatchObject({ code: 'bad_response' })
})
