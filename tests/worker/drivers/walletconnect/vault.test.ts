import { expect, test } from 'vitest'
import { createCurves } from '../../../../src/worker/drivers/walletconnect/curves.ts'
import { memoryKeys } from '../../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import { Fault } from '../../../../src/runtime/failure.ts'
import type { Answer } from '../../../../src/runtime/host/driver.ts'
import { createVault } from '../../../../src/worker/drivers/walletconnect/vault.ts'

test('vault: a forgotten sealed message is gone from memory too, with its data', async () => {
  const vault = createVault({ keys: memoryKeys(), bytes: memoryBytes(), agree: createCurves().agree })
  const said: Answer[] = []
  const run = (type: 'vault.makePairing' | 'vault.seal', data: Record<string, unknown>) =>
    vault.drivers[type]({ id: 'e1.1.0', type, data } as never, input => void said.push(input))
  await run('vault.makePairing', { attemptId: 'try1', expiresAt: 300_000 })
  await run('vault.seal', { callId: '1', topic: said[0]?.data.pairingTopic, payload: { result: true, id: '1' } })
  const messageRef = String(said[1]?.data.messageRef)
  expect(await vault.sealedMessage(messageRef)).toBeTypeOf('string')
  await vault.forget({ topics: [], refs: [messageRef] })
  expect([await vault.sealedMessage(messageRef), vault.textHash(messageRef)]).toEqual([undefined, undefined])
})

test('vault: a master key that cannot be read is read again by the next call', async () => {
  const keys = memoryKeys()
  let isDown = true
  const get = (name: string) => {
    if (!isDown) return keys.get(name)
    isDown = false
    return Promise.reject(new Fault('storage_down', 'the storage did not answer'))
  }
  const vault = createVault({ keys: { ...keys, get }, bytes: memoryBytes(), agree: createCurves().agree })
  const said: Answer[] = []
  const makePairing = () =>
    vault.drivers['vault.makePairing'](
      { id: 'e1.1.0', type: 'vault.makePairing', data: { attemptId: 'try1', expiresAt: 300_000 } } as never,
      input => void said.push(input),
    )
  await makePairing()
  await makePairing()
  expect(said.map(({ type }) => type)).toEqual(['effect.failed', 'vault.pairingMade'])
})
