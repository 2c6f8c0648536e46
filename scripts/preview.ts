/**
 * Serves a finished build with its production headers.
 *
 *   node --import tsx scripts/preview.ts [--port 4173] [--dir dist]
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { dirname, extname, join, normalize, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { headersFile } from './build.ts'
import type { Headers } from './headers.ts'
import { freePort } from './ports.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

export type Site = { url: string; port: number; close(): Promise<void> }

/**
 * Static server on the loopback address.
 *
 * @param options.dir folder of the build, with its headers file
 * @param options.port 0 lets the system choose
 * @throws Error when the folder holds no build
 */
export async function serveSite({ dir, port }: { dir: string; port: number }): Promise<Site> {
  const folder = resolve(dir)
  const file = join(folder, headersFile)
  if (!existsSync(file)) throw new Error(`${dir} holds no build: run npm run build first.`)
  const headers = JSON.parse(readFileSync(file, 'utf8')) as Headers
  // Browsers ignore HSTS over plain http.
  delete headers['Strict-Transport-Security']
  const server = createServer((request, response) => answer({ request, response, folder, headers }))
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  const address = server.address()
  const open = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://127.0.0.1:${open}/`,
    port: open,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse; folder: string; headers: Headers }

function answer({ request, response, folder, headers }: Exchange): void {
  const send = (status: number, type: string, body: string | Buffer, cache = 'no-cache') => {
    response.writeHead(status, { ...headers, 'Content-Type': type, 'Cache-Control': cache })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
  const plain = 'text/plain; charset=utf-8'
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(405, plain, 'Only GET and HEAD are served here.')
  const path = fileOf(folder, request.url ?? '/')
  if (path === undefined) return send(404, plain, 'There is no such file in this build.')
  const hashed = /[.-][\w-]{8}\.(?:bundle\.)?[a-z0-9]+$/.test(path)
  const cache = hashed ? 'public, max-age=31536000, immutable' : 'no-cache'
  send(200, types[extname(path)] ?? 'application/octet-stream', readFileSync(path), cache)
}

/** Maps a request to a file; undefined when it is missing or outside the build. */
function fileOf(folder: string, url: string): string | undefined {
  let path: string
  try {
    path = decodeURIComponent(new URL(url, 'http://site').pathname)
  } catch {
    return undefined
  }
  if (path.includes('\0')) return undefined
  const file = normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path))
  if (!file.startsWith(folder + sep)) return undefined
  return existsSync(file) && statSync(file).isFile() ? file : undefined
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '4173' }, dir: { type: 'string', default: 'dist' } },
  })
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const wanted = Number(values.port)
  const port = await freePort(wanted)
  if (wanted !== 0 && port !== wanted) console.log(`Port ${wanted} is taken, using ${port}.`)
  const site = await serveSite({ dir: resolve(root, values.dir), port })
  console.log(
    `The production build, with its production headers:\n  page      ${site.url}\n  replayer  ${site.url}replayer.html`,
  )
  console.log('Ctrl-C ends it.')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site.close())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((problem: unknown) => {
    console.error(problem instanceof Error ? problem.message : problem)
    process.exitCode = 1
  })
}
