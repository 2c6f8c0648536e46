import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type RelayStack, startRelay } from '../../stack/relay/relay.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { createLocks } from './locks.ts'
import { emptyDisk, install, live } from './world.ts'

let stack: Stack
let second: RelayStack
let wallet: KitWallet
let lives: (() => Promise<void>)[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'relays',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  second = await startRelay({ network: stack.relay.network })
  wallet = await startKitWallet({
    relayUrl: second.url,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: seededKeypair('relays', 'visitor').secretKey,
    rpcUrl: stack.solana.url,
  })
  // The wallet keeps its network; each life of the core gets its own
  install()
}, 60_000)

beforeEach(emptyDisk)
afterEach(async () => {
  for (const kill of lives.splice(0)) await kill()
})
afterAll(async () => {
  await wallet?.close()
  await second?.close()
  await stack?.close()
})

async function begin(relayUrls: string[]) {
  const config = { ...configFor(stack), relayUrls }
  const { value, enter, kill } = await live(() => openPage({ config, locks: createLocks() }))
  lives.push(kill)
  const page: TestPage = { ...value, command: command => enter(() => value.command(command)) }
  return { page, kill }
}

async function connect(page: TestPage): Promise<string> {
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const pairingTopic = await page.until('a code', ({ pairing: { shown, open } }) =>
    shown !== null && open[shown]?.phase === 'proposed' ? shown : undefined,
  )
  await wallet.pair((await page.core.pairingUri(pairingTopic)) ?? '')
  return page.until('a session', model => Object.keys(model.session)[0])
}

const connectedTo = (url: string) => (model: { relay: { phase: string; url?: string } }) =>
  model.relay.phase === 'connected' && model.relay.url === url

test('relays: a session settled over one relay continues over the next when the first is gone, and over a restart', async () => {
  const first = stack.relay
  const { page, kill } = await begin([first.url, second.url])
  const sessionTopic = await connect(page)
  expect(page.model().relay).toMatchObject({ phase: 'connected', url: first.url })
  expect(page.model().relays.proved).toBe(first.url)

  first.control({ down: true })
  await page.until('the second relay', connectedTo(second.url))
  await wallet.ping(sessionTopic)
  expect(page.model().relays.proved).toBe(second.url)
  first.control({ down: false })

  await kill()
  const { page: again } = await begin([first.url, second.url])
  await again.until('the second relay, tried first', connectedTo(second.url))
  await wallet.ping(sessionTopic)
}, 60_000)

test('relays: two at one address with different tokens are tried in order and remembered apart, and no token is shown', async () => {
  const asked: string[] = []
  const door = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const token = new URL(req.url ?? '', 'ws://127.0.0.1').searchParams.get('token') ?? ''
      asked.push(token)
      return token === 'hush-two'
    },
  })
  door.on('connection', socket =>
    socket.on('message', (frame: Buffer) => {
      const { id } = JSON.parse(frame.toString()) as { id: number }
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: true }))
    }),
  )
  try {
    await once(door, 'listening')
    const address = `ws://127.0.0.1:${(door.address() as AddressInfo).port}/`
    const { page } = await begin([`${address}?token=hush-one`, `${address}?token=hush-two`])
    await page.command({
      type: 'connection.connectWalletConnect',
      data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
    })
    await page.until('the second one', ({ relays }) => relays.proved === `${address}#2`)
    expect(asked).toEqual(['hush-one', 'hush-two'])
    expect(await page.core.recording([])).not.toContain('hush')
  } finally {
    door.close()
  }
}, 30_000)

test('relays: an older kind carries a session as well, and each missing method is tried only once', async () => {
  const older = stack.relay
  const lacking = ['wc_proposeSession', 'irn_batchSubscribe', 'irn_batchFetchMessages', 'irn_fetchMessages']
  older.control({ unknownMethods: lacking })
  const asked = () => lacking.map(method => older.state().methods[method] ?? 0)
  const before = asked()
  const { page, kill } = await begin([older.url])
  const sessionTopic = await connect(page)
  older.control({ dropSockets: true })
  await page.until('the relay again', ({ relay }) => relay.phase === 'connected' && relay.since > 0)
  await wallet.ping(sessionTopic)
  await page.until('all that it lacks', ({ relays }) => relays.lacks[older.url]?.length === lacking.length)
  expect(asked().map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1, 1])

  await kill()
  const { page: again } = await begin([older.url])
  await again.until('the relay', connectedTo(older.url))
  await wallet.ping(sessionTopic)
  expect(asked().map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1, 1])
  older.control({ unknownMethods: [] })
}, 60_000)
