import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openDoor } from '../../../src/worker/drivers/door.ts'

/** A device whose time the test sets. */
function device() {
  const waits: number[] = []
  const time = { now: 1000, passed: 0 }
  return {
    waits,
    clock: {
      now: () => time.now,
      passed: () => time.passed,
      after(ms: number) {
        waits.push(ms)
        return () => undefined
      },
    },
    pass(ms: number) {
      time.now += ms
      time.passed += ms
    },
  }
}

const { put } = IDBObjectStore.prototype
afterEach(() => {
  IDBObjectStore.prototype.put = put
})

describe('the door', () => {
  test('changes nothing without settings', () => {
    const { clock, pass, waits } = device()
    const door = openDoor('mai-core', clock)
    pass(50)
    expect(door.clock.now()).toBe(1050)
    door.clock.after(30, () => undefined)
    expect(waits).toEqual([30])
  })

  test('sets the clock, and speeds up time, from the name and later', () => {
    const { clock, pass, waits } = device()
    const door = openDoor('mai-core?clockOffsetMs=500&rate=60', clock)
    expect(door.clock.now()).toBe(1500)
    pass(10)
    expect(door.clock.now()).toBe(2100)
    door.clock.after(600, () => undefined)
    expect(waits).toEqual([10])
    door.wish({ rate: 1 })
    pass(10)
    expect(door.clock.now()).toBe(2110)
    door.wish({ clockOffsetMs: -1000 })
    expect(door.clock.now()).toBe(610)
    expect(door.clock.passed()).toBe(610)
  })

  test('refuses unknown and malformed settings', () => {
    expect(() => openDoor('mai-core?speed=2', device().clock)).toThrow('the door knows no speed')
    expect(() => openDoor('mai-core?rate=fast', device().clock)).toThrow('whole number for rate, got NaN')
  })

  test('fails the n-th write, leaves no room, and slows writes down', async () => {
    const door = openDoor('mai-core', device().clock)
    const db = await openDB('door', 1, { upgrade: made => void made.createObjectStore('s') })
    door.wish({ failAt: 2 })
    await db.put('s', 1, 'a')
    await expect(db.put('s', 2, 'b')).rejects.toMatchObject({ name: 'UnknownError' })
    await db.put('s', 3, 'c')
    door.wish({ roomBytes: 150 })
    await db.put('s', new Uint8Array(100), 'd')
    await expect(db.put('s', new Uint8Array(100), 'e')).rejects.toMatchObject({ name: 'QuotaExceededError' })
    door.wish({ roomBytes: 1_000_000, slowMs: 40 })
    let ms = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (ms += 10))
    const asked = vi.spyOn(IDBObjectStore.prototype, 'count')
    await db.put('s', 4, 'f')
    vi.restoreAllMocks()
    expect(asked).toHaveBeenCalledTimes(4)
    expect(await db.getAllKeys('s')).toEqual(['a', 'c', 'd', 'f'])
    db.close()
  })
})
