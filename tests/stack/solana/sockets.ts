import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { toJson } from './bytes.ts'
import type { Chain } from './chain.ts'
import { RpcError } from './errors.ts'
import type { Faults } from './faults.ts'
import { failed, readRequest, succeeded } from './rpc.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions.ts'

/** The WebSocket side of a node: subscriptions only, as validators have it. */
export type Sockets = {
  /** serves upgrades of one HTTP server */
  attach(server: Server): void
  count(): number
  /** cuts every connection without a closing handshake */
  drop(): void
  /** closes with code 1000; any other code makes web3.js reconnect for ever */
  close(): Promise<void>
}

export function createSockets(chain: Chain, faults: Faults, counted: (method: string) => void): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024, perMessageDeflate: false })
  let lastId = 0

  const open = (socket: WebSocket) => {
    let muted = false
    const say = (text: string) => {
      if (!muted && socket.readyState === socket.OPEN) socket.send(text)
    }
    const subscriptions = createSubscriptions(chain, say, () => ++lastId)
    socket.on('error', () => {})
    socket.on('close', () => subscriptions.close())
    socket.on('message', data => {
      const text = String(data)
      const methods = answer(text, subscriptions, say)
      for (const method of methods) {
        counted(method)
        const fault = faults.take(method, ['drop', 'silent'])
        if (fault?.kind === 'drop') socket.terminate()
        if (fault?.kind === 'silent') muted = true
      }
    })
  }
  return {
    attach(http) {
      http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
        stream.on('error', () => {})
        const fault = faults.take('upgrade', ['status'])
        if (fault?.kind === 'status')
          return void stream.end(`HTTP/1.1 ${fault.status} Refused\r\nconnection: close\r\n\r\n`)
        server.handleUpgrade(request, stream, head, open)
      })
    },
    count: () => server.clients.size,
    drop() {
      for (const socket of server.clients) socket.terminate()
    },
    async close() {
      const sockets = [...server.clients]
      const gone = sockets.map(socket => new Promise<void>(resolve => socket.once('close', () => resolve())))
      for (const socket of sockets) socket.close(1000)
      const giveUp = setTimeout(() => sockets.forEach(socket => socket.terminate()), 1_000)
      await Promise.all(gone)
      clearTimeout(giveUp)
      server.close()
    },
  }
}

/** Answers one frame; returns the methods it named. Frames without an id, such as pings, get no answer. */
function answer(text: string, subscriptions: Subscriptions, say: (text: string) => void): string[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    say(toJson(failed(null, new RpcError(-32700, 'Parse error'))))
    return []
  }
  const request = readRequest(parsed)
  if ('error' in request) {
    say(toJson(request.error))
    return []
  }
  if (request.id === undefined) return []
  if (!subscriptions.knows(request.method)) {
    say(toJson(failed(request.id, new RpcError(-32601, 'Method not found'))))
    return [request.method]
  }
  try {
    const { result, after } = subscriptions.handle(request.method, request.params)
    say(toJson(succeeded(request.id, result)))
    after()
  } catch (error) {
    say(toJson(failed(request.id, error)))
  }
  return [request.method]
}
