/**
 * Test controls: a worker's clock and storage cannot be controlled from outside, so a journey's build reads settings from the
 * worker's name, and a journey may change them while it runs. The production build contains none of this; a scan checks it.
 */
import { type Clock, deviceClock } from '../../runtime/host/timer.ts'

/** Settings of a journey, in the worker's name after `?`; numbers in decimal text. */
export type Steering = {
  /** added to the device's clock, ms */
  clockOffsetMs?: number
  /** added to the monotonic time, ms */
  passedMs?: number
  /** speed of time relative to the device, default 1 */
  rate?: number
  /** the n-th write from now on fails with a disk error */
  failAt?: number
  /** quota, bytes still writable */
  roomBytes?: number
  /** extra duration of every writing transaction, ms */
  slowMs?: number
  /** 1: no storage from the worker's start */
  denied?: number
}

export type Door = {
  /** Type of an input in whose step this worker freezes; at `core.boot` it ends before the step. Empty: none. */
  deadly: string
  clock: Clock
  /** Changes the named settings only. */
  wish(changes: Steering): void
  /** Blocks for ever, like a bug in this worker; it waits instead of spinning, to leave the CPU to other tests. */
  freeze(): never
  /** Allocates memory until it is exhausted. */
  devour(): never
  /** Ends this worker with an uncaught error. */
  crash(): void
}

/**
 * Reads the settings and patches storage.
 *
 * @param name of this worker: `mai-core?clockOffsetMs=7200000&rate=60`
 * @throws Error when a setting is unknown or not an integer
 */
export function openDoor(name: string, device: Clock = deviceClock()): Door {
  const named = new URLSearchParams(name.split('?')[1] ?? '')
  const deadly = named.get('deadly') ?? ''
  named.delete('deadly')
  const wishes: Required<Steering> = {
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

  function wish(changes: Steering): void {
    // The time until now passed at the old rate
    since = { ...since, went: went(), passed: device.passed() }
    for (const [what, value] of Object.entries(changes)) {
      if (!Object.hasOwn(wishes, what)) throw new Error(`the door knows no ${what}`)
      if (!Number.isSafeInteger(value)) throw new Error(`the door expected a whole number for ${what}, got ${value}`)
      wishes[what as keyof Steering] = value
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

/** Denies storage as browsers do when all site data is blocked. */
function denyStorage(): void {
  const get = () => {
    throw new DOMException('the door denied storage', 'SecurityError')
  }
  Object.defineProperty(globalThis, 'indexedDB', { get })
}

/** Applies the settings to every write of this worker. */
function troubleStorage(wishes: Required<Steering>): void {
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

/** A transaction stays open while it has pending requests. */
function holdOpen(store: IDBObjectStore, until: number): void {
  store.count().onsuccess = () => {
    if (performance.now() < until) holdOpen(store, until)
  }
}
