import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers one HTTP request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Listens on a port and the one above it; with port 0 tries until two free neighbours are found. */
export async function listenOnPair(listener: Listener, port: number, host: string): Promise<[Server, Server]> {
  for (let tries = 0; ; tries++) {
    const first = await listening(listener, port, host)
    try {
      return [first, await listening(listener, (first.address() as AddressInfo).port + 1, host)]
    } catch (error) {
      await ended(first)
      if (port !== 0 || tries > 50) throw error
    }
  }
}

function listening(listener: Listener, port: number, host: string): Promise<Server> {
  // Node's five seconds race with sockets that clients reuse after a pause.
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 80_000 }, listener)
  server.on('clientError', (_error, socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

/** Ends a server and its connections. */
export function ended(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
