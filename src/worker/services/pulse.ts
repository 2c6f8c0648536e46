/**
 * The analytics service: its requests. Events pass the sanitizer here, the last step before they leave.
 * @see reference "HTTP APIs", §5
 */
import { type AnalyticsOptions, eventCatalogue } from '../../events/analytics/catalogue.ts'
import { type PulseEvent, sanitizeEvent } from '../../events/analytics/sanitize.ts'
import type { ErrorCategory } from '../../events/analytics/categories.ts'
import type { WaitingEvent } from '../../events/subjects/service/analytics.ts'
import { maskedWithin } from '../../events/analytics/maskText.ts'
import { Fault } from '../../runtime/failure.ts'
import { isoOf } from '../../events/values/isoOf.ts'

/** The page that sends, and the service. */
export type PulseHost = {
  pulseUrl: string
  projectId: string
  /** as `html-solana-1.7.19` */
  version?: string
  /** `location.href` of the page */
  pageUrl: string
}

/**
 * @param genesisHash names the network, as far as it is known
 * @param page its project, and the host's options; the page's own network comes before those of the host
 * @returns the event as the service knows it
 * @throws Fault `bad_input` for an event that the catalogue does not have
 */
export function pulseEventOf(
  waiting: WaitingEvent,
  genesisHash: string,
  { projectId, options }: { projectId: string; options: AnalyticsOptions },
): PulseEvent {
  const { eventId, at, event, way, ...more } = waiting
  const details = way === undefined ? more : { ...more, platform: way }
  if (details.errorType !== undefined)
    return { type: 'error', eventId, at, category: event as ErrorCategory, ...details }
  if (!Object.hasOwn(eventCatalogue, event))
    throw new Fault('bad_input', `analytics expected an event of the catalogue, got ${event.slice(0, 60)}`)
  const own = genesisHash === '' ? undefined : `solana:${genesisHash.slice(0, 32)}`
  const networks = [...new Set([...(own === undefined ? [] : [own]), ...options.networks])]
  const properties = event === 'INITIALIZE' ? { ...options, networks } : { ...details, projectId }
  const caipNetworkId = own !== undefined && { caipNetworkId: own }
  // The sanitizer lets only what fits the catalogue pass
  return { type: 'track', eventId, at, event, properties, ...caipNetworkId } as PulseEvent
}

/** The version that services expect of a page that set none. */
const unsetVersion = 'html-wagmi-4.2.2'

/** A request: its URL, and its body, JSON as text. */
type PulseRequest = { url: string; body: string }

/** @returns the request that sends one event */
export function pulseRequest(host: PulseHost, event: PulseEvent): PulseRequest {
  return { url: pulseUrl(host, 'e'), body: JSON.stringify(bodyOf(host, event)) }
}

/** Largest body of a beacon, bytes: browsers go on with 64 KiB at a time after a page has closed. */
const maxBeaconBytes = 45_000

/**
 * The request that is sent as a page goes: a list of bodies, with as many of the oldest events as fit into 45,000 bytes.
 *
 * @returns the request and how many events it has; undefined without events
 */
export function pulseBeacon(
  host: PulseHost,
  events: readonly PulseEvent[],
): (PulseRequest & { count: number }) | undefined {
  const encoder = new TextEncoder()
  const bodies: string[] = []
  let bytes = 1
  for (const event of events) {
    const body = JSON.stringify(bodyOf(host, event))
    bytes += encoder.encode(body).length + 1
    if (bytes > maxBeaconBytes) break
    bodies.push(body)
  }
  if (bodies.length === 0) return undefined
  return { url: pulseUrl(host, 'batch'), body: `[${bodies.join(',')}]`, count: bodies.length }
}

function pulseUrl({ pulseUrl: base, projectId, version = unsetVersion }: PulseHost, path: 'e' | 'batch'): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`
  for (const [name, value] of [
    ['projectId', projectId],
    ['st', 'appkit'],
    ['sv', version],
  ] as const)
    url.searchParams.set(name, value)
  return url.href
}

function bodyOf(host: PulseHost, event: PulseEvent): Record<string, unknown> {
  const sent = sanitizeEvent(event)
  const timestamp = sent.type === 'track' ? sent.at : isoOf(sent.at)
  return { eventId: sent.eventId, ...placeOf(host.pageUrl), timestamp, props: propsOf(sent) }
}

/** JSON leaves out members that are undefined. */
function propsOf(sent: PulseEvent): Record<string, unknown> {
  if (sent.type === 'error') {
    const { type, category: event, errorType, errorMessage } = sent
    return { type, event, errorType, errorMessage }
  }
  const { type, event, properties, caipNetworkId } = sent
  return { type, event, properties: { ...properties, caipNetworkId } }
}

/** Longest path that is told, UTF-16 units. */
const mostPath = 2048

/** The page without query, fragment and credentials; a path may hold an address. Both are empty for a page that is no web page. */
function placeOf(pageUrl: string): { url: string; domain: string } {
  const page = URL.canParse(pageUrl) ? new URL(pageUrl) : undefined
  if (!page || !/^https?:$/.test(page.protocol)) return { url: '', domain: '' }
  return { url: page.origin + maskedWithin(page.pathname, mostPath), domain: page.hostname }
}
