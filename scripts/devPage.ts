/** The page on Vite's development server, with installed wallets. */
import { createServer, type Plugin } from 'vite'
import { devConfig } from '../vite.config.ts'
import type { Addresses } from './addresses.ts'
import { freePort } from './ports.ts'

const pagePort = 5173

/**
 * @param addresses services of the page
 * @param walletScript source of the installed wallets
 * @returns the page's address, ending in `/`
 */
export async function startPage(
  addresses: Addresses,
  walletScript: string,
): Promise<{ url: string; close(): Promise<void> }> {
  // A build in this process, such as the wallet page's, leaves it at `production`
  process.env.NODE_ENV = 'development'
  const port = await freePort(pagePort)
  if (port !== pagePort) console.log(`Port ${pagePort} (page) is taken, using ${port}.`)
  const config = devConfig({ addresses, plugins: [installedWallet(walletScript)] })
  const server = await createServer({ ...config, server: { ...config.server, port, strictPort: true } })
  await server.listen()
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

/** Serves the wallet script from the page's own origin, as the strict headers require, ahead of every other script. */
function installedWallet(script: string): Plugin {
  const path = '/@stack/installed-wallet.js'
  return {
    name: 'installed-wallet',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use(path, (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
        for (const [name, value] of Object.entries(server.config.server.headers ?? {}))
          response.setHeader(name, value ?? '')
        response.end(script)
      })
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: path }, injectTo: 'head-prepend' }],
  }
}
