/**
 * A visitor with a session reloads, and the WalletConnect client answers 404, as after a deploy. Everything without the
 * relay works, the session is shown as missing, and continues once the file is there.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import type { LoadClient } from '../../../src/worker/drivers/walletconnect/walletConnect.ts'
import { createWalletConnectClient } from '../../../src/worker/drivers/walletconnect/walletConnectClient.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { finish, place, theOrder } from './buying.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { createLocks } from './locks.ts'
import { emptyDisk, install, live } from './world.ts'

let stack: Stack
let wallet: KitWallet
let lives: (() => Promise<void>)[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'away',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const { secretKey } = seededKeypair('away', 'visitor')
  wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey,
    rpcUrl: stack.solana.url,
  })
  stack.solana.give(wallet.address, { sol: '50', usdc: '1000' })
  stack.solana.chain.advance(40)
  // The wallet keeps its network; each life of the core gets its own
  install()
}, 60_000)

beforeEach(emptyDisk)
afterEach(async () => {
  for (const kill of lives.splice(0)) await kill()
})
afterAll(async () => {
  await wallet?.close()
  await stack?.close()
})

/** A page whose worker gets the client once `isThere` returns true. */
async function begin(cause: 'start' | 'lost' = 'start', isThere: () => boolean = () => true) {
  let tries = 0
  const loadClient: LoadClient = async () => {
    tries += 1
    if (!isThere()) throw new TypeError('404')
    return createWalletConnectClient
  }
  const options = { config: configFor(stack), locks: createLocks(), cause, shell: { loadClient } }
  const { value, enter, kill } = await live(() => openPage(options))
  lives.push(kill)
  const page: TestPage = { ...value, command: command => enter(() => value.command(command)) }
  const lifecycle: TestPage['core']['lifecycle'] = (...change) => enter(() => value.core.lifecycle(...change))
  return { page, kill, lifecycle, tries: () => tries }
}

async function connect(page: TestPage): Promise<void> {
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  const topic = await page.until('a pairing', ({ pairing }) => {
    const shown = pairing.shown === null ? undefined : pairing.open[pairing.shown]
    return shown?.phase === 'proposed' && shown.pairingTopic
  })
  await wallet.pair((await page.core.pairingUri(topic)) ?? '')
  await page.until('a connection', model => model.connection.active !== null)
  // An acknowledgement means this command and all before it are committed
  await page.command({ type: 'balance.refresh', data: {} })
}

/** Number of distinct requests at the wallet; one it receives again counts once. */
const sent = () => new Set(wallet.events.flatMap(event => (event.type === 'request' ? [event.id] : []))).size
const spent = async (since: bigint) => since - (await lamports())
async function lamports(): Promise<bigint> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getBalance',
    params: [wallet.address, { commitment: 'processed' }],
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(stack.solana.url, { method: 'POST', body, headers })
  return BigInt(((await answer.json()) as { result: { value: number } }).result.value)
}

const active = ({ connection }: Model) => connection.made[connection.active ?? '']

async function isStrict(page: TestPage): Promise<void> {
  const { records, complete } = await readRecording(await page.core.recording([]), sha256Hex)
  expect(complete).toBe(true)
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
}

test('client away: a page without the client has its prices; once online its session is live and can buy', async () => {
  const first = await begin()
  await connect(first.page)
  await first.kill()
  const known = wallet.sessions()

  let isThere = false
  const { page, lifecycle, tries } = await begin('start', () => isThere)
  await page.until('the session to be missing', model => active(model)?.phase === 'missing')
  expect(active(page.model())).toMatchObject({ failure: { code: 'reload_needed' } })
  expect(page.model().relay).toMatchObject({ phase: 'lost', failure: { code: 'reload_needed' } })
  await page.until('the sale', model => model.sale.terms.phase === 'read' && model.sale.reading)

  // A retry that finds the file still missing gets an answer
  await page.command({ type: 'connection.retry', data: { connectionId: active(page.model())?.connectionId ?? '' } })
  await page.until('the word', ({ core }) => core.dropped?.input === 'connection.retry')
  expect(active(page.model())?.phase).toBe('missing')
  expect(page.died()).toBeUndefined()

  isThere = true
  const before = tries()
  await lifecycle({ online: true }, page.tab)
  await page.until('the connection', model => active(model)?.phase === 'live')
  expect(tries()).toBe(before + 1)
  await page.until('the relay', ({ relay }) => relay.phase === 'connected')
  await place(page, '1000000000')
  await finish(page, stack)
  expect(wallet.sessions()).toEqual(known)
  await isStrict(page)
}, 60_000)

test('client away: an order with a request stays open without the client, and is paid once afterwards', async () => {
  const first = await begin()
  await connect(first.page)
  wallet.policy.request = 'silent'
  const [prompts, before] = [sent(), await lamports()]
  await place(first.page, '1000000000')
  await first.page.until('the wallet to have it', ({ request }) =>
    Object.values(request).some(({ phase }) => phase === 'delivered'),
  )
  await wallet.next('request')
  await first.kill()

  let isThere = false
  const { page } = await begin('start', () => isThere)
  wallet.policy.request = 'approve'
  await wallet.answerOpen()
  await page.until('the sale', model => model.sale.reading)
  await page.until('the session to be missing', model => active(model)?.phase === 'missing')
  expect(theOrder(page.model())?.phase).toBe('awaitingSignature')
  // No second request starts while one is open
  await place(page, '1000000000')
  expect(Object.keys(page.model().order)).toHaveLength(1)

  isThere = true
  await page.command({ type: 'connection.retry', data: { connectionId: active(page.model())?.connectionId ?? '' } })
  await finish(page, stack)
  expect(active(page.model())?.phase).toBe('live')
  expect(sent() - prompts).toBe(1)
  const paid = await spent(before)
  expect(paid).toBeGreaterThanOrEqual(1_000_000_000n)
  expect(paid).toBeLessThan(1_001_000_000n)
  await isStrict(page)
}, 60_000)

test('client away: the client is fetched again automatically, and the next life has its session in any case', async () => {
  const first = await begin()
  await connect(first.page)
  await first.kill()

  let asked = 0
  const second = await begin('lost', () => ++asked > 3)
  await second.page.until('the session to be missing', model => active(model)?.phase === 'missing')
  await second.page.until('the connection', model => active(model)?.phase === 'live')
  expect(second.tries()).toBe(4)
  await second.kill()

  const third = await begin('lost', () => false)
  await third.page.until('the session to be missing', model => active(model)?.phase === 'missing')
  await third.kill()
  const { page } = await begin('lost')
  await page.until('the connection', model => active(model)?.phase === 'live')
  await isStrict(page)
}, 60_000)
