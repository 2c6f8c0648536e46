/** Records every output of a core's life, and lets a test act as the network. */
import { inspect } from 'node:util'
import type { WebSocket } from 'ws'
import { BrowserSocket } from '../../browserSocket.ts'
import type { Places } from '../../events/spellings.ts'

type Answer = (url: string, body: string) => Response | undefined

/** Taps the console, the channels, the network and random numbers. `close` removes the taps. */
export function tap() {
  const said: string[] = []
  const posted: string[] = []
  const sent: string[] = []
  const sockets: WebSocket[] = []
  const keys: string[] = []
  const takenOff: (() => void)[] = []
  let answer: Answer = () => undefined
  let refuseSocket = false

  const put = <T extends object, K extends keyof T>(on: T, name: K, value: T[K]) => {
    const before = on[name]
    on[name] = value
    takenOff.push(() => (on[name] = before))
  }
  for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
    put(console, method, (...args: unknown[]) =>
      said.push(args.map(arg => (typeof arg === 'string' ? arg : inspect(arg, { depth: 12 }))).join(' ')),
    )
  }

  const { fetch: realFetch, WebSocket: RealSocket, BroadcastChannel: RealChannel } = globalThis
  put(globalThis, 'fetch', async (...[input, init]: Parameters<typeof fetch>) => {
    const url = input instanceof Request ? input.url : String(input)
    return answer(url, String(init?.body ?? '')) ?? realFetch(input, init)
  })
  put(
    globalThis,
    'BroadcastChannel',
    class extends RealChannel {
      override postMessage(message: unknown): void {
        posted.push(inspect(message, { depth: 30, maxStringLength: null, maxArrayLength: null, breakLength: Infinity }))
        super.postMessage(message)
      }
    },
  )
  class TappedSocket extends BrowserSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      if (refuseSocket) {
        refuseSocket = false
        // The beginning is enough: a sentence may be cut
        keys.push(new URL(address).searchParams.get('auth')?.slice(0, 60) ?? '')
        // In a browser's words
        throw new DOMException(
          `Failed to construct 'WebSocket': The URL '${String(address)}' is invalid.`,
          'SyntaxError',
        )
      }
      super(address, protocols)
      this.on('error', () => undefined)
      sockets.push(this)
      const send = this.send.bind(this) as (data: unknown) => void
      this.send = (data: unknown) => {
        sent.push(String(data))
        send(data)
      }
    }
  }
  put(globalThis, 'WebSocket', TappedSocket as unknown as typeof WebSocket & typeof RealSocket)

  const { crypto } = globalThis
  const random = crypto.getRandomValues.bind(crypto)
  put(crypto, 'getRandomValues', (<T extends ArrayBufferView>(into: T): T => {
    const made = random(into as never) as T
    const bytes = Buffer.from(made.buffer, made.byteOffset, made.byteLength)
    if (bytes.length === 32) keys.push(bytes.toString('hex'))
    return made
  }) as typeof crypto.getRandomValues)
  const { subtle } = crypto
  put(subtle, 'generateKey', (async (how: { name: string }, canLeave: boolean, uses: KeyUsage[]) => {
    const material = Buffer.from(random(new Uint8Array(32)))
    keys.push(material.toString('hex'))
    return subtle.importKey('raw', material, how.name, canLeave, uses)
  }) as typeof subtle.generateKey)

  return {
    said,
    posted,
    sent,
    /** Every draw of 32 random bytes, the vault's own key, and the beginning of each refused socket's credential. */
    keys,
    sockets,
    /** Answers of the network in place of the stack's. */
    answering(by: Answer): void {
      answer = by
    },
    /** The next socket's constructor throws. */
    refuseNextSocket(): void {
      refuseSocket = true
    },
    /** The newest socket gets a frame from the test. */
    push(frame: string): void {
      sockets.at(-1)?.emit('message', Buffer.from(frame), false)
    },
    /** The newest socket closes with this reason. */
    end(code: number, reason: string): void {
      const socket = sockets.at(-1)
      socket?.emit('close', code, Buffer.from(reason))
      socket?.terminate()
    },
    places: (): Places => ({
      console: said.join('\n'),
      channels: posted.join('\n'),
      frames: sent.join('\n'),
    }),
    close(): void {
      for (const takeOff of takenOff.splice(0).reverse()) takeOff()
    },
  }
}
export type Tap = ReturnType<typeof tap>

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

export type Row = { database: string; store: string; key: unknown; value: unknown }

/** Every row of every database on this device. */
export async function rows(): Promise<Row[]> {
  const found: Row[] = []
  for (const { name: database = '' } of await indexedDB.databases()) {
    const db = await done(indexedDB.open(database))
    for (const store of db.objectStoreNames) {
      const reading = db.transaction(store).objectStore(store)
      const [keys, values] = await Promise.all([done(reading.getAllKeys()), done(reading.getAll())])
      keys.forEach((key, at) => found.push({ database, store, key, value: values[at] as unknown }))
    }
    db.close()
  }
  return found
}

/** Rows as text: names, keys, every text, and byte arrays as text. */
export function rowText(found: readonly Row[]): string {
  const parts: string[] = []
  const take = (value: unknown): void => {
    if (value instanceof ArrayBuffer) parts.push(Buffer.from(value).toString('latin1'))
    else if (ArrayBuffer.isView(value))
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1'))
    else if (Array.isArray(value)) value.forEach(take)
    else if (typeof value === 'object' && value !== null && !(value instanceof CryptoKey))
      for (const [name, member] of Object.entries(value)) take([name, member])
    else parts.push(String(value))
  }
  for (const { database, store, key, value } of found) take([database, store, key, value])
  return parts.join('\n')
}
