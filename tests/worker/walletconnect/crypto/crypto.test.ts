import { expect, test } from 'vitest'
import { hashMessage, symKeyFrom, topicOf } from '../../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromHex } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

test.each(vectors.keyAgreement)('the secret of $topic leads to its key and topic', vector => {
  const symKey = symKeyFrom(fromHex(vector.sharedSecret))
  expect(toHex(symKey)).toBe(vector.symKey)
  expect(topicOf(symKey)).toBe(vector.topic)
})

test('bytes of another length are refused without showing them', () => {
  expect(faultOf(() => symKeyFrom(new Uint8Array(31))).message).toBe('shared secret expected 32 bytes, got 31')
  expect(faultOf(() => topicOf(new Uint8Array(0))).code).toBe('bad_input')
})

test.each(vectors.hashKey)('the topic of a key is $topic', ({ key, topic }) => {
  expect(topicOf(fromHex(key))).toBe(topic)
})

test.each(vectors.hashMessage)('the hash of a message is $hash', ({ message, hash }) => {
  expect(hashMessage(message)).toBe(hash)
})
