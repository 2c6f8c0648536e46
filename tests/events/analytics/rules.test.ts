import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnalyticsEventName } from '../../../src/events/analytics/catalogue.ts'
import type { ErrorCategory } from '../../../src/events/analytics/categories.ts'
import { admitReport, type EventQueue, enqueued, mostWaiting } from '../../../src/events/analytics/limits.ts'
import { gateOf, keptAfterFailure, refusalAfter } from '../../../src/events/analytics/rules.ts'
import type { Failure } from '../../../src/runtime/failure.ts'

describe('the gate of analytics', () => {
  test.each<[AnalyticsEventName | ErrorCategory, 'given' | 'awaited' | 'refused', boolean, 'send' | 'wait' | 'drop']>([
    ['MODAL_OPEN', 'given', true, 'send'],
    ['MODAL_OPEN', 'given', false, 'drop'],
    ['MODAL_OPEN', 'awaited', true, 'drop'],
    ['MODAL_OPEN', 'refused', true, 'drop'],
    ['INITIALIZE', 'given', true, 'send'],
    ['INITIALIZE', 'given', false, 'send'],
    ['INITIALIZE', 'awaited', true, 'wait'],
    ['INITIALIZE', 'awaited', false, 'wait'],
    ['INITIALIZE', 'refused', true, 'drop'],
    ['API_ERROR', 'given', true, 'send'],
    ['API_ERROR', 'given', false, 'drop'],
    ['API_ERROR', 'awaited', true, 'drop'],
    ['MODAL_CREATED', 'given', true, 'drop'],
    ['MODAL_CREATED', 'awaited', true, 'drop'],
  ])('%s with consent %s, enabled %s: %s', (event, consent, isEnabled, verdict) => {
    expect(gateOf(event, { consent, isEnabled })).toBe(verdict)
  })
})

describe('the queue of analytics', () => {
  const empty: EventQueue<number> = { waiting: [], dropped: 0 }

  test('drops the oldest beyond 100 and counts them', () => {
    const full = enqueued(
      empty,
      Array.from({ length: 100 }, (_, at) => at),
    )
    expect(full).toEqual({ waiting: Array.from({ length: 100 }, (_, at) => at), dropped: 0 })
    expect(enqueued(full, [100, 101])).toEqual({ waiting: Array.from({ length: 100 }, (_, at) => at + 2), dropped: 2 })
  })

  test('keeps the newest events in order and loses count of none', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 130 }), { maxLength: 6 }), sizes => {
        const batches = sizes.map((size, batch) => Array.from({ length: size }, (_, at) => batch * 1000 + at))
        const { waiting, dropped } = batches.reduce<EventQueue<number>>(enqueued, empty)
        const all = batches.flat()
        expect(waiting).toEqual(all.slice(dropped))
        expect(waiting).toHaveLength(Math.min(all.length, mostWaiting))
      }),
      { seed: 91, numRuns: 300 },
    )
  })
})

describe('a batch that failed', () => {
  const failed = (code: Failure['code'], sent?: number): Failure => ({
    code,
    message: '',
    ...(sent !== undefined && { facts: { sent } }),
  })

  test.each(['offline', 'unreachable', 'timeout', 'rate_limited'] as const)('%s keeps all unsent events', code => {
    expect(keptAfterFailure([1, 2, 3], failed(code, 1))).toEqual([2, 3])
    expect(keptAfterFailure([1, 2, 3], failed(code))).toEqual([1, 2, 3])
  })

  test('bad_response drops the event that failed', () => {
    expect(keptAfterFailure([1, 2, 3], failed('bad_response', 1))).toEqual([3])
  })

  test('unauthorized drops all', () => {
    expect(keptAfterFailure([1, 2, 3], failed('unauthorized', 1))).toEqual([])
  })
})

describe('the limit of error reports', () => {
  /** The admitted ones of these times. */
  const admittedOf = (times: readonly number[]) => {
    let admitted: readonly number[] = []
    return times.filter(at => {
      const verdict = admitReport(admitted, at)
      admitted = verdict.admitted
      return verdict.isAdmitted
    })
  }

  test('admits five, and the next one 60 s after the first', () => {
    expect(admittedOf([0, 1, 2, 3, 4, 5, 59_999, 60_000, 60_000, 60_001])).toEqual([0, 1, 2, 3, 4, 60_000, 60_001])
  })

  test('admits at most five in any 60 s, and refuses none without need', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 })
    fc.assert(
      fc.property(gaps, steps => {
        let now = 0
        const times = steps.map(step => (now += step))
        const admitted: number[] = []
        for (const at of times) {
          const isFree = admitted.filter(time => at - time < 60_000).length < 5
          if (isFree) admitted.push(at)
        }
        expect(admittedOf(times)).toEqual(admitted)
        for (const [place, at] of admitted.entries()) {
          const sixth = admitted[place + 5]
          if (sixth !== undefined) expect(sixth - at).toBeGreaterThanOrEqual(60_000)
        }
      }),
      { seed: 92, numRuns: 300 },
    )
  })

  test('a clock set back by an hour admits again', () => {
    const hour = 3_600_000
    expect(admittedOf([hour, hour, hour, hour, hour, hour, 0])).toEqual([hour, hour, hour, hour, hour, 0])
  })

  test('remembers five times at most', () => {
    const times = Array.from({ length: 40 }, (_, at) => at * 20_000)
    let admitted: readonly number[] = []
    for (const at of times) admitted = admitReport(admitted, at).admitted
    expect(admitted).toEqual([740_000, 760_000, 780_000])
  })
})

describe('the notice of a refused origin', () => {
  const refusal: Failure = { code: 'unauthorized', message: '', facts: { status: 403, sent: 0 } }
  const key: Failure = { code: 'unauthorized', message: '', facts: { status: 401 } }
  const offline: Failure = { code: 'offline', message: '' }

  /** The notices by answer. */
  const noticesOf = (answers: readonly (Failure | undefined)[]) => {
    let isRefused = false
    return answers.map(answer => {
      const after = refusalAfter(isRefused, answer)
      isRefused = after.isRefused
      return after.notifies
    })
  }

  test('comes once until a success', () => {
    expect(noticesOf([refusal, refusal, offline, refusal])).toEqual([true, false, false, false])
    expect(noticesOf([undefined, refusal, undefined, refusal])).toEqual([false, true, false, true])
  })

  test('comes for HTTP 403 alone', () => {
    expect(noticesOf([key, offline, undefined])).toEqual([false, false, false])
  })
})
