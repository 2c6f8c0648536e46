import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/ports.ts'
import { createSteps } from '../../scripts/startText.ts'
import { type Stack, stackParts, startStack } from './start.ts'

const cacheDir = join(import.meta.dirname, '../../node_modules/.cache/wallet-page')
const running: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.close()
})

const started = async (options: Partial<Parameters<typeof startStack>[0]> = {}): Promise<Stack> => {
  const stack = await startStack({ clock: 'manual', seed: 'side by side', cacheDir, ...options })
  running.push(stack)
  return stack
}

describe('the whole stack', () => {
  test('starts on any free ports, tells of each part as it begins, and every address it names answers', async () => {
    const lines: string[] = []
    const { begins, ended } = createSteps([...stackParts, 'page'], {}, { print: line => lines.push(line) })
    const { addresses, wallet, moved } = await started({ onPart: begins })
    expect(moved).toEqual([])
    expect(lines.slice(1)).toEqual([
      '  1 of 5  local chain',
      '  2 of 5  relay',
      '  3 of 5  services',
      '  4 of 5  wallet page',
    ])
    expect(Object.keys(ended())).toEqual([...stackParts])
    expect((await fetch(addresses.VITE_TERMS_URL)).status).toBe(200)
    expect((await fetch(`${wallet.url}/`)).status).toBe(200)
    const answer = await fetch(addresses.VITE_SOLANA_RPC_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
    })
    expect(await answer.json()).toMatchObject({ result: 'ok' })
    expect(new URL(addresses.VITE_RELAY_URL).protocol).toBe('ws:')
    const config = await fetch(`${addresses.VITE_CONFIG_URL}/appkit/v1/config?projectId=${addresses.VITE_PROJECT_ID}`)
    expect(config.status).toBe(200)
    expect(await (await fetch(`${addresses.VITE_VERIFY_URL}/v3/public-key`)).json()).toMatchObject({
      publicKey: { kty: 'EC', crv: 'P-256' },
    })
  }, 90_000)

  test('names the taken ports and their replacements, and leaves their owner alone', async () => {
    const base = await freePort(0, 8)
    const ports = { wallet: base, relay: base + 1, services: base + 2, solana: base + 3, verify: base + 5 }
    const neighbour = createServer()
    await new Promise<void>(done => neighbour.listen(base + 1, '127.0.0.1', done))
    running.push(neighbour)
    const { addresses, moved } = await started({ ports })
    expect(moved[0]).toBe(`Port ${base + 1} (relay) is taken, using ${new URL(addresses.VITE_RELAY_URL).port}.`)
    expect(new URL(addresses.VITE_RELAY_URL).port).not.toBe(String(base + 1))
    const used = Object.values(addresses).map(address => (URL.canParse(address) ? new URL(address).port : ''))
    expect(new Set(used.filter(Boolean)).size).toBe(4)
  }, 90_000)
})
