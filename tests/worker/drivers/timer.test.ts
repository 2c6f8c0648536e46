import { describe, expect, test } from 'vitest'
import { createTimerDriver } from '../../../src/worker/drivers/timer.ts'

const hour = 3_600_000

/** A device whose clock is set, and which sleeps, as the test says. */
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
    /** Awake: both go on. */
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
    /** What waits fires now. */
    early() {
      for (const { run } of waits.splice(0)) run()
    },
    /** Asleep, or set: only the clock goes. */
    jump(ms: number) {
      clock += ms
    },
  }
}

describe('a timer', () => {
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

  test('that is over when the device wakes fires at once, and one that is not keeps its time', () => {
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

  test('that its device fires a moment early waits for its time', () => {
    const { set, pass, early, fired } = device()
    void set('a', 1000)
    pass(999)
    early()
    expect(fired).toEqual([])
    pass(1)
    expect(fired).toEqual(['a'])
  })

  test('further away than one wait can hold is set again on the way', () => {
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
})
