import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { checkAuth } from './auth.ts'
import { errorFrame, idDigits, readFrame, resultFrame } from './frame.ts'
import { garbageFrames } from './garbage.ts'
import { createMailbox, type Message, subscriptionId } from './mailbox.ts'
import { compositeMethods, publishingMethods, runMethod } from './methods.ts'
import { behaving, type Control, readControl, type Switches } from './switches.ts'

/** What the relay tells about itself. `methods` and `tags` count calls and publications since the start. */
export type RelayState = {
  sockets: number
  clients: string[]
  /** By topic: how many sockets listen, how many messages wait. */
  topics: Record<string, { subscribers: number; messages: number }>
  methods: Record<string, number>
  tags: Record<string, number>
  pushes: number
  acks: number
  /** Sockets refused for their token or by a switch, and the last reason. */
  refused: number
  lastRefusal: string | null
  switches: Switches
}

/** A running relay. `url` is the WebSocket address, `httpUrl` the door with `POST /control` and `GET /state`. */
export type RelayStack = {
  url: string
  httpUrl: string
  port: number
  control(control: Control): void
  state(): RelayState
  close(): Promise<void>
}

type Peer = {
  clientId: string
  socket: WebSocket
  topics: Set<string>
  /** Pushes on this socket without an acknowledgement, by the digits of their id. */
  open: Map<string, Message>
  held: string[]
}

/**
 * Starts a WalletConnect relay on one port: sockets, mailbox, acknowledgements, and a door to make it misbehave.
 *
 * @param options.port 0 or absent takes any free port
 * @param options.now ms since the Unix epoch; tokens and times to live are judged by it
 * @throws the listening error, `EADDRINUSE` when the port is taken
 * @see WalletConnect specs, relay API
 */
export async function startRelay(
  options: { port?: number; host?: string; now?: () => number } = {},
): Promise<RelayStack> {
  const { port = 0, host = '127.0.0.1', now = Date.now } = options
  const mailbox = createMailbox(now)
  const peers = new Set<Peer>()
  const timers = new Set<NodeJS.Timeout>()
  const counted = {
    methods: {} as Record<string, number>,
    tags: {} as Record<string, number>,
    pushes: 0,
    acks: 0,
    refused: 0,
  }
  let lastRefusal: string | null = null
  let switches: Switches = { ...behaving }
  let pushCount = 0

  const later = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
  }
  const say = (peer: Peer, frame: string): void => {
    if (switches.silent) return
    const go = () => peer.socket.readyState === peer.socket.OPEN && peer.socket.send(frame)
    if (switches.delayMs > 0) later(switches.delayMs, go)
    else go()
  }
  /** Odd and 19 digits long, so that a client which reads it as a number echoes another one. */
  const nextPushId = (): string => `${BigInt(now()) * 1_000_000n + BigInt((pushCount++ * 2 + 1) % 1_000_000)}`

  const release = (peer: Peer): void => {
    for (const frame of peer.held.splice(0).reverse()) say(peer, frame)
  }
  const push = (peer: Peer, message: Message): void => {
    if (switches.silent) return
    const id = nextPushId()
    peer.open.set(id, message)
    const { topic, publishedAt, tag, attestation } = message
    const data = {
      topic,
      message: message.message,
      publishedAt,
      tag,
      ...(attestation === undefined ? {} : { attestation }),
    }
    const params = JSON.stringify({ id: subscriptionId(topic, peer.clientId), data })
    const frame = `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":${params}}`
    counted.pushes += 1
    if (switches.reorder) {
      peer.held.push(frame)
      if (peer.held.length > 1) release(peer)
      else later(60, () => release(peer))
    } else say(peer, frame)
    if (switches.duplicate) say(peer, frame)
  }

  const call = (peer: Peer, idText: string, name: string, params: unknown): void => {
    counted.methods[name] = (counted.methods[name] ?? 0) + 1
    const publishes = publishingMethods.includes(name)
    if (switches.refuseComposite && compositeMethods.includes(name)) {
      return say(peer, errorFrame(idText, -32601, `Method not found: ${name}`))
    }
    if (publishes && switches.failPublishes > 0) {
      switches = { ...switches, failPublishes: switches.failPublishes - 1 }
      return say(peer, errorFrame(idText, -32000, 'The relay cannot store messages at the moment'))
    }
    const outcome = runMethod(name, { clientId: peer.clientId, params, mailbox })
    if ('refusal' in outcome) return say(peer, errorFrame(idText, outcome.refusal.code, outcome.refusal.message))
    for (const topic of outcome.subscribe ?? []) peer.topics.add(topic)
    for (const topic of outcome.unsubscribe ?? []) peer.topics.delete(topic)
    for (const { tag } of outcome.published ?? []) counted.tags[tag] = (counted.tags[tag] ?? 0) + 1
    if (publishes && switches.loseAnswers > 0) switches = { ...switches, loseAnswers: switches.loseAnswers - 1 }
    else say(peer, resultFrame(idText, outcome.result))
    for (const topic of outcome.subscribe ?? []) {
      for (const message of mailbox.unread(peer.clientId, topic)) push(peer, message)
    }
    for (const message of outcome.published ?? []) {
      for (const other of peers) {
        if (other.clientId !== peer.clientId && other.topics.has(message.topic)) push(other, message)
      }
    }
  }

  const hear = (peer: Peer, raw: RawData, binary: boolean): void => {
    if (switches.silent) return
    const frame = readFrame(binary ? '' : raw.toString())
    if (frame.kind === 'malformed') say(peer, errorFrame(frame.idText, -32600, frame.reason))
    else if (frame.kind === 'request') call(peer, frame.idText, frame.method, frame.params)
    else {
      const digits = idDigits(frame.idText)
      const message = digits === undefined ? undefined : peer.open.get(digits)
      if (!message || frame.failed) return
      counted.acks += 1
      message.ackedBy.add(peer.clientId)
      peer.open.delete(digits as string)
    }
  }

  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4_000_000, autoPong: false })
  const refused = (reason: string): void => {
    counted.refused += 1
    lastRefusal = reason
  }
  const open = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    stream.on('error', () => stream.destroy())
    if (switches.down) return void stream.destroy()
    const url = new URL(request.url ?? '/', 'ws://relay')
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const at = (server.address() as AddressInfo).port
    const hosts = [...new Set([`127.0.0.1:${at}`, `localhost:${at}`, `${host}:${at}`, request.headers.host ?? ''])]
    const auth = checkAuth({ token: bearer ?? url.searchParams.get('auth') ?? '', hosts, nowMs: now() })
    const byCode = url.searchParams.get('useOnCloseEvent') === 'true'
    const refusal = switches.refuseAuth !== 'off' ? switches.refuseAuth : auth.ok ? undefined : byCode ? '3000' : '401'
    if (refusal === '401') {
      refused(auth.ok ? 'refused by a switch' : auth.reason)
      return void stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    }
    sockets.handleUpgrade(request, stream, head, socket => {
      socket.on('error', () => socket.terminate())
      if (refusal !== undefined || !auth.ok) {
        refused(auth.ok ? 'refused by a switch' : auth.reason)
        return socket.close(Number(refusal), auth.ok ? 'JWT validation error: refused' : auth.reason.slice(0, 120))
      }
      const peer: Peer = { clientId: auth.clientId, socket, topics: new Set(), open: new Map(), held: [] }
      peers.add(peer)
      socket.on('message', (raw, binary) => hear(peer, raw, binary))
      socket.on('ping', data => !switches.silent && socket.pong(data))
      socket.on('close', () => peers.delete(peer))
    })
  }

  const control = ({ dropSockets, garbage, ...set }: Control): void => {
    switches = { ...switches, ...set }
    if (garbage) {
      for (const peer of peers) for (const frame of garbageFrames(garbage, [...peer.topics][0])) peer.socket.send(frame)
    }
    for (const { socket } of dropSockets || set.down ? [...peers] : []) {
      if (typeof dropSockets === 'number') socket.close(dropSockets, 'dropped by a switch')
      else socket.terminate()
    }
  }
  const state = (): RelayState => {
    const topics: RelayState['topics'] = {}
    for (const [topic, messages] of mailbox.sizes()) topics[topic] = { subscribers: 0, messages }
    for (const topic of [...peers].flatMap(peer => [...peer.topics])) {
      topics[topic] = { messages: topics[topic]?.messages ?? 0, subscribers: (topics[topic]?.subscribers ?? 0) + 1 }
    }
    const clients = [...new Set([...peers].map(({ clientId }) => clientId))]
    return { sockets: peers.size, clients, topics, ...structuredClone(counted), lastRefusal, switches: { ...switches } }
  }

  const server = createServer((request, response) => void answerHttp(request, response, { control, state }))
  server.on('upgrade', open)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const pinging = setInterval(() => {
    if (!switches.silent) for (const { socket } of peers) socket.ping()
  }, 30_000)
  const bound = (server.address() as AddressInfo).port

  return {
    url: `ws://${host}:${bound}`,
    httpUrl: `http://${host}:${bound}`,
    port: bound,
    control,
    state,
    close: async () => {
      clearInterval(pinging)
      for (const timer of timers) clearTimeout(timer)
      for (const { socket } of peers) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { control, state }: Pick<RelayStack, 'control' | 'state'>,
) {
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'content-type',
    })
    response.end(JSON.stringify(body))
  }
  const path = new URL(request.url ?? '/', 'http://relay').pathname
  if (request.method === 'OPTIONS') return answer(200, {})
  if (request.method === 'GET' && path === '/state') return answer(200, state())
  if (request.method !== 'POST' || path !== '/control')
    return answer(404, { error: 'the relay has GET /state and POST /control' })
  let text = ''
  for await (const part of request) text += part
  const wanted = readControl(safeJson(text))
  if ('error' in wanted) return answer(400, wanted)
  control(wanted)
  return answer(200, state())
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
