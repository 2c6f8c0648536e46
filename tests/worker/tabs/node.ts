/** A node before the stack's: busy until it answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @param behind address of the node that answers in the end */
export async function startNode(behind: string) {
  let isBusy = true
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      if (isBusy) return response.writeHead(503).end()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(behind, { method: 'POST', headers, body: Buffer.concat(chunks) })
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From here on it answers. */
    answer: () => void (isBusy = false),
    close: () => new Promise<void>(resolve => void (server.close(() => resolve()), server.closeAllConnections())),
  }
}
