import type { Failure } from '../../../src/runtime/failure.ts'
import { describe, expect, test } from 'vitest'
import type { EffectType } from '../../../src/events/effect.ts'
import type { Effect } from '../../../src/runtime/log/record.ts'
import { createDispatcher } from '../../../src/worker/host/dispatcher.ts'
import type { Drive } from '../../../src/runtime/host/driver.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Draft } from '../../../src/runtime/core/draft.ts'

const effect = (type: EffectType, k: number, more: Partial<Effect<EffectType>> = {}): Effect<EffectType> => ({
  id: `e1.7.${k}`,
  type,
  data: {},
  ...more,
})

/** A dispatcher whose journal commits when the test lets it. */
function make(drivers: { [type: string]: Drive } = {}, storage: 'durable' | 'memory' = 'durable') {
  const ran: string[] = []
  const answers: Draft[] = []
  const flushes: { durability: string; commit(): void; fail(): void }[] = []
  let kept: Journal['storage'] = storage
  const waits: { run: () => void; ms: number }[] = []
  const noted: Drive = async ({ id }) => void ran.push(id)
  const dispatch = createDispatcher({
    drivers: {
      'timer.set': noted,
      'chain.submit': noted,
      'chain.readSale': noted,
      'chain.readBalances': noted,
      'chain.readPurchases': noted,
      'relay.acknowledge': noted,
      ...drivers,
    },
    page: async ({ id }) => void ran.push(`page ${id}`),
    movesMoney: ({ type }) => type !== 'relay.acknowledge',
    journal: {
      get storage() {
        return kept
      },
      flush: durability =>
        new Promise((resolve, reject) =>
          flushes.push({ durability, commit: resolve, fail: () => reject(new Error('no disk')) }),
        ),
    },
    answer: draft => answers.push(draft),
    wait: (run, ms) => waits.push({ run, ms }),
  })
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  const lose = () => void (kept = 'lost')
  return { dispatch, ran, answers, flushes, waits, settle, lose }
}

describe('effects', () => {
  test('go to their driver at once, page effects to the page', async () => {
    const { dispatch, ran, flushes } = make()
    dispatch([effect('timer.set', 0), effect('wallet.connect', 1)])
    expect(ran).toEqual(['e1.7.0', 'page e1.7.1'])
    expect(flushes).toEqual([])
  })

  test.each(['commit', 'fail'] as const)(
    'that open a window for a press wait for a commit, even a failing one: %s',
    async how => {
      const { dispatch, ran, answers, flushes, settle } = make()
      dispatch([
        effect('wallet.connect', 0, { data: { silent: false } }),
        effect('wallet.connect', 1, { data: { silent: true } }),
      ])
      await settle()
      expect(ran).toEqual(['page e1.7.1'])
      expect(flushes.map(({ durability }) => durability)).toEqual(['relaxed'])
      flushes[0]?.[how]()
      await settle()
      expect(ran).toEqual(['page e1.7.1', 'page e1.7.0'])
      expect(answers).toEqual([])
    },
  )

  test('marked `stored` wait for the strict commit of their input, and keep their order', async () => {
    const { dispatch, ran, flushes, settle } = make()
    dispatch([
      effect('wallet.signTransaction', 0, { after: 'stored' }),
      effect('timer.set', 1),
      effect('chain.submit', 2, { after: 'stored' }),
    ])
    await settle()
    expect(ran).toEqual(['e1.7.1'])
    expect(flushes.map(({ durability }) => durability)).toEqual(['strict'])
    flushes[0]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.1', 'page e1.7.0', 'e1.7.2'])
  })

  test('marked `written` wait for a commit, whatever else their step has stored', async () => {
    const { dispatch, ran, flushes, settle } = make()
    dispatch([effect('timer.set', 0, { after: 'written' }), effect('chain.submit', 1, { after: 'stored' })])
    expect(flushes.map(({ durability }) => durability)).toEqual(['strict', 'relaxed'])
    flushes[1]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.0'])
    flushes[0]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.0', 'e1.7.1'])
  })

  test('of background work go with the next awaited one, in order', async () => {
    const { dispatch, ran, flushes, waits, settle } = make()
    dispatch([effect('relay.acknowledge', 0, { after: 'stored' })])
    dispatch([effect('relay.acknowledge', 1, { after: 'stored' })])
    expect([flushes.length, waits.length]).toEqual([0, 1])
    dispatch([effect('chain.submit', 2, { after: 'stored' })])
    expect(flushes.map(({ durability }) => durability)).toEqual(['strict'])
    flushes[0]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.0', 'e1.7.1', 'e1.7.2'])
    waits[0]?.run()
    expect(flushes).toHaveLength(1)
  })

  test('of background work go alone after 40 ms, once stored', async () => {
    const { dispatch, ran, flushes, waits, settle } = make()
    dispatch([effect('relay.acknowledge', 0, { after: 'stored' })])
    expect(waits.map(({ ms }) => ms)).toEqual([40])
    waits[0]?.run()
    await settle()
    expect([flushes.map(({ durability }) => durability), ran]).toEqual([['strict'], []])
    flushes[0]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.0'])
    dispatch([effect('relay.acknowledge', 1, { after: 'stored' })])
    expect(waits).toHaveLength(2)
  })

  test('that read an account go together after 10 ms, once a person was told that it is connected', () => {
    const { dispatch, ran, waits } = make()
    dispatch([effect('chain.readBalances', 0), effect('timer.set', 1), effect('chain.readPurchases', 2)])
    expect(ran).toEqual(['e1.7.1'])
    expect(waits.map(({ ms }) => ms)).toEqual([10])
    waits[0]?.run()
    expect(ran).toEqual(['e1.7.1', 'e1.7.0', 'e1.7.2'])
  })

  test('that read an account go at once with a reading of the sale, in one request', () => {
    const { dispatch, ran, waits } = make()
    dispatch([effect('chain.readSale', 0), effect('chain.readBalances', 1)])
    expect(ran).toEqual(['e1.7.0', 'e1.7.1'])
    expect(waits).toEqual([])
  })

  test('marked `stored` fail one by one when nothing can be stored', async () => {
    const { dispatch, ran, answers, flushes, settle } = make()
    dispatch([
      effect('wallet.signTransaction', 0, { after: 'stored', tab: 't1' }),
      effect('chain.submit', 1, { after: 'stored' }),
    ])
    flushes[0]?.fail()
    await settle()
    expect(ran).toEqual([])
    expect(answers.map(({ type, to, tab }) => [type, to, tab])).toEqual([
      ['effect.failed', 'e1.7.0', 't1'],
      ['effect.failed', 'e1.7.1', undefined],
    ])
    expect(answers[0]?.data.failure).toMatchObject({ code: 'storage_down' })
  })

  test('that may move money fail with a log in memory, others wait for no commit', async () => {
    const { dispatch, ran, answers, flushes, waits, settle } = make({}, 'memory')
    dispatch([
      effect('relay.acknowledge', 0, { after: 'stored' }),
      effect('wallet.signTransaction', 1, { after: 'stored', tab: 't1' }),
    ])
    expect([flushes.map(({ durability }) => durability), waits]).toEqual([['strict', 'relaxed'], []])
    flushes[0]?.fail()
    flushes[1]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.0'])
    expect(answers).toMatchObject([
      {
        to: 'e1.7.1',
        tab: 't1',
        data: { failure: { code: 'storage_down', facts: { storage: 'memory' } } },
      },
    ])
  })

  test('that only wait to be written go on once the disk is lost; what the sender may forget after them does not', async () => {
    const { dispatch, ran, answers, flushes, settle, lose } = make()
    dispatch([effect('timer.set', 0, { after: 'written' })])
    flushes[0]?.fail()
    await settle()
    expect([ran, answers.map(({ to }) => to)]).toEqual([[], ['e1.7.0']])
    lose()
    dispatch([
      effect('timer.set', 1, { after: 'written' }),
      effect('chain.submit', 2, { after: 'stored' }),
      effect('relay.acknowledge', 3, { after: 'stored' }),
    ])
    expect(flushes.map(({ durability }) => durability)).toEqual(['relaxed', 'strict', 'relaxed'])
    flushes[1]?.fail()
    flushes[2]?.commit()
    await settle()
    expect(ran).toEqual(['e1.7.1'])
    const refused = answers.slice(1).map(({ to, data }) => [to, (data as { failure: Failure }).failure.code])
    expect(Object.fromEntries(refused)).toEqual({ 'e1.7.2': 'storage_down', 'e1.7.3': 'storage_down' })
  })

  test('without a driver, and with a driver that throws, end in a failure', async () => {
    const { dispatch, answers, settle } = make({ 'chain.submit': () => Promise.reject(new Error('unforeseen')) })
    dispatch([effect('relay.open', 0), effect('chain.submit', 1)])
    await settle()
    expect(answers.map(({ to, data }) => [to, (data.failure as { code: string }).code])).toEqual([
      ['e1.7.0', 'unsupported'],
      ['e1.7.1', 'unknown'],
    ])
  })

  test('are answered by name, with the tab of the answer', async () => {
    const answering: Drive = async (_, answer) => answer({ type: 'chain.submitted', data: { orderId: 'o' } })
    const { dispatch, answers } = make({ 'chain.submit': answering })
    dispatch([effect('chain.submit', 3, { tab: 't9' })])
    expect(answers).toEqual([{ type: 'chain.submitted', data: { orderId: 'o' }, to: 'e1.7.3', tab: 't9' }])
  })
})
