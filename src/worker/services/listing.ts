/**
 * The wallet directory: its request and its validation. Entries come from outside and become text, links and image URLs on
 * a page that takes money, so every field is checked or dropped.
 * @see reference "HTTP APIs", §4.4
 */
import { recordOf } from '../../runtime/json/isRecord.ts'
import { Fault } from '../../runtime/failure.ts'
import type { ListedWallet } from '../../events/subjects/service/listingFacts.ts'
import { cleanText } from '../../events/values/text/cleanText.ts'
import { ownBrowserOf } from '../../events/values/ownBrowsers.ts'
import { modalSdk } from '../../events/values/modalSdk.ts'

/** A page of the directory; an empty `search` lists all. Pages count from 1. */
type ListingQuery = {
  page: number
  entries: number
  search: string
  include: string[]
  exclude: string[]
  /** only wallets with the service's badge */
  certified?: true
}

/**
 * The requesting host. `chains` are CAIP-2 ids; when given, only wallets of these networks are listed. `prefersUniversal`: a
 * wallet's universal link for messages comes before its app's own. `onPhone`: links open apps there, so that a wallet without
 * WalletConnect can open the page in its own browser.
 */
export type ListingHost = {
  configUrl: string
  projectId: string
  chains?: readonly string[]
  prefersUniversal?: boolean | undefined
  onPhone?: boolean | undefined
}

/** Decides which wallets a host lists, and by which links. */
type ListedFor = Pick<ListingHost, 'chains' | 'prefersUniversal' | 'onPhone'>

/** @returns the URL of a page of the directory */
export function listingUrl(host: ListingHost, ask: ListingQuery): string {
  const url = new URL(host.configUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/getWallets`
  const query: [string, string][] = [
    ['projectId', host.projectId],
    ['st', 'appkit'],
    ['sv', modalSdk],
    ['page', String(ask.page)],
    ['entries', String(ask.entries)],
    ['include', ask.include.join(',')],
    ['exclude', ask.exclude.join(',')],
    ['chains', host.chains?.join(',') ?? ''],
    ['search', ask.search.trim().slice(0, 100)],
    ['badge_type', ask.certified ? 'certified' : ''],
  ]
  for (const [name, value] of query) if (value !== '') url.searchParams.set(name, value)
  return url.href
}

/**
 * Reads a page, in the service's order. A malformed entry is dropped, and one that neither a code nor its own browser reaches; a
 * malformed link is dropped from its entry, duplicates count once.
 *
 * @param body the answer as JSON
 * @param host its `chains` drop wallets of other networks, whatever the service answers
 * @returns the service's total and the page's wallets, at most `entries`
 * @throws Fault `bad_response` when there is no list, or no wallet among its entries
 */
export function readListing(
  body: unknown,
  ask: Pick<ListingQuery, 'entries' | 'certified'>,
  host: ListedFor = {},
): { count: number; wallets: ListedWallet[] } {
  const { count, data } = recordOf(body)
  if (!Array.isArray(data)) {
    throw new Fault('bad_response', `the wallet directory expected a list under "data", got ${typeof data}`)
  }
  const entries = inOrder(data)
  if (entries.length > 0 && !entries.some(isEntry))
    throw new Fault('bad_response', 'the wallet directory expected wallets with an id and a name, got none')
  const wallets = new Map<string, ListedWallet>()
  for (const entry of entries) {
    if (wallets.size >= ask.entries) break
    const wallet = readWallet(entry, host)
    if (wallet && ask.certified && !wallet.certified) continue
    if (wallet && !wallets.has(wallet.walletId)) wallets.set(wallet.walletId, wallet)
  }
  const total = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : data.length
  return { count: total, wallets: [...wallets.values()] }
}

/** The service's own order; an entry without a place stands behind the others. */
function inOrder(data: unknown[]): Record<string, unknown>[] {
  const placeOf = ({ order }: Record<string, unknown>) => (typeof order === 'number' ? order : Number.MAX_VALUE)
  return data.map(recordOf).sort((one, other) => placeOf(one) - placeOf(other))
}

function isEntry({ id, name }: Record<string, unknown>): boolean {
  return idOf(id) !== undefined && nameOf(name) !== undefined
}

function idOf(value: unknown): string | undefined {
  return matching(value, /^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/)
}

function readWallet(
  entry: Record<string, unknown>,
  { chains, prefersUniversal, onPhone }: ListedFor,
): ListedWallet | undefined {
  const walletId = idOf(entry.id)
  const name = nameOf(entry.name)
  if (walletId === undefined || name === undefined) return undefined
  const isByCode = entry.supports_wc !== false
  if (!isByCode && !(onPhone && ownBrowserOf(walletId))) return undefined
  if (!servesOne(entry.chains, chains)) return undefined
  const [app, universal] = [appLink(entry.mobile_link), webLink(entry.link_mode)]
  return {
    walletId,
    name,
    ...present('imageId', matching(entry.image_id, /^[0-9A-Za-z][0-9A-Za-z-]{0,63}$/)),
    ...present('homepage', webLink(entry.homepage)),
    // A universal link takes a code as an app's own link does
    ...(isByCode && present('mobileLink', prefersUniversal ? (universal ?? app) : (app ?? universal))),
    ...present('desktopLink', appLink(entry.desktop_link)),
    ...present('webappLink', webLink(entry.webapp_link)),
    ...present('appStore', webLink(entry.app_store)),
    ...present('playStore', webLink(entry.play_store)),
    ...present('chromeStore', webLink(entry.chrome_store)),
    ...present('rdns', rdnsOf(entry.rdns)),
    certified: entry.badge_type === 'certified',
  }
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanText(value, 60) || undefined : undefined
}

/** A reversed host name: two to nine labels. */
function rdnsOf(value: unknown): string | undefined {
  const labels = typeof value === 'string' && value.length <= 600 ? value.split('.') : []
  const isName = labels.length >= 2 && labels.length <= 9 && labels.every(label => /^[0-9A-Za-z-]{1,63}$/.test(label))
  return isName ? (value as string) : undefined
}

function servesOne(listed: unknown, chains?: readonly string[]): boolean {
  if (!chains || chains.length === 0) return true
  return Array.isArray(listed) && listed.some(chain => chains.includes(chain as string))
}

const longestLink = 2048
// Schemes that run, embed or read something instead of opening an app, and plain http
const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'filesystem:',
  'http:',
])

/** @returns an `https` link without credentials; undefined for any other value */
export function webLink(value: unknown): string | undefined {
  const url = urlOf(value)
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined
}

/** An `https` link or an app's own scheme. */
function appLink(value: unknown): string | undefined {
  const url = urlOf(value)
  if (!url || refusedSchemes.has(url.protocol)) return undefined
  // An app's link is left as written: some apps compare it letter by letter
  return url.protocol === 'https:' ? webLink(value) : (value as string)
}

function urlOf(value: unknown): URL | undefined {
  if (
    typeof value !== 'string' ||
    value.length > longestLink ||
    !/^[A-Za-z][A-Za-z0-9+.-]*:[\x21-\x7e]*$/.test(value)
  ) {
    return undefined
  }
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

function present<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string })
}
