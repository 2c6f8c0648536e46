/**
 * Two builds of the page open at once, with short patience: the living leader keeps the lead until it hands it over.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CoreConfig, PageAnswer, PageEffect } from '../../../src/events/wire.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { signerFromWord, signTransaction } from '../../stack/wallet/signer.ts'
import { soon } from '../../soon.ts'
import { finish, place, theOrder, untilAsked } from './buying.ts'
import { config, impatience, logOf, openTab as open, refsIn, search, type Tab } from './openTab.ts'
import { configFor } from './page.ts'

const patience = impatience
const shell = { registry: 'newer' }
const signer = signerFromWord('other-build')
let stack: Stack
beforeAll(async () => {
  stack = await startStack({
    clock: 'manual',
    seed: 'otherBuild',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  stack.solana.give(signer.address, { sol: '50' })
  stack.solana.chain.advance(40)
}, 60_000)
afterAll(async () => stack?.close())

/** Opens a tab of another build beside a leader, and waits until it knows of the leader. */
async function openNewer(tab: string, settings: CoreConfig = config): Promise<Tab> {
  const newer = await open(tab, { config: settings, patience, shell, early: true })
  await soon(() => expect(newer.standings).toEqual(['otherBuild']))
  return newer
}

/** Resolves once a waiting tab has pinged for ten times the patience for a silent leader. */
async function longSilence(): Promise<void> {
  const posted = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  await soon(() => expect(posted.mock.calls.length).toBeGreaterThan((10 * patience.silentMs) / patience.pingMs))
  posted.mockRestore()
}

test('other build: two visible windows do not end each other’s worker', async () => {
  const older = await open('t-1', { patience })
  const newer = await openNewer('t-2')
  await longSilence()
  expect([older.died(), newer.died(), newer.joins()]).toEqual([undefined, undefined, 0])
  await older.command(search('still leads'))
  expect(refsIn(await logOf(older))).toEqual(['t-1.c1'])
})

test('other build: the new tab leads once the old one closes', async () => {
  const older = await open('t-1', { patience })
  const newer = await openNewer('t-2')
  await longSilence()
  await older.kill()
  await soon(() => expect(newer.joins()).toBe(1))
  await newer.command(search('after'))
  expect(refsIn(await logOf(newer))).toEqual(['t-2.c1'])
})

test('other build: the leader hands over on request, with all its state', async () => {
  const older = await open('t-1', { patience })
  const follower = await open('t-3', { patience, visible: false })
  const newer = await openNewer('t-2')
  await older.command(search('before'))
  expect(await newer.enter(() => newer.core.takeOver())).toBe('taken')
  await soon(() => expect(newer.joins()).toBe(1))
  expect(older.died()).toMatchObject({ code: 'core_lost', message: 'another version of this page leads now' })
  await soon(() => expect(follower.standings).toEqual(['otherBuild']))
  await newer.command(search('after'))
  expect(refsIn(await logOf(newer))).toEqual(['t-1.c1', 't-2.c1'])
  // The old build's page starts its next worker, which waits in its turn
  await older.kill()
  const next = await open('t-1', { patience, early: true, cause: 'lost' })
  await soon(() => expect(next.standings).toEqual(['otherBuild']))
  await longSilence()
  expect([next.died(), newer.died(), next.joins()]).toEqual([undefined, undefined, 0])
})

test('other build: a frozen leader at rest keeps the lead until a person asks for it', async () => {
  const older = await open('t-1', { patience })
  await older.command(search('before'))
  const newer = await openNewer('t-2')
  older.freeze()
  await longSilence()
  expect(newer.joins()).toBe(0)
  expect(await newer.enter(() => newer.core.takeOver())).toBe('taken')
  await soon(() => expect(newer.joins()).toBe(1))
  older.thaw()
  await soon(() => expect(older.died()).toMatchObject({ code: 'core_lost' }))
  expect(refsIn(await logOf(newer))).toEqual(['t-1.c1'])
})

test('other build: an order keeps the lead where it is, and its signed payment lands', async () => {
  const settings = configFor(stack)
  let asked: PageEffect | undefined
  const perform = async (effect: PageEffect) => {
    const connected: PageAnswer = {
      type: 'wallet.connected',
      accounts: [signer.address],
      features: ['signTransaction'],
    }
    if (effect.type === 'wallet.connect') await older.enter(() => older.core.answer(effect.id, connected, 't-1'))
    if (effect.type === 'wallet.signTransaction') asked = effect
  }
  const older: Tab = await open('t-1', { config: settings, patience, perform })
  await older.command({
    type: 'connection.connectInstalled',
    data: { walletKey: 'k1', wallet: { walletId: 'lantern', name: 'Lantern' } },
  })
  await older.until('the connection', ({ connection }) => connection.active !== null)
  await place(older, '1000000000')
  await untilAsked(older)
  const prompt = await soon(() => {
    if (!asked) throw new Error('the wallet was not asked')
    return asked
  })

  const newer = await openNewer('t-2', settings)
  await longSilence()
  expect(await newer.enter(() => newer.core.takeOver())).toBe('busy')
  older.freeze()
  expect(await newer.enter(() => newer.core.takeOver())).toBe('busy')
  older.thaw()
  expect([older.died(), newer.joins()]).toEqual([undefined, 0])

  const { bytes } = signTransaction(prompt.bytes ?? new Uint8Array(), [signer, signer])
  await older.enter(() => older.core.answer(prompt.id, { type: 'wallet.signed', bytes }, 't-1'))
  await finish(older, stack)
  expect(theOrder(older.model())?.phase).toBe('finalised')
  expect(await newer.enter(() => newer.core.takeOver())).toBe('taken')
  await soon(() => expect(newer.joins()).toBe(1))
  expect(theOrder(newer.model())?.phase).toBe('finalised')
})
