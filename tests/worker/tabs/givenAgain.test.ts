/**
 * A command whose worker dies before, during or after its step: the next worker gets it, and no wallet gets two
 * requests.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Command } from '../../../src/events/command.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { seededKeypair } from '../../stack/solana/keys.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { type KitWallet, startKitWallet } from '../../stack/wallet/kit.ts'
import { type BuyingPage, connectKit, finish, lamportsOf, place } from './buying.ts'
import { createLocks } from './locks.ts'
import { configFor } from './page.ts'
import { openSupervised, type SupervisedPage } from './supervised.ts'
import { emptyDisk, install } from './world.ts'

let stack: Stack
let wallet: KitWallet
let page: SupervisedPage

beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'given again',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const { secretKey } = seededKeypair('given again', 'visitor')
  wallet = await startKitWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey,
    rpcUrl: stack.solana.url,
  })
  stack.solana.give(wallet.address, { sol: '50' })
  stack.solana.chain.advance(40)
  // The wallet keeps its network; each worker gets its own
  install()
}, 60_000)

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  emptyDisk()
  page = await openSupervised({ config: configFor(stack), locks: createLocks() })
  await connectKit(page, wallet, topic => page.supervisor.core.pairingUri(topic))
})
afterEach(async () => {
  await page.close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
afterAll(async () => {
  await wallet?.close()
  await stack?.close()
})

const requests = () => wallet.events.filter(({ type }) => type === 'request').length

/** Resolves once the wallet has one more request. */
const asked = (before: number) => page.until('the request at the wallet', () => requests() > before)

/** Kills the worker at the first fact this command causes: its input is taken, usually not committed. */
function crashInIt(command: Command): void {
  const subject = command.type.split('.')[0]
  const stop = page.supervisor.hear(facts => {
    if (!facts.some(({ type }) => type.startsWith(`${subject}.`))) return
    stop()
    page.crash()
  })
}

/** Gives a command to a dying worker. @returns its ref, and a promise of its acknowledgement */
function giveDying(command: Command, dies: 'before' | 'while' | 'after'): { ref: string; taken: Promise<void> } {
  const before = requests()
  if (dies === 'before') page.deafen()
  else page.loseAcknowledgements()
  if (dies === 'while') crashInIt(command)
  const given = page.supervisor.give(command)
  if (dies === 'before') page.crash()
  if (dies === 'after') void asked(before).then(page.crash)
  return given
}

/** @returns how often the log has the input of this ref; its inputs make the very same log again */
async function takenFor(ref: string): Promise<number> {
  const { records, complete } = await readRecording(await page.supervisor.recording(), sha256Hex)
  expect(complete).toBe(true)
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  return records.filter(({ record }) => record.k === 'i' && record.ref === ref).length
}

test.each(['before', 'while', 'after'] as const)(
  'given again: a purchase whose worker dies %s it takes the press is one prompt and one payment',
  async dies => {
    const [prompts, balance] = [requests(), await lamportsOf(stack, wallet.address)]
    let ref = ''
    const dying: BuyingPage = {
      until: page.until,
      command(command) {
        const given = giveDying(command, dies)
        ref = given.ref
        return given.taken
      },
    }
    await place(dying, '1000000000')
    await finish(page, stack)
    expect(page.workers()).toBe(2)
    expect(requests() - prompts).toBe(1)
    // The price and a fee of a few thousand lamports
    const paid = balance - (await lamportsOf(stack, wallet.address))
    expect(paid).toBeGreaterThanOrEqual(1_000_000_000n)
    expect(paid).toBeLessThan(1_001_000_000n)
    expect(Object.keys(page.model().order)).toHaveLength(1)
    expect(await takenFor(ref)).toBe(1)
    expect(page.model().toast).toBeNull()
  },
  60_000,
)

test.each(['before', 'while', 'after'] as const)(
  'given again: a request to sign a transaction whose worker dies %s it takes it reaches the wallet once',
  async dies => {
    const prompts = requests()
    wallet.policy.answer = () => ({ signature: 'a' })
    const { session, network } = page.model()
    const [sessionTopic = ''] = Object.keys(session)
    const chainId = network.phase === 'identified' ? network.caip2 : ''
    const data = { sessionTopic, chainId, method: 'solana_signTransaction', params: '{"transaction":"AA=="}' }
    const { ref, taken } = giveDying({ type: 'request.send', data }, dies)
    await taken
    const own = `page:${ref}`
    await page.until('the end of the request', ({ request }) =>
      Object.values(request).some(({ purpose, phase }) => purpose === own && phase === 'ended'),
    )
    expect(page.workers()).toBe(2)
    expect(requests() - prompts).toBe(1)
    expect(await takenFor(ref)).toBe(1)
    delete wallet.policy.answer
  },
  60_000,
)

test('given again: a message to sign that may have gone out with a dead worker is not repeated', async () => {
  const prompts = requests()
  const { session, network } = page.model()
  const [sessionTopic = ''] = Object.keys(session)
  const chainId = network.phase === 'identified' ? network.caip2 : ''
  const data = { sessionTopic, chainId, method: 'solana_signMessage', params: '{"message":"2NEpo7TZRRrLZSi2U"}' }
  const { taken } = giveDying({ type: 'request.send', data }, 'before')
  await expect(taken).rejects.toMatchObject({ code: 'unknown' })
  expect(requests()).toBe(prompts)
}, 60_000)
