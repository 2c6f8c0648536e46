import { createServer } from 'node:net'

/**
 * Finds the first free port on the loopback address, counting up.
 *
 * @param wanted first candidate; 0 lets the system choose
 * @param together number of consecutive free ports, such as 2 for a server whose socket is one port higher
 * @param taken ports reserved but not open yet
 * @throws Error when 200 ports in a row are taken
 */
export async function freePort(wanted: number, together = 1, taken: ReadonlySet<number> = new Set()): Promise<number> {
  let from = wanted === 0 ? await systemPort() : wanted
  for (let tries = 0; tries < 200; tries++, from++) {
    const ports = Array.from({ length: together }, (_, offset) => from + offset)
    const free = await Promise.all(ports.map(async port => !taken.has(port) && (await isFree(port))))
    if (free.every(Boolean)) return from
  }
  throw new Error(`no free port found among 200 from ${wanted} on`)
}

async function isFree(port: number): Promise<boolean> {
  // A server on the wildcard or the IPv6 address shadows the port for browsers that resolve localhost to it.
  for (const host of ['127.0.0.1', '::1', undefined]) {
    if (!(await canListen(port, host))) return false
  }
  return true
}

function canListen(port: number, host: string | undefined): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A machine without IPv6 lacks the address; the port is free all the same.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

function systemPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
