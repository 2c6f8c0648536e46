/** Relay errors: an unknown method, told apart from invalid params and temporary refusals. */
import { expect, test } from 'vitest'
import { isUnknownMethod } from '../../../../src/worker/deciders/relay/relayCapabilities.ts'

test.each([
  [-32_601, ''],
  [-32_600, 'bad'],
  [-32_700, ''],
  [-32_000, 'Unsupported method'],
  [0, 'unknown method: wc_proposeSession'],
])('relay error %i "%s" means that the method is unknown there', (code, message) => {
  expect(isUnknownMethod({ code, message })).toBe(true)
})

test.each([
  [-32_602, 'irn_batchSubscribe: unknown topic'],
  [-32_602, 'invalid params of method irn_publish'],
  [-32_000, 'The relay is busy'],
  [3000, ''],
])('relay error %i "%s" means that the method is known, and this call was refused', (code, message) => {
  expect(isUnknownMethod({ code, message })).toBe(false)
})
