import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { InputRecord } from '../../../src/events/record.ts'
import { readRecording } from '../../../src/events/recording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/reexecute.ts'
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
  termsUrl: nowhere,
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}
const walletConnect = { walletId: 'walletConnect', name: 'WalletConnect' }
const connect = { type: 'connection.connectWalletConnect', data: { wallet: walletConnect } } as const
const kills: (() => Promise<void>)[] = []

/** A life after a death. It ends in the step of the next input of the `deadly` type. */
async function again(diedInStep: boolean, cause: 'lost' | 'start' = 'lost') {
  const hold = { deadly: '' }
  const broken = vi.fn()
  const stepping = (input?: InputRecord) => {
    if (input?.type === hold.deadly) throw new Error('the worker ended in this step')
  }
  const { value: page, kill } = await live(() =>
    openPage({ config, locks: createLocks(), cause, diedInStep, shell: { stepping, die: broken } }),
  )
  kills.push(kill)
  await page.until('the boot', ({ core }) => core.cause === cause)
  return { page, kill, hold, broken }
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

test('a press that ends the core in its step is set aside by the next life, which goes on without it', async () => {
  const first = await again(false)
  first.hold.deadly = connect.type
  await expect(first.page.command(connect)).rejects.toMatchObject({ code: 'core_lost' })
  expect(first.broken).toHaveBeenCalledOnce()
  await first.kill()

  const { page } = await again(true)
  await page.until('the one set aside', ({ core }) => core.dropped?.count === 1)
  expect(page.model().core.dropped?.input).toBe('connection.connectWalletConnect')
  expect(page.model().connection.attempt.phase).toBe('none')
  // Another press is another input
  await page.core.command(connect, 't-test.c2', 't-test')
  await page.until('the attempt', ({ connection }) => connection.attempt.phase === 'asking')
  const { records } = await readRecording(await page.core.recording([]), sha256Hex)
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  expect(records.filter(({ record }) => record.k === 'i' && record.type === 'core.setAside')).toHaveLength(1)
})

test('an answer that ends the core again and again is taken no third time: its page is told that it arrived', async () => {
  const answer = { type: 'wallet.connected', accounts: ['11111111111111111111111111111111'], features: [] } as const
  const hand = (page: Awaited<ReturnType<typeof again>>['page']) =>
    page.core.answer('e1.2.0', { ...answer, accounts: [...answer.accounts], features: [] }, 't-test')
  const first = await again(false)
  first.hold.deadly = answer.type
  await expect(hand(first.page)).rejects.toMatchObject({ code: 'core_lost' })
  await first.kill()
  const second = await again(true)
  await hand(second.page)
  await second.kill()
  const third = await again(false)
  await hand(third.page)
  const types = (await readRecording(await third.page.core.recording([]), sha256Hex)).records.flatMap(({ record }) =>
    record.k === 'i' ? [record.type] : [],
  )
  expect(types.filter(type => type === 'core.setAside')).toHaveLength(3)
  expect(types).not.toContain('wallet.connected')
})

test('what was set aside is tried again when somebody loads the page again, and set aside anew when it still ends the core', async () => {
  const press = (page: Awaited<ReturnType<typeof again>>['page']) => page.core.command(connect, 't-test.c1', 't-test')
  const first = await again(false)
  first.hold.deadly = connect.type
  await expect(press(first.page)).rejects.toMatchObject({ code: 'core_lost' })
  await first.kill()
  const second = await again(true)
  await press(second.page)
  expect(second.page.model().connection.attempt.phase).toBe('none')
  await second.kill()

  const third = await again(false, 'start')
  await press(third.page)
  await third.page.until('the attempt', ({ connection }) => connection.attempt.phase === 'asking')
  await third.kill()
  const fourth = await again(false)
  fourth.hold.deadly = connect.type
  await expect(press(fourth.page)).rejects.toMatchObject({ code: 'core_lost' })
  await fourth.kill()
  const fifth = await again(true)
  await fifth.page.until('the ones set aside', ({ core }) => core.dropped?.count === 3)
})

test('a life that ends between two steps leaves nothing to set aside: what was waiting is taken when it comes again', async () => {
  const first = await again(false)
  void first.page.command(connect).catch(() => undefined)
  await first.kill()
  const { page } = await again(false)
  await page.command(connect)
  expect(setAside(page.facts)).toEqual([])
  expect(page.model().core.dropped).toBeUndefined()
})
