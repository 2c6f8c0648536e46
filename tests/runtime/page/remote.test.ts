import { afterEach, describe, expect, test, vi } from 'vitest'
import { coreCalls } from '../../../src/events/wire.ts'
import { createRemote } from '../../../src/runtime/page/remote.ts'
import { createFakeCore } from '../../main/fakeCore.ts'

afterEach(() => void vi.useRealTimers())

describe('calls into the worker', () => {
  test('get answers', async () => {
    const fake = createFakeCore(3)
    const { core, lose } = createRemote(coreCalls, fake.worker)
    expect(await core.ping()).toBe(3)
    lose('the test is over')
  })

  test('that are open at the worker’s end are all rejected at once with core_lost', async () => {
    const fake = createFakeCore(1)
    const { core, lose } = createRemote(coreCalls, fake.worker)
    fake.freeze()
    const open = [
      core.ping(),
      core.standing(),
      core.recording([]),
      core.command({ type: 'balance.refresh', data: {} }, 'r', 't'),
    ]
    const ended = Promise.allSettled(open)
    lose('it crashed')
    const results = await ended
    expect(results.map(result => result.status === 'rejected' && result.reason.code)).toEqual(
      open.map(() => 'core_lost'),
    )
    expect(fake.terminated()).toBe(true)
  })

  test('after the worker’s end are rejected without being sent', async () => {
    const fake = createFakeCore(1)
    const { core, lose } = createRemote(coreCalls, fake.worker)
    lose('it crashed')
    lose('again')
    await expect(core.ping()).rejects.toMatchObject({ code: 'core_lost', message: 'the worker is gone: it crashed' })
  })

  test.each([
    ['a ping', 4500, (core: ReturnType<typeof createRemote>['core']) => core.ping()],
    ['an attach', 10_000, core => core.attach({} as never, {} as never)],
    ['the first call', 30_000, core => core.begin({} as never, {} as never, 'start')],
  ] as [string, number, (core: ReturnType<typeof createRemote>['core']) => Promise<unknown>][])(
    'have a deadline: %s is given up after %i ms',
    async (_, limitMs, call) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const fake = createFakeCore(1)
      const { core, lose } = createRemote(coreCalls, fake.worker)
      fake.freeze()
      let ended: unknown
      const done = call(core).catch((cause: unknown) => {
        ended = cause
      })
      vi.advanceTimersByTime(limitMs - 1)
      await Promise.resolve()
      expect(ended).toBeUndefined()
      vi.advanceTimersByTime(1)
      await done
      expect(ended).toMatchObject({ code: 'timeout' })
      lose('the test is over')
    },
  )

  test('that wait for another tab have none', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const fake = createFakeCore(1)
    const { core, lose } = createRemote(coreCalls, fake.worker)
    fake.freeze()
    let ended = false
    const waiting = core.standing().finally(() => {
      ended = true
    })
    vi.advanceTimersByTime(86_400_000)
    await Promise.resolve()
    expect(ended).toBe(false)
    lose('the test is over')
    await expect(waiting).rejects.toMatchObject({ code: 'core_lost' })
  })
})
