/**
 * The door for tests: a worker's clock and storage cannot be steered from outside, so a journey's build reads them from the
 * worker's name, and a journey may say more while it runs. The build that is published has nothing of this; it is scanned.
 */
import { type Clock, deviceClock } from './timer.ts'

/** What a journey may want, as it stands in the worker's name after `?`; numbers in decimal text. */
export type Wish = {
  /** added to the device's clock */
  clockOffsetMs?: number
  /** added to the time that went by, which no clock shows and nobody sets */
  passedMs?: number
  /** how much faster than the device's time goes by here, default 1 */
  rate?: number
  /** the n-th write from now on fails, as a disk does */
  failAt?: number
  /** so many more bytes may be written, then there is no room */
  roomBytes?: number
  /** every transaction that writes takes this much longer */
  slowMs?: number
  /** 1: this worker has no storage, from its start */
  denied?: number
}

export type Door = {
  /** Type of an input in whose step this worker freezes, or at `core.boot` ends before it; empty when there is none. */
  deadly: string
  clock: Clock
  /** Changes what is named and leaves the rest. */
  wish(changes: Wish): void
  /** Never comes back, as after a fault in this worker's code; it waits, so that two cores have time for the rest of the tests. */
  freeze(): never
  /** Takes memory until there is none. */
  devour(): never
  /** Ends this worker by an error that nothing catches. */
  crash(): void
}

/**
 * Opens the door.
 *
 * @param name of this worker: `mai-core?clockOffsetMs=7200000&rate=60`
 * @throws Error with a sentence when a wish is not known or no whole number
 */
export function openDoor(name: string, device: Clock = deviceClock()): Door {
  const named = new URLSearchParams(name.split('?')[1] ?? '')
  const deadly = named.get('deadly') ?? ''
  named.delete('deadly')
  const wishes: Required<Wish> = {
    clockOffsetMs: 0,
    passedMs: 0,
    rate: 1,
    failAt: 0,
    roomBytes: Number.MAX_SAFE_INTEGER,
    slowMs: 0,
    denied: 0,
  }
  let since = { clock: device.now(), passed: device.passed(), went: 0 }
  const went = () => since.went + (device.passed() - since.passed) * wishes.rate

  function wish(changes: Wish): void {
    // What went by until now went by at the rate until now
    since = { ...since, went: went(), passed: device.passed() }
    for (const [what, value] of Object.entries(changes)) {
      if (!Object.hasOwn(wishes, what)) throw new Error(`the door knows no ${what}`)
      if (!Number.isSafeInteger(value)) throw new Error(`the door expected a whole number for ${what}, got ${value}`)
      wishes[what as keyof Wish] = value
    }
  }

  wish(Object.fromEntries([...named].map(([key, value]) => [key, Number(value)])))
  if (wishes.denied) denyStorage()
  if (typeof IDBObjectStore !== 'undefined') troubleStorage(wishes)
  return {
    deadly,
    clock: {
      now: () => since.clock + went() + wishes.clockOffsetMs,
      passed: () => went() + wishes.passedMs,
      after: (ms, run) => device.after(ms / wishes.rate, run),
    },
    wish,
    freeze() {
      const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
      for (;;) Atomics.wait(new Int32Array(buffer), 0, 0)
    },
    crash: () =>
      void setTimeout(() => {
        throw new Error('the door ended this worker')
      }),
    devour() {
      const eaten: string[][] = []
      for (;;) eaten.push(Array.from({ length: 1_000_000 }, (_, index) => `${eaten.length} ${index}`))
    },
  }
}

/** Denies storage as browsers do that are told to keep nothing. */
function denyStorage(): void {
  const get = () => {
    throw new DOMException('the door denied storage', 'SecurityError')
  }
  Object.defineProperty(globalThis, 'indexedDB', { get })
}

/** Has every write of this worker go as wished. */
function troubleStorage(wishes: Required<Wish>): void {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
    if (wishes.failAt > 0) {
      wishes.failAt -= 1
      if (wishes.failAt === 0) throw new DOMException('the door failed this write', 'UnknownError')
    }
    wishes.roomBytes -= value instanceof Uint8Array ? value.length : 100
    if (wishes.roomBytes < 0) throw new DOMException('the door left no room', 'QuotaExceededError')
    if (wishes.slowMs > 0) holdOpen(this, performance.now() + wishes.slowMs)
    return put.call(this, value, key)
  }
}

/** A transaction stays open as long as something is asked of it. */
function holdOpen(store: IDBObjectStore, until: number): void {
  store.count().onsuccess = () => {
    if (performance.now() < until) holdOpen(store, until)
  }
}
