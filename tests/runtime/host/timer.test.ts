import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTimerDriver, deviceClock } from '../../../src/runtime/host/timer.ts'

const hour = 3_600_000

/** A device whose clock and sleep the test controls. */
function device() {
  let clock = 1_000_000_000_000
  let passed = 0
  let waits: { at: number; run: () => void }[] = []
  const fired: string[] = []
  const { drivers, jumped, stop } = createTimerDriver({
    now: () => clock,
    passed: () => passed,
    after(ms, run) {
      const one = { at: passed + ms, run }
      waits.push(one)
      return () => {
        waits = waits.filter(other => other !== one)
      }
    },
  })
  return {
    fired,
    waiting: () => waits.length,
    jumped,
    stop,
    now: () => clock,
    set: (timerId: string, inMs: number) =>
      drivers['timer.set']?.({ id: 'e', data: { timerId, at: clock + inMs } }, ({ data }) =>
        fired.push(String(data.timerId)),
      ),
    clear: (timerId: string) => drivers['timer.clear']?.({ id: 'e', data: { timerId } }, () => undefined),
    /** Awake: clock and monotonic time advance. */
    pass(ms: number) {
      clock += ms
      passed += ms
      for (;;) {
        const [next] = waits.filter(({ at }) => at <= passed).sort((a, b) => a.at - b.at)
        if (!next) return
        waits = waits.filter(other => other !== next)
        next.run()
      }
    },
    /** Pending timeouts fire now. */
    early() {
      for (const { run } of waits.splice(0)) run()
    },
    /** Asleep, or a changed clock: only the clock advances. */
    jump(ms: number) {
      clock += ms
    },
  }
}

describe('a timer', () => {
  test.each([undefined, null, Number.NaN, Infinity, 1.5, '5'])('timer.set refuses %s for a time', async at => {
    const { drivers, stop } = createTimerDriver(deviceClock())
    const set = drivers['timer.set']?.({ id: 'e', data: { timerId: 'a', at } }, () => undefined)
    await expect(set).rejects.toMatchObject({
      code: 'bad_input',
      message: `timer.set a expected a time in whole milliseconds, got ${String(at)}`,
    })
    stop()
  })

  test('fires at its time, once; set again it moves, cleared it does not fire', () => {
    const { set, clear, pass, fired } = device()
    void set('a', 1000)
    void set('b', 1000)
    void set('c', 1000)
    void set('b', 3000)
    void clear('c')
    pass(999)
    expect(fired).toEqual([])
    pass(1)
    expect(fired).toEqual(['a'])
    pass(2000)
    expect(fired).toEqual(['a', 'b'])
  })

  test('that is over when the device wakes fires at once, and another keeps its time', () => {
    const { set, pass, jump, jumped, fired } = device()
    void set('soon', 15_000)
    void set('late', 10 * hour)
    jump(3 * hour)
    jumped()
    pass(0)
    expect(fired).toEqual(['soon'])
    pass(7 * hour)
    expect(fired).toEqual(['soon', 'late'])
  })

  test('waits no longer for a clock that is set back by ten hours, however often', () => {
    const { set, pass, jump, jumped, fired } = device()
    void set('poll', 15_000)
    jump(-10 * hour)
    jumped()
    pass(5000)
    jump(-10 * hour)
    jumped()
    pass(10_000)
    expect(fired).toEqual(['poll'])
  })

  test('fired a moment early by its device waits for its time', () => {
    const { set, pass, early, fired } = device()
    void set('a', 1000)
    pass(999)
    early()
    expect(fired).toEqual([])
    pass(1)
    expect(fired).toEqual(['a'])
  })

  test('beyond the longest timeout is set again on the way', () => {
    const { set, pass, fired, waiting } = device()
    void set('far', 2_500_000_000)
    pass(2_000_000_000)
    expect(fired).toEqual([])
    expect(waiting()).toBe(1)
    pass(500_000_000)
    expect(fired).toEqual(['far'])
  })

  test('does not fire after the stop', () => {
    const { set, pass, stop, fired } = device()
    void set('a', 10)
    stop()
    pass(1000)
    expect(fired).toEqual([])
  })

  test('shares one timeout of the device with a thousand others, and fires in order', () => {
    const { set, clear, pass, fired, waiting } = device()
    for (let i = 0; i < 1000; i++) void set(`t${i}`, ((i * 7919) % 1000) + 1)
    expect(waiting()).toBe(1)
    for (let i = 0; i < 1000; i++) if (i % 10 !== 0) void clear(`t${i}`)
    pass(1000)
    const due = (timerId: string) => (Number(timerId.slice(1)) * 7919) % 1000
    expect(fired).toHaveLength(100)
    expect(fired).toEqual([...fired].sort((a, b) => due(a) - due(b)))
    expect(waiting()).toBe(0)
  })

  test('set while another one fires is kept', () => {
    const { set, pass, fired } = device()
    for (let i = 0; i < 300; i++) void set(`t${i}`, 1000)
    pass(1000)
    expect(fired).toEqual(Array.from({ length: 300 }, (_, i) => `t${i}`))
  })

  test('fires when a timer of its own would, after any sets, moves, clears, sleeps and clock changes', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), id: fc.nat(5), ms: fc.nat(100_000) }),
      fc.record({ do: fc.constant('clear' as const), id: fc.nat(5) }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.nat(50_000) }),
      fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -200_000, max: 200_000 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const { set, clear, pass, jump, jumped, fired } = device()
        /** pending timers, with their remaining time by either clock */
        const left = new Map<string, { byClock: number; byTime: number }>()
        const expected: string[] = []
        const go = (ms: number, clock: number) => {
          for (const one of left.values()) {
            one.byTime -= ms
            one.byClock -= clock
          }
          const over = [...left].filter(([, { byClock, byTime }]) => Math.min(byClock, byTime) <= 0)
          for (const [id] of over) left.delete(id)
          expected.push(...over.map(([id]) => id).sort())
        }
        for (const one of steps) {
          const before = fired.length
          if (one.do === 'set') {
            void set(`t${one.id}`, one.ms)
            left.set(`t${one.id}`, { byClock: one.ms, byTime: one.ms })
          } else if (one.do === 'clear') {
            void clear(`t${one.id}`)
            left.delete(`t${one.id}`)
          } else if (one.do === 'pass') {
            pass(one.ms)
            go(one.ms, one.ms)
          } else {
            jump(one.ms)
            jumped()
            pass(0)
            go(0, one.ms)
          }
          fired.push(...fired.splice(before).sort())
        }
        expect(fired).toEqual(expected)
      }),
    )
  })
})
