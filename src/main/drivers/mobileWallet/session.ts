/**
 * A session with a wallet app of this Android device.
 *
 * 1. A session opens the app once, by its link within the press, and ends with the task it was opened for.
 * 2. The app is asked only once it has answered the hello; before that nothing was asked, and the failure says so.
 * 3. A call without an answer fails when the app hangs up. Its outcome is unknown then.
 */
import { Fault } from '../../../runtime/failure.ts'
import { recordOf } from '../../../runtime/json/isRecord.ts'
import { readJson } from '../../../runtime/json/readJson.ts'
import type { withinTime } from '../../../runtime/withinTime.ts'
import { associationLink, type Cipher, makeAssociation, makeHello } from './cipher.ts'

export type AppSession = {
  /** The app speaks the protocol's first version, in which some methods have other names. */
  isLegacy: boolean
  /** @throws an Error with the app's `code`: 4001 for a person's refusal */
  call(method: string, params: object): Promise<Record<string, unknown>>
}

export type SessionPorts = {
  /** Has the device open a link, within the press. */
  open(link: string): void
  makeSocket(url: string, protocol: string): WebSocket
  /** Resolves after `ms`. */
  rest(ms: number): Promise<void>
  /** Gives an answer a deadline. */
  within: typeof withinTime
}

const protocol = 'com.solana.mobilewalletadapter.v1'
/** Rests between attempts to reach the app, which starts meanwhile, ms: about 30 s in all. */
const rests = [150, 150, 200, 500, 500, 750, 750, ...Array.from({ length: 27 }, () => 1000)]
/** First of the free ports above those that Linux gives to outgoing sockets, and their number. */
const [firstPort, ports] = [61_000, 4536]
/** For the answer to the hello: another program may listen at the port, ms. */
const helloMs = 10_000

/** Opens a wallet app, runs the task with it, and hangs up. @throws Fault `wallet_gone` when no app answers */
export async function withSession<T>(outside: SessionPorts, task: (session: AppSession) => Promise<T>): Promise<T> {
  const association = await makeAssociation()
  const port = firstPort + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % ports)
  outside.open(associationLink(association, port))
  const line = await reach(outside, `ws://localhost:${port}/solana-wallet`)
  try {
    const hello = await makeHello(association)
    const answer = await outside.within(greet(line, hello.message), helloMs, () => {
      throw new Fault('wallet_gone', `the wallet app expected to answer within ${helloMs / 1000} s, it did not`)
    })
    const { cipher, rest } = await hello.read(answer).catch(() => {
      throw new Fault('bad_response', 'the wallet app expected to answer with its key, sent something else')
    })
    const version = rest.length === 0 ? 'legacy' : String((await opened(cipher, rest)).v)
    if (!['legacy', '1', 'v1'].includes(version))
      throw new Fault('unsupported', 'the wallet app expected version 1 of its protocol, it has another')
    return await task({ isLegacy: version === 'legacy', call: createCall(line, cipher) })
  } finally {
    line.close()
  }
}

/** @returns the app's answer to the hello; an empty one asks for it again */
async function greet(line: Line, hello: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  for (;;) {
    line.send(hello)
    const answer = await line.next()
    if (answer.length > 0) return answer
  }
}

/** One call at a time: JSON-RPC 2.0 with counted ids. */
function createCall(line: Line, cipher: Cipher): AppSession['call'] {
  let calls = 0
  return async (method, params) => {
    const id = (calls += 1)
    line.send(await cipher.seal(JSON.stringify({ jsonrpc: '2.0', id, method, params })))
    const answer = await opened(cipher, await line.next())
    if (answer.id !== id)
      throw new Fault('bad_response', `the wallet app expected to answer call ${id}, answered another`)
    if (answer.error === undefined) return recordOf(answer.result)
    const { code } = recordOf(answer.error)
    // -1: not authorised, -3: not signed; both are the person's word
    const own = code === -1 || code === -3 ? 4001 : code
    throw Object.assign(new Error('the wallet app refused'), { code: own })
  }
}

/** @throws Fault `bad_response` for a message that is not the next, or whose text is no JSON within the limits */
async function opened(cipher: Cipher, message: Uint8Array<ArrayBuffer>): Promise<Record<string, unknown>> {
  return recordOf(readJson(await cipher.open(message), { name: 'the wallet app’s message' }))
}

type Line = { send(bytes: Uint8Array<ArrayBuffer>): void; next(): Promise<Uint8Array<ArrayBuffer>>; close(): void }

async function reach({ makeSocket, rest }: SessionPorts, url: string): Promise<Line> {
  for (const ms of rests) {
    const line = await connected(makeSocket(url, protocol))
    if (line) return line
    await rest(ms)
  }
  throw new Fault('wallet_gone', 'no wallet app of this device answered')
}

/** @returns the open socket as a line of whole messages; undefined when nothing listens */
function connected(socket: WebSocket): Promise<Line | undefined> {
  socket.binaryType = 'arraybuffer'
  const heard: Uint8Array<ArrayBuffer>[] = []
  let waits: { resolve(message: Uint8Array<ArrayBuffer>): void; reject(cause: Error): void } | undefined
  let isOver = false
  const hungUp = () => new Error('the wallet app hung up')
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return socket.close()
    const message = new Uint8Array(data)
    if (waits) waits.resolve(message)
    else heard.push(message)
    waits = undefined
  })
  return new Promise(resolve => {
    socket.addEventListener('open', () =>
      resolve({
        send: bytes => socket.send(bytes),
        close: () => socket.close(),
        next: () =>
          new Promise((take, reject) => {
            const message = heard.shift()
            if (message) take(message)
            else if (isOver) reject(hungUp())
            else waits = { resolve: take, reject }
          }),
      }),
    )
    socket.addEventListener('close', () => {
      isOver = true
      waits?.reject(hungUp())
      resolve(undefined)
    })
  })
}
