/** Web Locks of one origin: first come, first served; the end of a life releases its locks and requests. */
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { lifeId, onKill } from './world.ts'

type Wish = { clientId: string; run(lock: Lock | null): unknown; give(): void; gone: boolean; lose(): void }

export function createLocks(): Locks {
  const held = new Map<string, Wish>()
  const queues = new Map<string, Wish[]>()

  function next(name: string): void {
    if (held.has(name)) return
    const queue = queues.get(name) ?? []
    for (let wish = queue.shift(); wish; wish = queue.shift()) {
      if (wish.gone) continue
      held.set(name, wish)
      return wish.give()
    }
  }

  function request(name: string, ...rest: unknown[]): Promise<unknown> {
    const run = rest.at(-1) as Wish['run']
    const options = (rest.length > 1 ? rest[0] : {}) as LockOptions
    return new Promise((resolve, reject) => {
      const wish: Wish = {
        clientId: lifeId(),
        run,
        gone: false,
        lose: () => reject(new DOMException('the lock was taken away', 'AbortError')),
        give() {
          const done = () => {
            if (held.get(name) === wish) held.delete(name)
            next(name)
          }
          const running = (async () => run({ name, mode: 'exclusive' } as Lock))()
          running.then(resolve, reject)
          void running.then(done, done)
        },
      }
      onKill(() => {
        wish.gone = true
        if (held.get(name) === wish) held.delete(name)
        next(name)
      })
      if (options.ifAvailable && held.has(name)) return void (async () => run(null))().then(resolve, reject)
      if (options.steal) {
        held.get(name)?.lose()
        held.set(name, wish)
        return wish.give()
      }
      const queue = queues.get(name) ?? []
      queue.push(wish)
      queues.set(name, queue)
      next(name)
    })
  }
  const query: Locks['query'] = async () => ({
    held: [...held].map(([name, { clientId }]) => ({ name, clientId, mode: 'exclusive' })),
  })
  return { request: request as Locks['request'], query }
}
