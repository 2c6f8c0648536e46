/** The engine's own clock and threads, replaced while a world runs on promises. */
import type { Queue } from './queue.ts'

let queue: Queue | undefined

/** Timers belong to the worker of this world from now on. */
export function timersOf(own: Queue): void {
  queue = own
}

/**
 * Puts the browser's timers in virtual time, makes sums at once instead of in another thread, and brings key ranges where the
 * engine has none. In place until `undo`.
 */
export function inVirtualTime(sha256: (bytes: Uint8Array) => Uint8Array): { turn(): Promise<void>; undo(): void } {
  const { setTimeout, clearTimeout, setInterval, clearInterval, BroadcastChannel } = globalThis
  const digest = Object.getOwnPropertyDescriptor(crypto.subtle, 'digest')
  const lacksRanges = !('IDBKeyRange' in globalThis)
  const lowerBound = (lower: number, open = false) => ({
    includes: (key: number) => (open ? key > lower : key >= lower),
  })
  if (lacksRanges) Object.assign(globalThis, { IDBKeyRange: { lowerBound } })
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0) => queue?.after(ms, 'worker', run),
    // Timers from before the world are the engine's
    clearTimeout: (timer?: (() => void) | number) => (typeof timer === 'function' ? timer() : clearTimeout(timer)),
  })
  Object.defineProperty(crypto.subtle, 'digest', {
    configurable: true,
    value: async (_name: string, bytes: Uint8Array) => sha256(bytes).buffer,
  })
  const { port1, port2 } = new MessageChannel()
  return {
    /** Resolves once every promise that can go on has gone on. */
    turn: () =>
      new Promise(resolve => {
        port1.onmessage = () => resolve()
        port2.postMessage(null)
      }),
    undo() {
      port1.close()
      queue = undefined
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, BroadcastChannel })
      if (lacksRanges) Reflect.deleteProperty(globalThis, 'IDBKeyRange')
      if (digest) Object.defineProperty(crypto.subtle, 'digest', digest)
      else Reflect.deleteProperty(crypto.subtle, 'digest')
    },
  }
}

/** @returns a promise of code that promises under way load in real time; they go on before it resolves */
export async function loadedLate(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  // By the next turn they have asked for it
  await new Promise<void>(resolve => {
    port1.onmessage = () => resolve()
    port2.postMessage(null)
  })
  port1.close()
  await import('../../../src/runtime/journal/repairLog.ts')
  await import('../../../src/runtime/journal/retention.ts')
}
