/** A host unlike our own page: its own server without a policy, React 18, globals, text styles and a header over everything. */
import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { press, type Tab, until } from '../engines/tab.ts'

/** The folder of the embed on a host's server. */
const folder = '/shop/static/v3/mai/'
const packages = join(import.meta.dirname, '../../node_modules')

export type HostServer = { url: string; close(): Promise<void> }

/**
 * Serves a host's files and the embed. Pages of other origins may import from here, as from a CDN.
 * @param embed folder of the build
 * @param files text by path; `.js` is a script, all else a page
 */
export async function serveHost(embed: string, files: Record<string, string>): Promise<HostServer> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://host')
    const inEmbed = pathname.startsWith(folder) && /^[\w.-]+$/.exec(pathname.slice(folder.length))?.[0]
    const body = inEmbed ? readFileSync(join(embed, inEmbed)) : files[pathname]
    const type = pathname.endsWith('.js')
      ? 'text/javascript'
      : pathname.endsWith('.json')
        ? 'application/json'
        : 'text/html'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, 'access-control-allow-origin': '*' })
    response.end(body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const close = () =>
    new Promise<void>(done => {
      server.close(() => done())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** React's own files for pages without a bundler, by their path on the host's server. */
export function reactFiles(): Record<'/react.js' | '/react-dom.js', string> {
  const umd = (path: string) => readFileSync(join(packages, path), 'utf8')
  return {
    '/react.js': umd('react-18/umd/react.development.js'),
    '/react-dom.js': umd('react-dom-18/umd/react-dom.development.js'),
  }
}

/** @param installed script of the visitor's wallets */
export function serveStrangeHost(embed: string, installed: string): Promise<HostServer> {
  return serveHost(embed, {
    '/quill.js': installed,
    ...reactFiles(),
    '/host.js': reactHost(`${folder}embed.js`, watching),
    '/': page,
  })
}

const page = `<!doctype html><html dir="rtl"><title>Host</title><link rel="icon" href="data:,">
<style>
  html { font-size: 62.5% }
  * { letter-spacing: 2px; text-transform: uppercase; }
  button { all: unset !important; } .sheet, .button { display: none !important }
  header { position: fixed; inset: 0 0 auto; height: 40%; z-index: 2147483647; background: white }
</style>
<script>
  window.Buffer = 'the host’s Buffer'; window.process = 'the host’s process'; window.global = 'the host’s global'
</script>
<script src="/quill.js"></script><script src="/react.js"></script><script src="/react-dom.js"></script>
<header>Host</header><h1>Host</h1><div id="app"></div>
<script type="module" src="/host.js"></script>`

/**
 * Script of a host that React 18 draws in strict mode; the page has React and an element `app`. An output shows the account.
 *
 * @param entry address of the embed
 * @param more code that runs before the host is drawn
 */
export const reactHost = (entry: string, more = '') => `
import { createModal } from '${entry}'
const { createElement, StrictMode, useEffect, useState } = React
const host = { created: 0, root: undefined }
window.host = host
${more}
function App() {
  const [address, setAddress] = useState('')
  useEffect(() => {
    const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
    host.created += 1
    window.modal = createModal({ projectId: '00000000000000000000000000000001', metadata })
    const stop = window.modal.subscribe(({ account }) => setAddress(account.address ?? ''))
    return () => { stop(); window.modal.destroy() }
  }, [])
  return createElement('output', null, address)
}
host.root = ReactDOM.createRoot(document.getElementById('app'))
host.root.render(createElement(StrictMode, null, createElement(App)))
`

/** Counts the page's workers, and compares the host's own afterwards. */
const watching = `
const workers = new Set()
const { Worker } = window
window.Worker = class extends Worker {
  constructor(...args) { super(...args); workers.add(this) }
  terminate() { workers.delete(this); super.terminate() }
}
const outside = () => {
  const { fontSize, letterSpacing, direction } = getComputedStyle(document.querySelector('h1'))
  const { Buffer, process, global } = window
  return JSON.stringify([fontSize, letterSpacing, direction, Buffer, process, global, [...document.head.children].map(({ localName }) => localName)])
}
Object.assign(host, { workers: () => workers.size, outside, before: outside() })`

type Host = {
  created: number
  before: string
  workers(): number
  outside(): string
  root: { unmount(): void }
}
declare global {
  interface Window {
    host: Host
  }
}

/** The modal's life in the strange host: neither touches the other, and it leaves nothing behind. */
export async function liveInStrangeHost(tab: Pick<Tab, 'open' | 'run' | 'click'>, url: string): Promise<void> {
  await tab.open(url)
  // Strict mode runs each effect twice
  await until(tab, 'two modals, one after the other', () => window.host?.created === 2)
  expect(await tab.run(() => (window as unknown as { React: { version: string } }).React.version)).toMatch(/^18\./)
  await tab.run(() => void window.modal.open())
  await until(tab, 'the list', rendered, '[data-testid="wallet-row"][data-wallet="Quill"]')
  expect(await tab.run(looks)).toEqual({
    title: ['16px', '-0.16px', 'none', 'ltr'],
    foot: 'none',
    onTop: 'mai-modal',
    modals: 1,
  })
  await press(tab, '[data-testid="wallet-row"][data-wallet="Quill"]')
  await press(tab, '[data-testid="confirm-approve"]')
  await until(tab, 'the host to hear the account', () => document.querySelector('output')?.textContent)
  await tab.run(() => void window.modal.open('Account'))
  await until(tab, 'the account', rendered, '[data-testid="account-address"]')
  await press(tab, '[data-testid="modal-close"]')
  await until(
    tab,
    'no sheet',
    () => !document.querySelector('mai-modal')?.shadowRoot?.querySelector('.sheet')?.getClientRects().length,
  )
  expect(await tab.run(() => window.host.workers())).toBe(1)
  const [before, after] = await tab.run(() => [window.host.before, window.host.outside()])
  expect(after).toBe(before)
  await tab.run(() => window.host.root.unmount())
  await until(tab, 'nothing left', () => window.host.workers() === 0 && !document.querySelector('mai-modal'))
}

function rendered(css: string): boolean {
  return document.querySelector('mai-modal')?.shadowRoot?.querySelector(css) != null
}

function looks() {
  const root = document.querySelector('mai-modal')?.shadowRoot
  const title = getComputedStyle(root?.querySelector('[data-testid="modal-title"]') as Element)
  return {
    title: [title.fontSize, title.letterSpacing, title.textTransform, title.direction],
    foot: getComputedStyle(root?.querySelector('.sheet-foot') as Element).display,
    onTop: document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.localName,
    modals: document.querySelectorAll('mai-modal').length,
  }
}
