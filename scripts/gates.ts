import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { filesIn } from '../src/main/replay/filesIn.ts'
import { type Addresses, connectOrigins } from './addresses.ts'
import { unlisted } from './listed.ts'
import { entryImports, uncheckedStarts } from './workerEntries.ts'

const text = /\.(?:html|js|css|json|svg|txt)$/

/** Patterns of development code, each with its meaning. */
const forbidden: [RegExp, string][] = [
  [/\/\/[#@] *sourceMappingURL=/, 'a source map comment'],
  [/\b(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1|\[::1\])/, 'an address of this machine'],
  [/__wallets\b|@stack\/|installed-wallet-confirm/, 'the installed wallet of the local stack'],
  [/tests\/stack/, 'a part of the local stack'],
  [/VITE_DOOR|clockOffsetMs/, 'the door for tests'],
  [/\.hot\.accept\(/, 'a part of the development server'],
  [/@@parts@@/, 'no list of its parts, only the mark for it'],
]

/** Folder of the replayer's scripts and worker, apart from the page's so that they share no file. */
export const replayerFolder = 'replayer'

/** Patterns of outside access and of the parts that use it; forbidden in the replayer's scripts. */
const waysOut: [RegExp, string][] = [
  [/\bWebSocket\b/, 'a socket'],
  [/\bfetch\s*\(|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b|\bRTCPeerConnection\b|\bWebTransport\b/, 'a call'],
  [/\bindexedDB\b|\blocalStorage\b|\bsessionStorage\b|\bcaches\.open\b/, 'a storage'],
  [/wallet-standard:|\bBroadcastChannel\b|\bnavigator\.locks\b|\bserviceWorker\b/, 'a driver of the page'],
  [/\bwrapKey\b|\bgenerateKey\b|\bimportKey\b/, 'a key store'],
  [/comlink|\bmai-core\b/i, 'the core’s worker'],
]

/** An unused default of rpc-websockets (in web3.js): every socket here is opened with its own address. */
const libraryDefault = 'ws://localhost:8080'

/**
 * Scans a finished build for content that must not be published.
 *
 * @param dist the folder of the build
 * @param addresses explicitly configured, hence allowed even on this machine
 * @returns one sentence for each finding, by file name
 */
export function gateFindings(dist: string, addresses: Addresses): string[] {
  // Ids are no addresses: cut out of a text, a short one would spoil its hashes
  const asked = [...Object.values(addresses), ...connectOrigins(addresses), libraryDefault].filter(value =>
    value.includes('/'),
  )
  const found = filesIn(dist).flatMap(file => {
    const name = relative(dist, file)
    if (/\.tsx?$/.test(name)) return [`${name} is an uncompiled source: a worker's address was built the wrong way`]
    if (name.endsWith('.map')) return [`${name} is a source map`]
    if (!text.test(name)) return []
    const whole = readFileSync(file, 'utf8')
    let content = whole
    for (const value of asked) content = content.replaceAll(value, '')
    const found = forbidden.filter(([sign]) => sign.test(content)).map(([, meaning]) => `${name} contains ${meaning}`)
    if (name.endsWith('.html')) found.push(...pageFindings(name, whole))
    if (name === 'replayer.html') found.push(...replayerFindings(content))
    if (name.startsWith(`${replayerFolder}${sep}`) && name.endsWith('.js')) {
      const ways = waysOut.filter(([sign]) => sign.test(content))
      found.push(...ways.map(([, meaning]) => `${name} contains ${meaning}: a replay can pay nobody and call nobody`))
    }
    return found
  })
  const isWhole = existsSync(join(dist, 'index.html'))
  return [...found, ...entryImports(dist), ...uncheckedStarts(dist), ...(isWhole ? unlisted(dist) : [])]
}

const importMapTag = '<script type="importmap">'

/** Inline code the strict headers would block, and tags without a hash. */
function pageFindings(name: string, html: string): string[] {
  const found: string[] = []
  for (const [tag] of html.matchAll(/<(?:script|link)\b[^>]*>/g)) {
    if (tag === importMapTag) continue
    const loads = tag.startsWith('<script') || /rel="(?:modulepreload|stylesheet)"/.test(tag)
    if (loads && !/ integrity="sha384-[\w+/=]{64}"/.test(tag)) found.push(`${name} has a tag without its hash: ${tag}`)
  }
  if (/<script(?![^>]*\ssrc=|\stype="importmap">)/.test(html)) found.push(`${name} has an inline script`)
  if (/<style\b|\sstyle="/.test(html)) found.push(`${name} has an inline style`)
  if (/\son[a-z]+="/.test(html)) found.push(`${name} has an inline event handler`)
  return found
}

/** The replayer loads only its own files and connects to nothing. */
function replayerFindings(html: string): string[] {
  const found: string[] = []
  for (const [, address = ''] of html.matchAll(/<(?:script|link)\b[^>]*?\s(?:src|href)="([^"]*)"/g)) {
    if (/^\.\/(?:replayer\/|baseline\.js$|icon\.svg$)/.test(address)) continue
    found.push(`replayer.html loads ${address}, which is not the replayer's own`)
  }
  if (!/content="connect-src (?:'|&#39;)none(?:'|&#39;)"/.test(html))
    found.push('replayer.html may connect to somebody')
  return found
}
