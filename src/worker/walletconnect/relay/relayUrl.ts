import { Fault } from '../../../runtime/failure.ts'
import { toQuery } from '../auth/formText.ts'

/** The SDK version whose wire behaviour this client follows; part of the relay's user agent. */
const sdkVersion = '2.25.0'

type Agent = {
  /** `macos-chrome-126.0.0`: operating system, browser, version */
  readonly os: string
  /** `browser:<host>` on a page, `unknown` in a worker, `node` */
  readonly env: string
}

type RelayAddress = {
  /** as configured; its query is preserved and comes first */
  readonly relayUrl: string
  /** JWT of this attempt */
  readonly auth: string
  /** 32 hex digits from the vendor's dashboard */
  readonly projectId?: string
  /** see `userAgent` */
  readonly ua: string
  /** native applications only */
  readonly packageName?: string
  readonly bundleId?: string
}

/** @returns `wc-2/js-<version>/<os>/<env>` */
export function userAgent(agent: Agent): string {
  return `wc-2/js-${sdkVersion}/${agent.os}/${agent.env}`
}

/**
 * The URL of a relay socket. It contains a credential: never in a message, never in a log.
 *
 * @throws Fault `bad_input` when the configured URL is not a WebSocket URL or sets one of our parameters
 */
export function socketUrl(address: RelayAddress): string {
  const { relayUrl, auth, projectId, ua, packageName, bundleId } = address
  if (!/^wss?:\/\/[^\s/?#]+[^\s#]*$/.test(relayUrl)) {
    throw new Fault('bad_input', 'relay URL expected ws:// or wss:// with a host and no fragment')
  }
  const own = { auth, bundleId, packageName, projectId, ua, useOnCloseEvent: 'true' }
  const at = relayUrl.indexOf('?')
  const given = at < 0 ? '' : relayUrl.slice(at + 1)
  const taken = given.split('&').find(pair => Object.hasOwn(own, pair.split('=')[0] ?? ''))
  if (taken) throw new Fault('bad_input', `relay URL may not set ${taken.split('=')[0]} itself`)
  const query = toQuery(own)
  return at < 0 ? `${relayUrl}?${query}` : `${relayUrl.slice(0, at)}?${given ? `${given}&` : ''}${query}`
}
