import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { connectKit, finish, lamportsOf, place } from './buying.ts'
import { configFor, openPage, type TestPage } from './page.ts'
import { createLocks } from './locks.ts'
import { emptyDisk, install, live } from './world.ts'

let stack: Stack
let wallet: KitWallet
let lives: (() => Promise<void>)[] = []

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'restart',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const { secretKey } = seededKeypair('restart', 'visitor')
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

async function begin(cause: 'start' | 'lost' = 'start') {
  const { value, enter, kill } = await live(() => openPage({ config: configFor(stack), locks: createLocks(), cause }))
  lives.push(kill)
  const page: TestPage = { ...value, command: command => enter(() => value.command(command)) }
  return { page, kill }
}

const connect = (page: TestPage) => connectKit(page, wallet, topic => page.core.pairingUri(topic))

/** Checks that the page's model is the fold of the log, the log has no gap, and re-execution yields the same log. */
async function isTheFoldOfItsLog(page: TestPage): Promise<void> {
  const port = {
    facts: async () => undefined,
    perform: async () => undefined,
    detached: async () => undefined,
    restart: async () => undefined,
    otherBuild: async () => undefined,
  }
  const hello = { tab: 't-2', language: 'en', timeZone: 'UTC', visible: true, online: true, asking: [], answered: [] }
  const attached = await page.core.attach(hello, port)
  const { records, complete } = await readRecording(await page.core.recording([]), sha256Hex)
  const facts = records.flatMap(({ record }) => (record.k === 'f' ? [record] : []))
  const model = emptyCoreModel()
  for (const fact of facts) if (fact.seq <= attached.seq) foldCoreFact(model, fact)
  expect(complete).toBe(true)
  expect(model).toEqual(attached.model)
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1))
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
}

const sent = () => wallet.events.filter(({ type }) => type === 'request').length
const spent = async (since: bigint) => since - (await lamports())
const lamports = () => lamportsOf(stack, wallet.address)

test('restart: a session lasts: the next life’s model is the fold of the log, and it can buy', async () => {
  const first = await begin()
  await connect(first.page)
  await first.kill()
  const known = wallet.sessions()
  const { page } = await begin('start')
  await page.until('the connection', model => model.connection.active !== null)
  const { connection } = page.model()
  expect(connection.made[connection.active ?? '']).toMatchObject({ phase: 'live', accounts: [wallet.address] })
  await place(page, '1000000000')
  await finish(page, stack)
  expect(wallet.sessions()).toEqual(known)

  await isTheFoldOfItsLog(page)
}, 60_000)

test.each(['order.asked', 'order.signed', 'order.seen'])(
  'restart: a worker killed at %s ends in one prompt and one payment, and loses nothing it acknowledged',
  async moment => {
    const first = await begin()
    await connect(first.page)
    const [prompts, before] = [sent(), await lamports()]
    await place(first.page, '1000000000')
    await first.page.until(moment, () => first.page.facts.some(({ type }) => type === moment))
    await first.kill()

    const { page } = await begin('lost')
    await finish(page, stack)
    expect(sent() - prompts).toBe(1)
    // The price and a fee of a few thousand lamports
    const paid = await spent(before)
    expect(paid).toBeGreaterThanOrEqual(1_000_000_000n)
    expect(paid).toBeLessThan(1_001_000_000n)
    expect(Object.keys(page.model().order)).toHaveLength(1)

    await isTheFoldOfItsLog(page)
  },
  60_000,
)

test('restart: the next life announces a disconnect to the wallet, when this one dies before the relay has the message', async () => {
  const first = await begin()
  await connect(first.page)
  const { connection, session } = first.page.model()
  const [topic = ''] = Object.keys(session)
  stack.relay.control({ failPublishes: 1 })
  // An acknowledgement means the command is committed: its later effects may be cut off anywhere
  await first.page.command({ type: 'connection.disconnect', data: { connectionId: connection.active ?? '' } })
  await first.kill()
  expect(wallet.sessions()).toContain(topic)

  const second = await begin()
  expect(await wallet.next('deleted')).toEqual({ type: 'deleted', topic })
  await second.page.until(
    'the word to be out',
    ({ parting, outbox }) => Object.keys({ ...parting, ...outbox }).length === 0,
  )
  expect(second.page.model()).toMatchObject({ session: {}, connection: { active: null } })
  expect(wallet.sessions()).not.toContain(topic)
}, 30_000)
