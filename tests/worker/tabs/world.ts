/**
 * A small browser worker: one life of the core with its own network and timers. A kill ends both at once; committed
 * data stays.
 */
import 'fake-indexeddb/auto'
import { AsyncLocalStorage } from 'node:async_hooks'
import { IDBFactory } from 'fake-indexeddb'
import { BrowserSocket } from '../../browserSocket.ts'

type Life = {
  id: string
  alive: boolean
  sockets: Set<BrowserSocket>
  timers: Set<NodeJS.Timeout>
  ends: (() => void)[]
  frozen?: (() => void)[]
}
const lives = new AsyncLocalStorage<Life>()
const realFetch = globalThis.fetch
const realTimeout = globalThis.setTimeout
const realInterval = globalThis.setInterval
const never = () => new Promise<never>(() => undefined)

class LivingSocket extends BrowserSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols)
    const life = lives.getStore()
    if (life?.alive === false) this.terminate()
    else life?.sockets.add(this)
  }
}

/** Separates the channels of test files, which run in threads of one process. */
const origin = crypto.randomUUID()

/** A browser's channel ends with its worker; messages of a dead one reach no listener. */
class LivingChannel extends BroadcastChannel {
  private isDead = false
  constructor(name: string) {
    super(`${origin} ${name}`)
    const life = lives.getStore()
    if (life?.alive === false) this.close()
    else life?.ends.push(() => this.die())
  }
  private die(): void {
    this.isDead = true
    this.close()
  }
  override postMessage(message: unknown): void {
    if (!this.isDead && lives.getStore()?.alive !== false) super.postMessage(message)
  }
  override addEventListener(type: string, hear: unknown): void {
    const life = lives.getStore()
    const listener = hear as (event: Event) => void
    super.addEventListener(type as 'message', event =>
      life?.frozen ? life.frozen.push(() => listener(event)) : listener(event),
    )
  }
  override set onmessage(hear: ((event: MessageEvent) => void) | null) {
    const life = lives.getStore()
    super.onmessage = hear && (event => (life?.frozen ? life.frozen.push(() => hear(event)) : hear(event)))
  }
}

/** Runs a task on the kill of the current life. */
export function onKill(task: () => void): void {
  lives.getStore()?.ends.push(task)
}

/** @returns whether this runs in a killed life, whose output reaches no listener */
export function isOfTheDead(): boolean {
  return lives.getStore()?.alive === false
}

/** @returns the browser's `clientId` of this life: the same for all of its locks */
export function lifeId(): string {
  return lives.getStore()?.id ?? 'none'
}

/** Gives every life its own network and timers from here on. */
export function install(): void {
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given: Parameters<typeof transaction>) {
    // A dead life writes nothing
    if (given[1] === 'readwrite' && lives.getStore()?.alive === false)
      throw new DOMException('this life is over', 'InvalidStateError')
    return transaction.apply(this, given)
  }
  Object.assign(globalThis, {
    WebSocket: LivingSocket,
    BroadcastChannel: LivingChannel,
    setInterval: (task: () => void, ms?: number) => {
      const life = lives.getStore()
      const timer = realInterval(() => life?.alive !== false && !life?.frozen && task(), ms)
      life?.ends.push(() => clearInterval(timer))
      return timer
    },
    fetch: (...args: Parameters<typeof fetch>) => (lives.getStore()?.alive === false ? never() : realFetch(...args)),
    setTimeout: Object.assign(
      (task: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
        const life = lives.getStore()
        const timer = realTimeout(() => {
          life?.timers.delete(timer)
          if (life?.frozen) life.frozen.push(() => task(...given))
          else if (life?.alive !== false) task(...given)
        }, ms)
        life?.timers.add(timer)
        return timer
      },
      { __promisify__: realTimeout.__promisify__ },
    ),
  })
}

/**
 * Runs a worker's start; everything it causes belongs to this life.
 * @param disk `own` gives the next life a copy of the committed data; `shared` when other lives use the same disk
 */
export async function live<T>(
  begin: () => Promise<T>,
  disk: 'own' | 'shared' = 'own',
): Promise<{ value: T; enter: <R>(run: () => R) => R; kill(): Promise<void>; freeze(): void; thaw(): void }> {
  const life: Life = { id: crypto.randomUUID(), alive: true, sockets: new Set(), timers: new Set(), ends: [] }
  const value = await lives.run(life, begin)
  return {
    value,
    /** Runs a later call of the test inside this life, so that a kill ends its effects too. */
    enter: run => lives.run(life, run),
    /** Timers and messages wait: a frozen tab holds its locks and sends nothing. */
    freeze() {
      life.frozen = []
    },
    thaw() {
      const waited = life.frozen ?? []
      delete life.frozen
      for (const task of waited) if (life.alive) lives.run(life, task)
    },
    /** Ends the life at once; the next one finds the committed data. */
    async kill() {
      life.alive = false
      for (const timer of life.timers) clearTimeout(timer)
      for (const socket of life.sockets) socket.terminate()
      if (disk === 'own') globalThis.indexedDB = await committed(indexedDB)
      for (const end of life.ends.splice(0)) end()
    },
  }
}

/** Replaces the disk by an empty one. */
export function emptyDisk(): void {
  globalThis.indexedDB = new IDBFactory()
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** @returns a copy of this disk's committed data; later writes to the old disk are lost */
async function committed(from: IDBFactory): Promise<IDBFactory> {
  const to = new IDBFactory()
  for (const { name = '', version = 1 } of await from.databases()) {
    const source = await done(from.open(name))
    const stores = [...source.objectStoreNames]
    const opening = to.open(name, version)
    opening.onupgradeneeded = () => {
      for (const store of stores) opening.result.createObjectStore(store)
    }
    const target = await done(opening)
    if (stores.length > 0) {
      const reading = source.transaction(stores)
      const all = await Promise.all(
        stores.map(async store => {
          const [keys, values] = await Promise.all([
            done(reading.objectStore(store).getAllKeys()),
            done(reading.objectStore(store).getAll()),
          ])
          return { store, keys, values }
        }),
      )
      const writing = target.transaction(stores, 'readwrite')
      await Promise.all(
        all.flatMap(({ store, keys, values }) =>
          keys.map((key, index) => done(writing.objectStore(store).put(values[index], key))),
        ),
      )
    }
    source.close()
    target.close()
  }
  return to
}
