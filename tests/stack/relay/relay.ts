import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocketServer } from 'ws'
import { admit } from './admission.ts'
import { answerDoor } from './door.ts'
import { errorFrame, idDigits, readFrame, resultFrame } from './frame.ts'
import { garbageFrames } from './garbage.ts'
import { createMailbox } from './mailbox.ts'
import { compositeMethods, publishingMethods, runMethod } from './methods.ts'
import { createPeer, type Peer } from './peer.ts'
import { behaving, type Control, type Switches } from './switches.ts'

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
  const exchange = createExchange(now)
  const { control, state } = exchange
  const server = createServer((request, response) => void answerDoor(request, response, { control, state }))
  server.on('upgrade', (request, stream, head) => {
    const at = (server.address() as AddressInfo).port
    const hosts = [`127.0.0.1:${at}`, `localhost:${at}`, `${host}:${at}`, request.headers.host ?? '']
    exchange.upgrade(request, stream, head, hosts)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `ws://${host}:${bound}`,
    httpUrl: `http://${host}:${bound}`,
    port: bound,
    control,
    state,
    close: async () => {
      exchange.end()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** Sockets, mailbox and switches, without the listening server. */
function createExchange(now: () => number) {
  const mailbox = createMailbox(now)
  const peers = new Set<Peer>()
  const timers = new Set<NodeJS.Timeout>()
  const counted: Pick<RelayState, 'methods' | 'tags' | 'pushes' | 'acks' | 'refused' | 'lastRefusal'> = {
    methods: {},
    tags: {},
    pushes: 0,
    acks: 0,
    refused: 0,
    lastRefusal: null,
  }
  let switches: Switches = { ...behaving }
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4_000_000, autoPong: false })
  const pinging = setInterval(() => {
    if (!switches.silent) for (const { socket } of peers) socket.ping()
  }, 30_000)

  const world = {
    switches: () => switches,
    later: (ms: number, run: () => void): void => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
    },
    /** 19 digits and odd, so that a client which reads the id as a number echoes another one. */
    nextId: () => `${BigInt(now()) * 1_000_000n + BigInt((counted.pushes * 2 + 1) % 1_000_000)}`,
    onPush: () => {
      counted.pushes += 1
    },
  }

  /** Uses up one of a number of times. */
  const spend = (name: 'failPublishes' | 'loseAnswers'): boolean => {
    if (switches[name] === 0) return false
    switches = { ...switches, [name]: switches[name] - 1 }
    return true
  }
  const call = (peer: Peer, idText: string, name: string, params: unknown): void => {
    counted.methods[name] = (counted.methods[name] ?? 0) + 1
    const publishes = publishingMethods.includes(name)
    if (switches.refuseComposite && compositeMethods.includes(name)) {
      return peer.say(errorFrame(idText, -32601, `Method not found: ${name}`))
    }
    if (publishes && spend('failPublishes')) {
      return peer.say(errorFrame(idText, -32000, 'The relay cannot store messages at the moment'))
    }
    const outcome = runMethod(name, { clientId: peer.clientId, params, mailbox })
    if ('refusal' in outcome) return peer.say(errorFrame(idText, outcome.refusal.code, outcome.refusal.message))
    const { result, subscribe = [], unsubscribe = [], published = [] } = outcome
    for (const topic of subscribe) peer.topics.add(topic)
    for (const topic of unsubscribe) peer.topics.delete(topic)
    for (const { tag } of published) counted.tags[tag] = (counted.tags[tag] ?? 0) + 1
    if (!(publishes && spend('loseAnswers'))) peer.say(resultFrame(idText, result))
    for (const topic of subscribe) for (const message of mailbox.unread(peer.clientId, topic)) peer.push(message)
    for (const message of published) {
      for (const other of peers) {
        if (other.clientId !== peer.clientId && other.topics.has(message.topic)) other.push(message)
      }
    }
  }
  const hear = (peer: Peer, raw: RawData, binary: boolean): void => {
    if (switches.silent) return
    const frame = readFrame(binary ? '' : raw.toString())
    if (frame.kind === 'malformed') return peer.say(errorFrame(frame.idText, -32600, frame.reason))
    if (frame.kind === 'request') return call(peer, frame.idText, frame.method, frame.params)
    const digits = idDigits(frame.idText)
    if (digits !== undefined && !frame.failed && peer.acknowledged(digits)) counted.acks += 1
  }

  return {
    upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer, hosts: string[]): void => {
      stream.on('error', () => stream.destroy())
      const admission = admit(request, { switches, hosts, nowMs: now() })
      if (admission.kind === 'cut') return void stream.destroy()
      if (admission.kind !== 'open') {
        counted.refused += 1
        counted.lastRefusal = admission.reason
      }
      if (admission.kind === 'status401') {
        return void stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      }
      sockets.handleUpgrade(request, stream, head, socket => {
        socket.on('error', () => socket.terminate())
        if (admission.kind === 'close') return socket.close(admission.code, admission.reason.slice(0, 120))
        const peer = createPeer({ clientId: admission.clientId, socket }, world)
        peers.add(peer)
        socket.on('message', (raw, binary) => hear(peer, raw, binary))
        socket.on('ping', data => !switches.silent && socket.pong(data))
        socket.on('close', () => peers.delete(peer))
      })
    },
    control: ({ dropSockets, garbage, ...set }: Control): void => {
      switches = { ...switches, ...set }
      for (const { socket, topics } of garbage ? peers : []) {
        for (const frame of garbageFrames(garbage || true, [...topics][0])) socket.send(frame)
      }
      for (const { socket } of dropSockets || set.down ? [...peers] : []) {
        if (typeof dropSockets === 'number') socket.close(dropSockets, 'dropped by a switch')
        else socket.terminate()
      }
    },
    state: (): RelayState => {
      const topics: RelayState['topics'] = {}
      for (const [topic, messages] of mailbox.sizes()) topics[topic] = { subscribers: 0, messages }
      for (const topic of [...peers].flatMap(peer => [...peer.topics])) {
        const known = topics[topic] ?? { subscribers: 0, messages: 0 }
        topics[topic] = { ...known, subscribers: known.subscribers + 1 }
      }
      const clients = [...new Set([...peers].map(({ clientId }) => clientId))]
      return { sockets: peers.size, clients, topics, ...structuredClone(counted), switches: { ...switches } }
    },
    end: (): void => {
      clearInterval(pinging)
      for (const timer of timers) clearTimeout(timer)
      for (const { socket } of peers) socket.terminate()
      sockets.close()
    },
  }
}
