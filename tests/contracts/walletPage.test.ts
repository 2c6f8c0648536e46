import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWalletPage, type WalletPage } from '../stack/wallet/server.ts'

let page: WalletPage
beforeAll(async () => {
  const cacheDir = join(import.meta.dirname, '../../node_modules/.cache/stack')
  const rpcUrl = 'http://127.0.0.1:8899'
  page = await startWalletPage({
    relayUrl: 'ws://127.0.0.1:8870',
    verifyUrl: 'http://127.0.0.1:8890',
    projectId: '0'.repeat(32),
    rpcUrl,
    cacheDir,
    tokens: { M: 'USDC' },
  })
}, 60_000)
afterAll(() => page.close())

const get = (path: string) => fetch(`${page.url}${path}`)

describe('serving the wallet page', () => {
  test('one build serves any stack: addresses come from its config and bound what it can reach', async () => {
    expect(await (await get('/config.json')).json()).toEqual({
      relayUrl: 'ws://127.0.0.1:8870',
      verifyUrl: 'http://127.0.0.1:8890',
      projectId: '0'.repeat(32),
      rpcUrl: 'http://127.0.0.1:8899',
      tokens: { M: 'USDC' },
    })
    const policy = (await get('/')).headers.get('content-security-policy')
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:8870 http://127.0.0.1:8899 http://127.0.0.1:8890;")
  })
  test('the page and the deep link give the same page, whose script and style are there', async () => {
    const html = await (await get('/')).text()
    expect(await (await get('/wc?uri=wc%3Ax')).text()).toBe(html)
    const parts = [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(match => match[1] as string)
    expect(parts.length).toBeGreaterThanOrEqual(2)
    for (const part of parts) expect((await get(part)).status).toBe(200)
  })
  test('nothing outside the build is served', async () => {
    for (const path of ['/..%2f..%2f..%2fpackage.json', '/../../package.json', '/assets', '/nothing']) {
      expect((await get(path)).status).toBe(404)
    }
  })
})
