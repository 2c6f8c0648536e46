import { describe, expect, test, vi } from 'vitest'
import { soon } from '../../soon.ts'
import { impatience, openTab as open, search } from './openTab.ts'

const post = BroadcastChannel.prototype.postMessage

describe('new leader: a follower whose leader ends', () => {
  test('begins its core as one that goes on after a death', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    expect(two.model().core).toMatchObject({ life: 1, cause: 'start' })
    await one.kill()
    await two.until('its own core', ({ core }) => core.life === 2)
    expect(two.model().core.cause).toBe('lost')
  })

  test('gives its life a number that its page has not met, in memory too', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const [one, two] = [await open('t-1'), await open('t-2')]
    expect(two.model().core).toMatchObject({ life: 1, storage: 'memory' })
    await one.kill()
    await soon(() => expect(two.joins()).toBe(2))
    expect(two.model().core).toMatchObject({ life: 2, storage: 'memory' })
  })

  test('has heard of each step of the leader that it began, and that it was over', async () => {
    const steps: number[] = []
    vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(function (
      this: BroadcastChannel,
      message: unknown,
    ) {
      const said = message as { k?: string; n?: number }
      if (said.k === 'step') steps.push(said.n ?? -1)
      return post.call(this, message)
    })
    // A leader that goes on after a death steps with care
    const one = await open('t-1', { cause: 'lost' })
    await open('t-2')
    await one.command(search('step'))
    const begun = steps.filter(n => n > 0)
    expect(begun.length).toBeGreaterThan(0)
    expect(steps).toEqual(begun.flatMap(n => [n, 0]))
  })
})

test('new leader: the one before whose lock is stolen gives itself up', async () => {
  const one = await open('t-1', { patience: impatience })
  one.freeze()
  const two = await open('t-2', { patience: impatience })
  await soon(() => expect(two.joins()).toBe(1))
  one.thaw()
  await soon(() => expect(one.died()).toMatchObject({ code: 'core_lost' }))
})
