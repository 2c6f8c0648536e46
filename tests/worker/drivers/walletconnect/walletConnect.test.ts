import { describe, expect, test, vi } from 'vitest'
import { memoryKeys, sweepKeys } from '../../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../../src/worker/drivers/bytes.ts'
import type { Answer } from '../../../../src/runtime/host/driver.ts'
import { createWalletConnect, type LoadClient } from '../../../../src/worker/drivers/walletconnect/walletConnect.ts'
import { createWalletConnectClient } from '../../../../src/worker/drivers/walletconnect/walletConnectClient.ts'

const topic = 'a'.repeat(64)

/** The driver table over the real client, whose file loads when `arrive` is called. */
function table({ gone = 0 } = {}) {
  const keys = memoryKeys()
  let loads = 0
  let arrive = () => {}
  const here = new Promise<void>(resolve => {
    arrive = resolve
  })
  const load: LoadClient = async () => {
    loads += 1
    if (loads <= gone) throw new TypeError('Failed to fetch dynamically imported module')
    await here
    return createWalletConnectClient
  }
  const walletConnect = createWalletConnect({
    relayUrls: [],
    keys,
    bytes: memoryBytes(),
    verify: async () => true,
    now: () => 0,
    emit: () => undefined,
    online: () => true,
    askedByPage: () => undefined,
    load,
  })
  const answers: Answer[] = []
  const run = (type: string, data: Record<string, unknown>) =>
    walletConnect.drivers[type]?.({ id: 'e1', data }, input => void answers.push(input))
  return { walletConnect, keys, answers, run, arrive: () => arrive(), loads: () => loads }
}

describe('the WalletConnect client', () => {
  test('is not fetched to erase keys or to close a socket that was never opened', async () => {
    const { keys, answers, run, loads } = table()
    keys.put(`topic:${topic}`, 'sealed')
    keys.put('message:ref1', 'sealed')
    keys.put('client', 'sealed')
    await run('vault.forget', { topics: [topic], refs: ['ref1'] })
    await run('relay.close', {})
    expect(await keys.names()).toEqual(['client'])
    expect([loads(), answers]).toEqual([0, []])
  })

  test('carries out each effect that came during its fetch, once', async () => {
    const { keys, answers, run, arrive, loads, walletConnect } = table()
    walletConnect.prepare()
    const both = [
      run('vault.makePairing', { attemptId: 'try1', expiresAt: 300_000 }),
      run('vault.makePairing', { attemptId: 'try2', expiresAt: 300_000 }),
    ]
    expect(await keys.names()).toEqual([])
    arrive()
    for (const one of both) await one
    // The browser decides which of the two keys is sealed first
    expect(answers.map(({ type, data }) => [type, data.attemptId]).sort()).toEqual([
      ['vault.pairingMade', 'try1'],
      ['vault.pairingMade', 'try2'],
    ])
    expect(loads()).toBe(1)
    expect(await walletConnect.pairingUri(String(answers[0]?.data.pairingTopic))).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  })

  test('deletes a key that it has in memory too', async () => {
    const { answers, run, arrive, walletConnect } = table()
    arrive()
    await run('vault.makePairing', { attemptId: 'try1', expiresAt: 300_000 })
    const pairingTopic = String(answers[0]?.data.pairingTopic)
    await run('vault.forget', { topics: [pairingTopic], refs: [] })
    expect(await walletConnect.pairingUri(pairingTopic)).toBeUndefined()
  })

  test('gone after a deployment fails each effect, still erases keys, and is fetched again at the next try', async () => {
    const { keys, answers, run, arrive, loads } = table({ gone: 1 })
    arrive()
    keys.put(`topic:${topic}`, 'sealed')
    await Promise.all([
      run('relay.open', { url: 'wss://relay.example', projectId: 'p' }),
      run('vault.seal', { callId: '1', topic, payload: { result: true, id: '1' } }),
      run('vault.forget', { topics: [topic], refs: [] }),
    ])
    expect(answers).toMatchObject([
      { type: 'effect.failed', data: { failure: { code: 'reload_needed' } } },
      { type: 'effect.failed', data: { failure: { code: 'reload_needed' } } },
    ])
    expect(await keys.names()).toEqual([])
    await run('vault.makePairing', { attemptId: 'try1', expiresAt: 300_000 })
    expect([loads(), answers.at(-1)?.type]).toEqual([2, 'vault.pairingMade'])
  })

  test('that does not come within 15 s counts as missing, and is fetched again at the next try', async () => {
    vi.useFakeTimers()
    try {
      const { answers, run, loads } = table()
      const waiting = run('relay.open', { url: 'wss://relay.example', projectId: 'p' })
      await vi.advanceTimersByTimeAsync(14_999)
      expect(answers).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      await waiting
      expect(answers).toMatchObject([{ type: 'effect.failed', data: { failure: { code: 'reload_needed' } } }])
      void run('relay.open', { url: 'wss://relay.example', projectId: 'p' })
      expect(loads()).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('walletconnect: keys unnamed by the log are swept, the rest stays', async () => {
  const keys = memoryKeys()
  for (const name of ['master', 'client', `topic:${topic}`, 'topic:old', 'message:ref1', 'message:old'])
    keys.put(name, 'sealed')
  await sweepKeys(keys, { topics: new Set([topic]), refs: new Set(['ref1']) })
  expect(await keys.names()).toEqual(['master', 'client', `topic:${topic}`, 'message:ref1'])
})
