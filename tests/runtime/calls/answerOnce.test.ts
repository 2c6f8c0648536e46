import { describe, expect, test } from 'vitest'
import { createAnswerOnce } from '../../../src/runtime/calls/answerOnce.ts'
import { isAnswer } from '../../../src/worker/host/calls/onceRules.ts'

const told = (type: string, to: string, data = {}) => JSON.stringify({ k: 'i', n: 1, at: 1, type, v: 1, data, to })

/** Counts taken answers; none is committed before `keep`. */
function taker() {
  let keep = () => undefined as void
  const kept = new Promise<void>(resolve => (keep = resolve))
  let count = 0
  const take = () => {
    count += 1
    return kept
  }
  return { take, keep: () => keep(), count: () => count }
}
function answeringOver(lines: string[] = []) {
  return createAnswerOnce({ life: 2, journal: { lines: async () => lines }, isAnswer })
}

describe('a repeated answer', () => {
  test('during the first one is taken once, and both wait for its commit', async () => {
    const [answering, { take, keep, count }] = [answeringOver(), taker()]
    const done: string[] = []
    const first = answering.once('e2.1.0', take).then(() => done.push('first'))
    const second = answering.once('e2.1.0', take).then(() => done.push('second'))
    await new Promise(resolve => setTimeout(resolve))
    expect([count(), done]).toEqual([1, []])
    keep()
    await Promise.all([first, second])
    await answering.once('e2.1.0', take)
    expect([count(), done]).toEqual([1, ['first', 'second']])
  })

  test('is taken again after a failed commit', async () => {
    const answering = answeringOver()
    const failing = answering.once('e2.1.0', () => Promise.reject(new Error('no disk')))
    await expect(failing).rejects.toThrow('no disk')
    const { take, keep, count } = taker()
    keep()
    await answering.once('e2.1.0', take)
    expect(count()).toBe(1)
  })

  test('is remembered within bounds: the oldest of very many is evicted', async () => {
    const answering = answeringOver()
    const { take, keep, count } = taker()
    keep()
    for (let n = 0; n <= 256; n++) await answering.once(`e2.${n}.0`, take)
    await answering.once('e2.256.0', take)
    expect(count()).toBe(257)
    await answering.once('e2.0.0', take)
    expect(count()).toBe(258)
  })
})

describe('an answer to an effect of the life before', () => {
  test.each<[string, string[], number]>([
    ['is not taken when that life took it', [told('wallet.sent', 'e1.5.0')], 0],
    ['is taken when that life heard nothing', [told('wallet.sent', 'e1.6.0')], 1],
    [
      'is taken when that life only gave the wallet up',
      [told('wallet.failed', 'e1.5.0', { failure: { code: 'wallet_gone', message: 'closed' } })],
      1,
    ],
    [
      'is taken when that life only missed its bytes',
      [told('wallet.failed', 'e1.5.0', { failure: { code: 'expired', message: 'gone' } })],
      1,
    ],
    [
      'is not taken when it is the refusal that life heard',
      [told('wallet.failed', 'e1.5.0', { failure: { code: 'user_rejected', message: 'no' } })],
      0,
    ],
    ['is taken when an effect with a longer id was answered', [told('wallet.sent', 'e1.5.01')], 1],
  ])('%s', async (_name, lines, times) => {
    const { take, keep, count } = taker()
    keep()
    await answeringOver(lines).once('e1.5.0', take)
    expect(count()).toBe(times)
  })
})
