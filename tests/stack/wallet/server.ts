import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildKey } from './buildKey.ts'
import type { TokenNames } from './describe.ts'
import type { PageConfig } from './page/config.ts'

const pageRoot = fileURLToPath(new URL('./page/', import.meta.url))

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** The wallet page being served. `url` has no slash at its end. */
export type WalletPage = { url: string; port: number; close(): Promise<void> }

/**
 * Serves the wallet page: the official wallet kit with a Solana key. Built once; the build holds no address, the page reads
 * them from `/config.json`. Its query string holds switches, see `page/switches.ts`; `/wc?uri=` pairs at once, like a deep
 * link.
 *
 * @param options.cacheDir folder for builds, one per state of the sources
 * @param options.tokens token names by mint, for balances and requests
 * @throws the listening error, `EADDRINUSE` when the port is taken
 */
export async function startWalletPage(options: {
  port?: number
  host?: string
  relayUrl: string
  verifyUrl: string
  projectId: string
  rpcUrl: string
  cacheDir: string
  tokens?: TokenNames
}): Promise<WalletPage> {
  const { port = 0, host = '127.0.0.1', relayUrl, verifyUrl, projectId, rpcUrl, cacheDir, tokens = {} } = options
  const folder = await builtPage(cacheDir)
  const config: PageConfig = { relayUrl, verifyUrl, projectId, rpcUrl, tokens }
  // The policy blocks everything outside the stack, so that the kit's attempts fail at once instead of waiting for a network.
  const reach = ["'self'", ...[relayUrl, rpcUrl, verifyUrl].map(url => new URL(url).origin)].join(' ')
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src ${reach}; base-uri 'none'; frame-ancestors 'none'`
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://wallet').pathname
    response.setHeader('content-security-policy', policy)
    response.setHeader('cache-control', 'no-store')
    if (path === '/config.json')
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(config))
    const file = join(folder, path === '/' || path === '/wc' ? 'index.html' : normalize(path))
    const found = file.startsWith(join(folder, '/')) && (await stat(file).catch(() => undefined))?.isFile()
    if (!found) return response.writeHead(404, { 'content-type': 'text/plain' }).end(`The wallet has no page ${path}\n`)
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    return createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The folder with the built page, built if missing for these sources. Of two concurrent builders one wins. */
async function builtPage(cacheDir: string): Promise<string> {
  const folder = join(cacheDir, `wallet-page-${await buildKey(['tests/stack/wallet'])}`)
  if (await isFolder(folder)) return folder
  const making = `${folder}.${process.pid}`
  await mkdir(cacheDir, { recursive: true })
  // Imported late: most runs find the build
  const { build } = await import('vite')
  await build({
    root: pageRoot,
    configFile: false,
    logLevel: 'error',
    base: './',
    cacheDir: join(cacheDir, 'vite-wallet'),
    build: {
      outDir: making,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      modulePreload: { polyfill: false },
    },
  })
  await rename(making, folder).catch(async problem => {
    await rm(making, { recursive: true, force: true })
    if (!(await isFolder(folder))) throw problem
  })
  return folder
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}
