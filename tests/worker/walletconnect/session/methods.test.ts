import { expect, test } from 'vitest'
import { isWcMethod, wcMethods } from '../../../../src/worker/walletconnect/session/methods.ts'

test('a method that nobody defined is unknown, one inherited by every object too', () => {
  expect(['wc_sessionPing', 'wc_pairingFoo', 'toString'].map(isWcMethod)).toEqual([true, false, false])
})

test('no two kinds of message share a tag', () => {
  const tags = Object.values(wcMethods).flatMap(row => [
    row.request.tag,
    row.response.tag,
    ...('rejection' in row ? [row.rejection.tag, row.autoRejection.tag] : []),
  ])
  expect(new Set(tags).size).toBe(tags.length)
})
