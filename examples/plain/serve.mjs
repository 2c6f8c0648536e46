/** Serves this folder, and the package's folder `embed` as `/mai/`. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.json': 'application/json' }
const files = { '/': './index.html', '/host.js': './host.js' }

const server = createServer(async ({ url }, response) => {
  const { pathname } = new URL(url, 'http://host')
  const embedded = /^\/mai\/([\w.-]+)$/.exec(pathname)?.[1]
  const path = embedded ? `./node_modules/mai-modal/embed/${embedded}` : files[pathname]
  const content = path && (await readFile(new URL(path, import.meta.url)).catch(() => undefined))
  response.writeHead(content ? 200 : 404, { 'content-type': types[extname(path ?? '')] ?? 'text/plain' })
  response.end(content)
})
server.listen(Number(process.env.PORT ?? 4173), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/`),
)
