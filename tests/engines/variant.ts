/** Copies of the published page that run a script first: drivers of WebKit have no such scripts. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModalConfig } from '../../src/main/embed/config/hostConfig.ts'
import type { JourneySite } from '../stack/site.ts'

/**
 * Writes a copy of the page, with the policy and the hashes of the published one.
 * @param name of its files
 * @param script runs before any other script, in the page and in its worker
 * @returns the page's address
 */
export function variantOf(site: JourneySite, name: string, script: string): string {
  const entry = readdirSync(join(site.dir, 'assets')).find(file => /^worker-[\w-]+\.js$/.test(file))
  if (entry === undefined) throw new Error('expected the entry of a worker among the assets, there is none')
  const write = (file: string, text: string) => writeFileSync(join(site.dir, file), text)
  write(`${name}.js`, `${script}\n${otherWorker(entry, `${name}-worker.js`)}`)
  write(`${name}-worker.js`, `import './${name}.js'\nimport './assets/${entry}'\n`)
  const page = readFileSync(join(site.dir, 'index.html'), 'utf8')
  write(`${name}.html`, page.replace('<head>', `<head><script src="/${name}.js"></script>`))
  return `${site.url}${name}.html`
}

/**
 * Writes a host's page beside the published one, so that it comes with the same headers: a strict policy and Trusted Types.
 *
 * @param name of its files
 * @param script of the host
 * @param before scripts that run before, text by path
 * @returns the page's address
 */
export function hostUnderPolicy(site: JourneySite, name: string, script: string, before: Record<string, string> = {}) {
  const write = (path: string, text: string) => writeFileSync(join(site.dir, path), text)
  for (const [path, text] of Object.entries(before)) write(path, text)
  write(`${name}.js`, script)
  const first = Object.keys(before).map(path => `<script src="${path}"></script>`)
  const page = [...first, `<script type="module" src="/${name}.js"></script>`, '<h1>Host</h1><div id="app"></div>']
  write(`${name}.html`, `<!doctype html><title>Host</title>${page.join('')}`)
  return `${site.url}${name}.html`
}

/** Script of a host that keeps its modal in the window. */
export const plainHost = (config: Partial<ModalConfig> = {}) => `
import { createModal } from '/embed/embed.js'
const metadata = { name: 'Host', description: '', url: location.origin, icons: [] }
const config = { projectId: '00000000000000000000000000000001', metadata, ...${JSON.stringify(config)} }
window.modal = createModal(config)`

/** Starts another file in place of the worker's entry: through the page's policy for script addresses where there is one. */
const otherWorker = (entry: string, file: string) => `
if (globalThis.document && globalThis.Worker) {
  const instead = url => (String(url).endsWith('/${entry}') ? new URL('/${file}', location.origin).href : url)
  if (globalThis.trustedTypes) {
    const { createPolicy } = TrustedTypePolicyFactory.prototype
    TrustedTypePolicyFactory.prototype.createPolicy = function (name, rules) {
      return createPolicy.call(this, name, { ...rules, createScriptURL: url => instead(rules.createScriptURL(url)) })
    }
  } else {
    globalThis.Worker = class extends Worker {
      constructor(url, options) {
        super(instead(url), options)
      }
    }
  }
}`

/** Script of a page whose clocks, and those of its worker, go forward when they are told to. */
export const steered = `{
  const { now } = Date, passed = performance.now
  let ahead = 0
  Date.now = () => now() + ahead
  performance.now = () => passed.call(performance) + ahead
  new BroadcastChannel('clocks').onmessage = ({ data }) => { ahead = data }
}`

/** Scripts that take a part of the browser away. */
export const withheld = {
  'no-indexeddb': "Object.defineProperty(globalThis, 'indexedDB', { value: undefined })",
  'no-storage': `{
    const refused = () => { throw new DOMException('The operation is insecure.', 'SecurityError') }
    for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches'])
      if (name in globalThis) Object.defineProperty(globalThis, name, { get: refused })
    globalThis.BroadcastChannel = class { constructor() { refused() } }
    LockManager.prototype.request = async () => refused()
  }`,
  'no-curves': `for (const method of ['generateKey', 'importKey']) {
    const native = SubtleCrypto.prototype[method]
    SubtleCrypto.prototype[method] = async function (...args) {
      if (args.some(one => /25519/.test(one?.name ?? one))) throw new DOMException('', 'NotSupportedError')
      return native.apply(this, args)
    }
  }`,
  'no-module-workers': `{
    Object.defineProperty(globalThis, 'trustedTypes', { value: undefined })
    Object.defineProperty(globalThis, 'Worker', { value: class { terminate() {} } })
  }`,
  'no-locks': "Object.defineProperty(navigator, 'locks', { value: undefined })",
} satisfies Record<string, string>
