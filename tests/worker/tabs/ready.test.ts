/** The browser's part in preparing a payment. */
import { expect, test, vi } from 'vitest'
import { isOnCurve } from '../../../src/worker/chains/solana/ata.ts'
import { openTab } from './openTab.ts'

test('getting ready for a payment gives the browser no key that is no point of the curve', async () => {
  const importKey = vi.spyOn(crypto.subtle, 'importKey')
  const { core } = await openTab('t-1')
  expect(await core.ready()).toBe(true)
  const keys = importKey.mock.calls.flatMap(([, key, how]) =>
    how === 'Ed25519' && key instanceof Uint8Array ? [key] : [],
  )
  expect(keys.length).toBeGreaterThan(0)
  // Zeros are a point of small order, of which an engine dies
  expect(keys.filter(key => key.every(byte => byte === 0) || !isOnCurve(key))).toEqual([])
})
