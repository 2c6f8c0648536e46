import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { soon } from '../../soon.ts'
import { createLocks } from './locks.ts'
import { openPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'

install()

const nowhere = 'http://127.0.0.1:9'
const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: ['ws://127.0.0.1:9'],
  solanaRpcUrl: nowhere,
  apiUrl: nowhere,
  configUrl: nowhere,
  termsUrl: nowhere,
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}
const walletConnect = { walletId: 'walletConnect', name: 'WalletConnect' }
const connect = { type: 'connection.connectWalletConnect', data: { wallet: walletConnect } } as const
const kills: (() => Promise<void>)[] = []

type How = { cause?: 'lost' | 'start'; deadly?: string }

/** A life after a death in the step of input `diedInStep`. It dies in the step of the next input of type `deadly`. */
async function again(diedInStep: number, { cause = 'lost', deadly = '' }: How = {}) {
  const broken = vi.fn()
  const steps = { at: 0 }
  const stepping = (input?: InputRecord) => {
    steps.at = input?.n ?? 0
    if (input?.type === deadly) throw new Error('the worker ended in this step')
  }
  const { value: page, kill } = await live(() =>
    openPage({ config, locks: createLocks(), cause, diedInStep, shell: { stepping, die: broken } }),
  )
  kills.push(kill)
  await page.until('the boot', ({ core }) => core.cause === cause)
  return { page, kill, broken, steps }
}
type Page = Awaited<ReturnType<typeof again>>['page']

/** A life that dies in the step of the given call. @returns the number of the deadly input */
async function endsIn(give: (page: Page) => Promise<unknown>, diedInStep: number, deadly: string): Promise<number> {
  const { page, kill, broken, steps } = await again(diedInStep, { deadly })
  await expect(give(page)).rejects.toMatchObject({ code: 'core_lost' })
  expect(broken).toHaveBeenCalledOnce()
  expect(steps.at).toBeGreaterThan(0)
  await kill()
  return steps.at
}

const press = (page: Page) => page.core.command(connect, 't-test.c1', 't-test')
const connected = { type: 'wallet.connected', accounts: ['11111111111111111111111111111111'], features: [] } as const
const hand = (page: Page) =>
  page.core.answer('e1.2.0', { ...connected, accounts: [...connected.accounts], features: [] }, 't-test')

/** Types of all inputs in the log, which re-executes. */
async function inputsOf(page: Page): Promise<string[]> {
  const { records } = await readRecording(await page.core.recording([]), sha256Hex)
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  return records.flatMap(({ record }) => (record.k === 'i' ? [record.type] : []))
}

const setAside = (facts: { type: string }[]) => facts.filter(({ type }) => type === 'core.inputSetAside')

beforeEach(() => {
  vi.restoreAllMocks()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  emptyDisk()
})
afterAll(async () => {
  for (const kill of kills) await kill()
})

test('poison: a press that ends a core in its step is dropped, and the next press counts as another one', async () => {
  const at = await endsIn(press, 0, connect.type)
  const { page } = await again(at)
  await page.core.command(connect, 't-test.c2', 't-test')
  await page.until('the attempt', ({ connection }) => connection.attempt.phase === 'asking')
  expect(await inputsOf(page)).not.toContain('core.setAside')
})

test('poison: a press given again that ends a second core is quarantined by the third, which continues without it', async () => {
  const first = await endsIn(press, 0, connect.type)
  const second = await endsIn(press, first, connect.type)
  const { page } = await again(second)
  await page.until('the one set aside', ({ core }) => core.dropped?.count === 1)
  expect(page.model().core.dropped?.input).toBe('connection.connectWalletConnect')
  await press(page)
  expect(page.model().connection.attempt.phase).toBe('none')
  await page.core.command(connect, 't-test.c2', 't-test')
  await page.until('the attempt', ({ connection }) => connection.attempt.phase === 'asking')
  expect((await inputsOf(page)).filter(type => type === 'core.setAside')).toHaveLength(2)
})

test('poison: an answer in whose step a core was killed from outside is taken when its page repeats it', async () => {
  const at = await endsIn(hand, 0, connected.type)
  const second = await again(at)
  await hand(second.page)
  const types = await inputsOf(second.page)
  expect(types.filter(type => type === connected.type)).toHaveLength(1)
  expect(types).not.toContain('core.setAside')
  await second.kill()
  // It went well, so the next death counts as the first again
  const other = (page: Page) => page.core.answer('e1.3.0', { type: 'wallet.failed', failure }, 't-test')
  const failure = { code: 'user_rejected', message: 'the person said no' } as const
  const later = await endsIn(other, 0, 'wallet.failed')
  const last = await again(later)
  await other(last.page)
  expect(await inputsOf(last.page)).not.toContain('core.setAside')
})

test('poison: an answer that ends core after core is not taken a third time: its page gets the acknowledgement', async () => {
  const first = await endsIn(hand, 0, connected.type)
  const second = await endsIn(hand, first, connected.type)
  const third = await again(second, { deadly: connected.type })
  await hand(third.page)
  await third.kill()
  const fourth = await again(0, { deadly: connected.type })
  await hand(fourth.page)
  const types = await inputsOf(fourth.page)
  expect(types.filter(type => type === 'core.setAside')).toHaveLength(3)
  expect(types).not.toContain(connected.type)
})

test('poison: an input that ended one core is still suspect after a reload', async () => {
  const first = await endsIn(hand, 0, connected.type)
  await (await again(first)).kill()
  const reloaded = await again(0, { cause: 'start', deadly: connected.type })
  await expect(hand(reloaded.page)).rejects.toMatchObject({ code: 'core_lost' })
  await reloaded.kill()
  const { page } = await again(reloaded.steps.at, { deadly: connected.type })
  await page.until('the one set aside', ({ core }) => core.dropped?.count === 1)
})

test('poison: a quarantined input is tried again after a reload, and quarantined again if still deadly', async () => {
  const first = await endsIn(press, 0, connect.type)
  const second = await endsIn(press, first, connect.type)
  const third = await again(second)
  await press(third.page)
  expect(third.page.model().connection.attempt.phase).toBe('none')
  await third.kill()

  const fourth = await again(0, { cause: 'start', deadly: connect.type })
  await expect(press(fourth.page)).rejects.toMatchObject({ code: 'core_lost' })
  await fourth.kill()
  const fifth = await again(fourth.steps.at)
  await fifth.page.until('the ones set aside', ({ core }) => core.dropped?.count === 3)
  await fifth.kill()

  const sixth = await again(0, { cause: 'start' })
  await press(sixth.page)
  await sixth.page.until('the attempt', ({ connection }) => connection.attempt.phase === 'asking')
})

test('poison: a death between two steps quarantines nothing: queued inputs are taken when repeated', async () => {
  const first = await again(0)
  void first.page.command(connect).catch(() => undefined)
  await first.kill()
  const { page } = await again(0)
  await page.command(connect)
  expect(setAside(page.facts)).toEqual([])
  expect(page.model().core.dropped).toBeUndefined()
})

test('poison: a question to a node that ended two lives is set aside, and the next life asks it again', async () => {
  /** A life that dies when its drivers ask a node. @returns the number of the deadly input */
  const endsAsking = async (diedInStep: number) => {
    const { kill, broken, steps } = await again(diedInStep, { deadly: 'rpc.asked' })
    await soon(() => expect(broken).toHaveBeenCalledOnce())
    await kill()
    return steps.at
  }
  const { page } = await again(await endsAsking(await endsAsking(0)))
  await page.until('the one set aside', ({ core }) => core.dropped?.input === 'rpc.asked')
  await soon(async () => expect(await inputsOf(page)).toContain('rpc.asked'))
  expect((await inputsOf(page)).filter(type => type === 'core.setAside')).toHaveLength(1)
})
