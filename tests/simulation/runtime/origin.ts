/**
 * The workers of one origin in virtual time: their channels, locks and timers.
 *
 * 1. All that a worker opens belongs to it, and ends with it: a worker that has ended sends and hears nothing.
 * 2. A frozen worker hears its messages and timers when it thaws.
 * 3. A lock has one holder. It passes to the next worker when its holder releases it, ends, or loses it to a thief.
 */
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import type { Queue } from './queue.ts'

/** One worker of the origin. `frozenMs`: how long it still sleeps. */
export type Owner = { name: string; frozenMs(): number; isOver?: boolean }

type Wish = { owner: Owner; give(): void; lose(): void; isGone?: boolean }

const messageMs = 1

/** @param stolen hears that a worker takes a lock from its holder */
export function createOrigin(queue: Queue, stolen: (name: string, from: Owner, by: Owner) => void) {
  /** the worker whose code runs */
  let running: Owner | undefined
  const channels = new Map<string, Set<Channel>>()
  const held = new Map<string, Wish>()
  const waiting = new Map<string, Wish[]>()

  /** Runs a worker's code: the channels and timers that it opens at once are the worker's. */
  function enter<T>(owner: Owner, run: () => T): T {
    const before = running
    running = owner
    try {
      return run()
    } finally {
      running = before
    }
  }

  /** what frozen workers hear when they thaw, in its order */
  let asleep: { owner: Owner; run: () => void }[] = []
  queue.onThaw(wake)

  function wake(): void {
    const all = asleep
    asleep = []
    for (const { owner, run } of all) after(owner, 0, run)
  }

  function after(owner: Owner, ms: number, run: () => void): () => void {
    return queue.after(ms, 'outside', () => {
      if (owner.isOver) return
      const sleepMs = owner.frozenMs()
      if (sleepMs === 0) return enter(owner, run)
      if (asleep.length === 0) queue.after(sleepMs, 'outside', wake)
      asleep.push({ owner, run })
    })
  }

  class Channel extends EventTarget {
    readonly #name: string
    readonly #owner: Owner
    #heard: ((event: Event) => void) | null = null

    constructor(name: string) {
      super()
      if (!running) throw new Error(`the channel ${name} expected a worker that opens it`)
      this.#owner = running
      this.#name = name
      const all = channels.get(name)
      if (all) all.add(this)
      else channels.set(name, new Set([this]))
      this.addEventListener('message', event => this.#heard?.(event))
    }

    set onmessage(heard: ((event: Event) => void) | null) {
      this.#heard = heard
    }

    postMessage(message: unknown): void {
      if (this.#owner.isOver) return
      for (const other of channels.get(this.#name) ?? []) {
        if (other === this || other.#owner.isOver) continue
        const data: unknown = structuredClone(message)
        after(other.#owner, messageMs, () => {
          if (channels.get(other.#name)?.has(other)) other.dispatchEvent(new MessageEvent('message', { data }))
        })
      }
    }

    isOf(owner: Owner): boolean {
      return this.#owner === owner
    }

    close(): void {
      const all = channels.get(this.#name)
      all?.delete(this)
      if (all?.size === 0) channels.delete(this.#name)
    }
  }

  function next(name: string): void {
    if (held.has(name)) return
    const wishes = waiting.get(name) ?? []
    for (let wish = wishes.shift(); wish; wish = wishes.shift()) {
      if (wish.isGone) continue
      held.set(name, wish)
      return wish.give()
    }
  }

  function free(name: string, wish: Wish): void {
    if (held.get(name) !== wish) return
    held.delete(name)
    next(name)
  }

  function locksOf(owner: Owner): Locks {
    const request = (name: string, ...rest: unknown[]) => {
      const run = rest.at(-1) as (lock: object | null) => unknown
      const { ifAvailable, steal } = (rest.length > 1 ? rest[0] : {}) as LockOptions
      if (ifAvailable && held.has(name)) return Promise.resolve(run(null))
      return new Promise((resolve, reject) => {
        const wish: Wish = {
          owner,
          give() {
            const running = (async () => run({ name, mode: 'exclusive' }))()
            running.then(resolve, reject)
            const done = () => free(name, wish)
            void running.then(done, done)
          },
          lose: () => reject(new DOMException('the lock was taken away', 'AbortError')),
        }
        const holder = held.get(name)
        if (steal && holder) {
          stolen(name, holder.owner, owner)
          holder.lose()
          held.set(name, wish)
          return wish.give()
        }
        waiting.set(name, [...(waiting.get(name) ?? []), wish])
        next(name)
      })
    }
    const query: Locks['query'] = async () => ({
      held: [...held].map(([lock, wish]) => ({ name: lock, clientId: wish.owner.name, mode: 'exclusive' })),
    })
    return { request, query } as unknown as Locks
  }

  /** In place of the browser's own: timers of the origin's workers outlive the leader; any other belongs to the leader's core. */
  const { setTimeout, setInterval, clearInterval } = globalThis
  const timers = {
    setTimeout: (run: () => void, ms = 0, ...rest: unknown[]) =>
      running ? after(running, ms, run) : (setTimeout as (...all: unknown[]) => unknown)(run, ms, ...rest),
    setInterval(run: () => void, ms = 0) {
      const owner = running
      if (!owner) return setInterval(run, ms)
      let callOff = () => undefined as void
      const again = () => {
        callOff = after(owner, ms, () => {
          again()
          run()
        })
      }
      again()
      return () => callOff()
    },
    clearInterval: (one?: number | (() => void)) => (typeof one === 'function' ? one() : clearInterval(one)),
  }
  Object.assign(globalThis, { ...timers, BroadcastChannel: Channel })

  return {
    enter,
    locksOf,
    /** The worker ends, in whatever way: its locks are free. */
    end(owner: Owner): void {
      owner.isOver = true
      for (const all of waiting.values()) for (const wish of all) if (wish.owner === owner) wish.isGone = true
      for (const [name, wish] of held) if (wish.owner === owner) free(name, wish)
      for (const all of channels.values()) for (const one of all) if (one.isOf(owner)) one.close()
    },
  }
}
export type Origin = ReturnType<typeof createOrigin>
