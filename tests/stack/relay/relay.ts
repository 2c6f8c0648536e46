import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocketServer } from 'ws'
import { admit } from './admission.ts'
import { answerDoor } from './door.ts'
import { errorFrame, idKey, readFrame, resultFrame } from './frame.ts'
import { garbageFrames } from './garbage.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { compositeMethods, publishingMethods, runMethod } from './methods.ts'
import { createPeer, type Peer } from './peer.ts'
import { behaving, type Control, type Switches } from './switches.ts'

/** State of the relay. `methods` and `tags` count calls and publications since the start. */
export type RelayState = {
  sockets: number
  clients: string[]
  /** By topic: number of subscribers and of stored messages. */
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

/** A running relay. `url` is the WebSocket address, `httpUrl` serves `POST /control` and `GET /state`. */
export type RelayStack = {
  url: string
  httpUrl: string
  port: number
  control(control: Control): void
  state(): RelayState
  /** State shared with a relay at another address. */
  network: Network
  close(): Promise<void>
}

/** Mailboxes and subscribers, shared by relays of one network as by the addresses of a public relay. */
export type Network = { mailbox: Mailbox; peers: Set<Peer> }

export type RelayOptions = {
  /** 0 or absent takes any free port */
  port?: number
  host?: string
  /** ms since the Unix epoch; tokens and times to live are judged by it */
  now?: () => number
  /** another relay's network; this one becomes its second address */
  network?: Network
  /** Receives every frame of a client, literally. */
  onFrame?: (frame: string, clientId: string) => void
}

/**
 * Starts a WalletConnect relay on one port: sockets, mailbox, acknowledgements, and a control endpoint for its faults.
 *
 * @throws the listening error, `EADDRINUSE` when the port is taken
 * @see WalletConnect specs, relay API
 */
export async function startRelay(options: RelayOptions = {}): Promise<RelayStack> {
  const { port = 0, host = '127.0.0.1', now = Date.now, onFrame = () => undefined } = options
  const network = options.network ?? { mailbox: createMailbox(now), peers: new Set<Peer>() }
  const exchange = createExchange({ now, network, onFrame })
  const { control, state } = exchange
  const hostsOf = (request: IncomingMessage): string[] => {
    const at = (server.address() as AddressInfo).port
    return [`127.0.0.1:${at}`, `localhost:${at}`, `${host}:${at}`, request.headers.host ?? '']
  }
  const refusal = (request: IncomingMessage) => exchange.refusal(request, hostsOf(request))
  const server = createServer((request, response) => void answerDoor(request, response, { control, state, refusal }))
  server.on('upgrade', (request, stream, head) => exchange.upgrade(request, stream, head, hostsOf(request)))
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
    network,
    close: async () => {
      exchange.end()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** Sockets and switches, without the listening server. */
function createExchange({ now, network, onFrame }: Required<Pick<RelayOptions, 'now' | 'network' | 'onFrame'>>) {
  const { mailbox, peers: everybody } = network
  /** peers connected at this address */
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
    /** Long ids are odd, so that a client that parses them as numbers echoes a different one. */
    nextId: () => {
      const { pushes } = counted
      if (switches.pushIds === 'text') return `"push-${pushes}"`
      if (switches.pushIds === 'short') return `${BigInt(now()) * 100n + BigInt(pushes % 100)}`
      return `${BigInt(now()) * 1_000_000n + BigInt((pushes * 2 + 1) % 1_000_000)}`
    },
    losesPush: () => spend('losePushes'),
    onPush: () => {
      counted.pushes += 1
    },
  }

  /** Consumes one of a counted fault. */
  const spend = (name: 'failPublishes' | 'loseAnswers' | 'failCalls' | 'loseCalls' | 'losePushes'): boolean => {
    if (switches[name] === 0) return false
    switches = { ...switches, [name]: switches[name] - 1 }
    return true
  }
  const isUnknown = (name: string, params: unknown): boolean =>
    (switches.refuseComposite && compositeMethods.includes(name)) ||
    (switches.refusePlainProposal && name === 'irn_publish' && (params as { tag?: unknown } | null)?.tag === 1100) ||
    switches.unknownMethods.includes(name)
  const call = (peer: Peer, idText: string, name: string, params: unknown): void => {
    if (spend('loseCalls')) return
    counted.methods[name] = (counted.methods[name] ?? 0) + 1
    const publishes = publishingMethods.includes(name)
    if (isUnknown(name, params)) return peer.say(errorFrame(idText, -32601, `Method not found: ${name}`))
    if (spend('failCalls')) return peer.say(errorFrame(idText, -32000, 'The relay is busy'))
    if (publishes && spend('failPublishes')) {
      return peer.say(errorFrame(idText, -32000, 'The relay cannot store messages at the moment'))
    }
    const limits = { batch: switches.batchLimit, fetch: switches.fetchPage }
    const outcome = runMethod(name, { clientId: peer.clientId, params, mailbox, limits })
    if ('refusal' in outcome) return peer.say(errorFrame(idText, outcome.refusal.code, outcome.refusal.message))
    const { result, subscribe = [], unsubscribe = [], published = [] } = outcome
    for (const topic of subscribe) peer.topics.add(topic)
    for (const topic of unsubscribe) peer.topics.delete(topic)
    for (const { tag } of published) counted.tags[tag] = (counted.tags[tag] ?? 0) + 1
    if (!switches.mute && !(publishes && spend('loseAnswers'))) peer.say(resultFrame(idText, result))
    for (const topic of subscribe) for (const message of mailbox.unread(peer.clientId, topic)) peer.push(message)
    for (const message of published) {
      for (const other of everybody) {
        if (other.clientId !== peer.clientId && other.topics.has(message.topic)) other.push(message)
      }
    }
  }
  const hear = (peer: Peer, raw: RawData, binary: boolean): void => {
    if (switches.silent) return
    const text = binary ? '' : raw.toString()
    onFrame(text, peer.clientId)
    const frame = readFrame(text)
    if (frame.kind === 'malformed') return peer.say(errorFrame(frame.idText, -32600, frame.reason))
    if (frame.kind === 'request') return call(peer, frame.idText, frame.method, frame.params)
    if (!frame.failed && peer.acknowledged(idKey(frame.idText))) counted.acks += 1
  }

  return {
    /** Token check of a request that is not an upgrade. */
    refusal: (request: IncomingMessage, hosts: string[]): number | 'cut' | undefined => {
      const admission = admit(request, { switches, hosts, nowMs: now() })
      if (admission.kind === 'cut') return 'cut'
      if (!switches.tellsStatus) return undefined
      return admission.kind === 'status' ? admission.status : undefined
    },
    upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer, hosts: string[]): void => {
      stream.on('error', () => stream.destroy())
      const admission = admit(request, { switches, hosts, nowMs: now() })
      if (admission.kind === 'cut') return void stream.destroy()
      if (admission.kind !== 'open') {
        counted.refused += 1
        counted.lastRefusal = admission.reason
      }
      if (admission.kind === 'status') {
        const status = admission.status === 401 ? '401 Unauthorized' : '403 Forbidden'
        return void stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      }
      sockets.handleUpgrade(request, stream, head, socket => {
        socket.on('error', () => socket.terminate())
        if (admission.kind === 'close') return socket.close(admission.code, admission.reason.slice(0, 120))
        const peer = createPeer({ clientId: admission.clientId, socket }, world)
        peers.add(peer)
        everybody.add(peer)
        socket.on('message', (raw, binary) => hear(peer, raw, binary))
        socket.on('ping', data => !switches.silent && socket.pong(data))
        socket.on('close', () => {
          peers.delete(peer)
          everybody.delete(peer)
        })
      })
    },
    control: ({ dropSockets, garbage, sparing, ...set }: Control): void => {
      switches = { ...switches, ...set }
      for (const { socket, topics, clientId } of garbage ? peers : []) {
        if (sparing?.split(',').includes(clientId)) continue
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
