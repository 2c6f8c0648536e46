import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { WebSocket } from 'ws'

/** One received push; `idText` is the literal text of its id. */
export type RawPush = { idText: string; id: string; topic: string; message: string; tag: number; frame: string }

/** A bare relay client that sends anything, for tests of the relay and of our client's counterpart. */
export type RawClient = {
  clientId: string
  /** Sends a request and resolves with its result. @throws Error with the relay's sentence and `code` on a refusal */
  call(method: string, params: unknown): Promise<unknown>
  /** The next push, in order of arrival. */
  push(): Promise<RawPush>
  ack(idText: string): void
  /** Sends any text or bytes. */
  say(frame: string | Buffer): void
  /** Resolves with the close code; 1006 when the socket was cut. */
  closed: Promise<number>
  close(): void
}

/** Overrides of the correct claims. */
export type Claims = { iss?: string; sub?: string; aud?: string; iat?: number; exp?: number }

/** Token of a client. Times are Unix seconds. */
export function relayToken({
  seed,
  aud,
  nowMs,
  claims = {},
}: {
  seed: Uint8Array
  aud: string
  nowMs: number
  claims?: Claims
}): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(nowMs / 1000)
  const right = { iss: didKey(seed), sub: randomBytes(32).toString('hex'), aud, iat, exp: iat + 86_400 }
  const signed = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part({ ...right, ...claims })}`
  return `${signed}.${Buffer.from(ed25519.sign(Buffer.from(signed), seed)).toString('base64url')}`
}

/** The client id that belongs to a seed. */
export function didKey(seed: Uint8Array): string {
  return `did:key:z${bs58.encode(Uint8Array.of(0xed, 0x01, ...ed25519.getPublicKey(seed)))}`
}

/** A seed made from a word, the same each time. */
export function seedOf(word: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(word).digest())
}

/**
 * Opens a socket.
 *
 * @param options.who seed word of the client's key
 * @param options.token overrides the correct one
 * @param options.query further query parameters, `&name=value`
 * @throws Error `relay refused the socket: HTTP 401` when the upgrade is answered with a status
 */
export async function connectRaw(options: {
  url: string
  who: string
  token?: string
  query?: string
}): Promise<RawClient> {
  const { url, who, query = '' } = options
  const token = options.token ?? relayToken({ seed: seedOf(who), aud: url, nowMs: Date.now() })
  const socket = new WebSocket(`${url}/?auth=${token}&projectId=${'0'.repeat(32)}${query}`)
  const closed = new Promise<number>(resolve => socket.on('close', resolve))
  const waiting = new Map<string, (frame: { result?: unknown; error?: { code: number; message: string } }) => void>()
  const arrived: RawPush[] = []
  const wanted: ((push: RawPush) => void)[] = []
  let calls = 0

  socket.on('message', raw => {
    const frame = raw.toString()
    const idText = /"id":\s*("[^"]*"|\d+)/.exec(frame)?.[1] ?? ''
    const value = JSON.parse(frame)
    if (value.method !== 'irn_subscription') return void waiting.get(idText)?.(value)
    const { id, data } = value.params
    const push = { idText, id, topic: data.topic, message: data.message, tag: data.tag, frame }
    const next = wanted.shift()
    if (next) next(push)
    else arrived.push(push)
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      reject(new Error(`relay refused the socket: HTTP ${response.statusCode}`))
    })
  })

  return {
    clientId: didKey(seedOf(who)),
    call: async (method, params) => {
      const id = JSON.stringify(`${Date.now()}${String(++calls).padStart(6, '0')}`)
      const answer = new Promise<{ result?: unknown; error?: { code: number; message: string } }>(resolve =>
        waiting.set(id, resolve),
      )
      socket.send(`{"id":${id},"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`)
      const { result, error } = await answer
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    push: () => {
      const first = arrived.shift()
      return first ? Promise.resolve(first) : new Promise(resolve => wanted.push(resolve))
    },
    ack: idText => socket.send(`{"id":${idText},"jsonrpc":"2.0","result":true}`),
    say: frame => socket.send(frame),
    closed,
    close: () => socket.close(1000),
  }
}
