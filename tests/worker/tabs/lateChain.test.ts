/** Wallets of the official kit that meet a page before its node tells which chain it serves. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { startKitWallet } from '../../stack/wallet/kit.ts'
import { soon } from '../../soon.ts'
import { createLocks } from './locks.ts'
import { startNode } from './node.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { emptyDisk, live } from './world.ts'

let stack: Stack
beforeAll(async () => {
  const cacheDir = join(process.cwd(), 'node_modules/.cache')
  const baseUnix = Math.floor(Date.now() / 1000)
  stack = await startStack({ clock: 'manual', seed: 'late chain', baseUnix, cacheDir })
}, 60_000)
afterAll(() => stack?.close())
beforeEach(emptyDisk)

const startWallet = () =>
  startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair('late chain', 'wallet').secretKey,
    rpcUrl: stack.solana.url,
  })

/** @returns the link of a new code */
async function codeOf(page: TestPage): Promise<string> {
  const wallet = { walletId: 'walletConnect', name: 'WalletConnect' }
  await page.command({ type: 'connection.connectWalletConnect', data: { wallet } })
  const topic = await page.until('a code', ({ pairing: { shown, open } }) => {
    return shown !== null && open[shown]?.phase === 'proposed' && shown
  })
  return (await page.core.pairingUri(topic)) ?? ''
}

test.each(['before', 'after'])(
  'a code shown before the chain is known connects the wallet that takes it %s',
  async when => {
    const node = await startNode(stack.solana.url)
    const wallet = await startWallet()
    const config = { ...configFor(stack), solanaRpcUrl: node.url }
    const locks = createLocks()
    const begin = (cause: 'start' | 'lost') => live(() => openPage({ config, locks, cause }))
    try {
      const first = await begin('start')
      const uri = await codeOf(first.value)
      const connected = (page: TestPage) => page.until('the connection', ({ connection }) => connection.active)
      if (when === 'before') {
        await wallet.pair(uri)
        await connected(first.value)
      }
      node.answer()
      await soon(() => expect(first.value.restarts).toEqual(['same']))
      await first.kill()

      const next = await begin('lost')
      if (when === 'after') await wallet.pair(uri)
      await connected(next.value)
      expect(next.value.model().network.phase).toBe('identified')
      expect(Object.keys(next.value.model().session)).toHaveLength(1)
      await next.kill()
    } finally {
      await wallet.close()
      await node.close()
    }
  },
)
