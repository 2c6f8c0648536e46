import { describe, expect, test } from 'vitest'
import {
  deriveSymKey,
  hashMessage,
  keyPairFrom,
  sharedSecret,
  topicOf,
} from '../../../src/worker/walletconnect/crypto.ts'
import { fromHex, toHex } from '../../../src/worker/walletconnect/encoding.ts'
import { faultOf } from './refusals.ts'
import { vectors } from './vectors.ts'

describe('key agreement', () => {
  test.each(vectors.keyAgreement)('both sides of $topic come to the same key and topic', vector => {
    const a = keyPairFrom(fromHex(vector.privateA))
    const b = keyPairFrom(fromHex(vector.privateB))
    expect([toHex(a.publicKey), toHex(b.publicKey)]).toEqual([vector.publicA, vector.publicB])
    expect(toHex(sharedSecret(a.privateKey, b.publicKey))).toBe(vector.sharedSecret)
    expect(toHex(sharedSecret(b.privateKey, a.publicKey))).toBe(vector.sharedSecret)
    const symKey = deriveSymKey(a.privateKey, b.publicKey)
    expect(toHex(symKey)).toBe(vector.symKey)
    expect(topicOf(symKey)).toBe(vector.topic)
  })

  test.each([
    ['zero', '0'.repeat(64)],
    ['one', `01${'0'.repeat(62)}`],
    ['a point of order eight', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
    ['p - 1', `ec${'f'.repeat(60)}7f`],
  ])('a peer whose public key is %s gives an all-zero secret and is refused', (_what, key) => {
    const own = fromHex(vectors.keyAgreement[0]?.privateA ?? '')
    const fault = faultOf(() => deriveSymKey(own, fromHex(key)))
    expect(fault.code).toBe('bad_response')
    expect(fault.message).toContain('all-zero')
  })

  test('a key of another length is refused without showing it', () => {
    expect(faultOf(() => keyPairFrom(new Uint8Array(31))).message).toBe('X25519 private key expected 32 bytes, got 31')
    expect(faultOf(() => sharedSecret(new Uint8Array(32), new Uint8Array(33))).code).toBe('bad_input')
    expect(faultOf(() => topicOf(new Uint8Array(0))).code).toBe('bad_input')
  })
})

test.each(vectors.hashKey)('the topic of a key is $topic', ({ key, topic }) => {
  expect(topicOf(fromHex(key))).toBe(topic)
})

test.each(vectors.hashMessage)('the hash of a message is $hash', ({ message, hash }) => {
  expect(hashMessage(message)).toBe(hash)
})
