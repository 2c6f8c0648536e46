import { describe, expect, test } from 'vitest'
import type { PageAnswer } from '../../../src/events/wire.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { impatience, locks, logOf, openTab as open, refsIn, search, type Tab } from './openTab.ts'
import { soon } from '../../soon.ts'

describe('a thawed leader unaware of its replacement', () => {
  /** Locks that report a loss only after `tell`. */
  function lateLocks() {
    let tell = () => undefined as void
    const told = new Promise<void>(resolve => (tell = resolve))
    const request = (name: string, options: LockOptions, run: LockGrantedCallback<unknown>) =>
      locks.request(name, options, run).catch(async (loss: unknown) => {
        await told
        throw loss
      })
    return { locks: { request } as Locks, tell: () => tell() }
  }

  /** @param meanwhile runs before the old leader thaws */
  async function replaced(meanwhile = async (_two: Tab): Promise<void> => undefined) {
    const late = lateLocks()
    const old = await open('t-1', { locks: late.locks })
    await old.command(search('before'))
    const two = await open('t-2', { patience: impatience })
    old.freeze()
    await two.command(search('meanwhile'))
    await meanwhile(two)
    old.thaw()
    return { old, two, tell: late.tell }
  }

  test('acknowledges no command, and the log has none', async () => {
    const { old, two, tell } = await replaced()
    await expect(old.enter(() => old.core.command(search('too late'), 't-1.late', 't-1'))).rejects.toMatchObject({
      code: 'core_lost',
    })
    tell()
    expect(refsIn(await logOf(two))).toEqual(['t-1.c1', 't-2.c1'])
  })

  test('acknowledges no answer and no page fact', async () => {
    const { old, tell } = await replaced()
    const gone = { type: 'wallet.failed', failure: { code: 'user_rejected', message: 'no' } } as const
    const themed = { k: 'p', p: 1, life: 1, after: 0, tab: 't-1', at: 1, type: 'tab.themed', v: 1 } as const
    const calls = await Promise.allSettled([
      old.enter(() => old.core.answer('e1.1.0', gone, 't-1')),
      old.enter(() => old.core.pageFacts([{ ...themed, data: { theme: 'dark' } }])),
    ])
    expect(calls).toMatchObject(calls.map(() => ({ status: 'rejected', reason: { code: 'core_lost' } })))
    tell()
  })

  test('acknowledges none either after the log was erased and another one begun', async () => {
    let anew: Tab | undefined
    const { old, tell } = await replaced(async two => {
      expect(await two.enter(() => two.core.erase('t-2'))).toBe(true)
      await two.kill()
      anew = await open('t-3')
      await anew.command(search('anew'))
    })
    await expect(old.enter(() => old.core.command(search('too late'), 't-1.late', 't-1'))).rejects.toMatchObject({
      code: 'core_lost',
    })
    tell()
    expect(anew && refsIn(await logOf(anew))).toEqual(['t-3.c1'])
  })
})

describe("a wallet's answer repeated by its page", () => {
  const answer: PageAnswer = {
    type: 'wallet.connected',
    accounts: ['9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'],
    features: ['signTransaction'],
  }
  const connect = {
    type: 'connection.connectInstalled',
    data: { walletKey: 'k1', wallet: { walletId: 'lantern', name: 'Lantern' } },
  } as const
  const hand = (page: Tab, effectId: string) => page.enter(() => page.core.answer(effectId, answer, page.tab))

  async function asked(page: Tab): Promise<string> {
    await page.command(connect)
    await soon(() => expect(page.effects.map(({ type }) => type)).toContain('wallet.connect'))
    return page.effects.find(({ type }) => type === 'wallet.connect')?.id ?? ''
  }
  const answersIn = async (page: Tab) =>
    (await logOf(page)).filter(record => record.k === 'i' && record.type === 'wallet.connected')

  test('is taken once, during the first one and after it', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    const effectId = await asked(two)
    await Promise.all([hand(two, effectId), hand(two, effectId)])
    await hand(two, effectId)
    expect(await answersIn(one)).toMatchObject([{ to: effectId, tab: 't-2' }])
  })

  test('is taken once also when the core that took it is gone', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    const effectId = await asked(two)
    await hand(two, effectId)
    await one.kill()
    await soon(() => expect(two.joins()).toBe(2))
    await hand(two, effectId)
    expect(await answersIn(two)).toHaveLength(1)
  })
})
