import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TabNotice } from '../../../src/runtime/tabs/channel.ts'
import { createForeignLeader } from '../../../src/runtime/tabs/foreignLeader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function make() {
  const steal = vi.fn()
  const ask = vi.fn()
  const foreign = createForeignLeader({ peer: 'me', ask, steal, waitMs: 100 })
  const says = (said: Partial<TabNotice>) =>
    foreign.hear({ peer: 'old', tongue: 'other', leads: true, reply: true, ...said })
  return { foreign, says, steal, ask }
}

test.each<[string, Partial<TabNotice>, 'taken' | 'busy' | 'silent', number]>([
  ['that hands over', { leads: false, yieldsTo: 'me' }, 'taken', 1],
  ['with an open order', { busy: true }, 'busy', 0],
  ['of a build before handover', {}, 'silent', 0],
  ['that hands over to another tab', { leads: false, yieldsTo: 'you' }, 'taken', 0],
])('foreign leader: one %s decides the answer', async (_name, answer, outcome, steals) => {
  const { foreign, says, steal, ask } = make()
  says({ busy: false })
  const asked = foreign.takeOver()
  expect(foreign.takeOver()).toBeInstanceOf(Promise)
  expect(ask.mock.calls).toEqual([['old']])
  // Earlier announcements and those of other tabs are no answers
  says({ busy: false })
  says({ peer: 'third', leads: false })
  says(answer)
  expect(await asked).toBe(outcome)
  expect(steal).toHaveBeenCalledTimes(steals)
})

test.each([
  [false, 'taken', 1],
  [true, 'busy', 0],
  [undefined, 'silent', 0],
] as const)('foreign leader: a silent one last known as busy %s', async (busy, outcome, steals) => {
  const { foreign, says, steal } = make()
  says(busy === undefined ? {} : { busy })
  const asked = foreign.takeOver()
  await vi.advanceTimersByTimeAsync(99)
  expect(steal).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await asked).toBe(outcome)
  expect(steal).toHaveBeenCalledTimes(steals)
})

test('foreign leader: one that ends during the question leaves the lock to its queue', async () => {
  const { foreign, says, steal } = make()
  says({ busy: false })
  const asked = foreign.takeOver()
  foreign.ended('old')
  expect(foreign.isKnown()).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(await asked).toBe('taken')
  expect(steal).not.toHaveBeenCalled()
})

test('foreign leader: one is known until its own worker ends', () => {
  const { foreign, says } = make()
  says({ busy: false })
  foreign.ended('third')
  expect(foreign.isKnown()).toBe(true)
  foreign.ended('old')
  expect(foreign.isKnown()).toBe(false)
})
