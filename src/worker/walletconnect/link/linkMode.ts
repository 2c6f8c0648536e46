import { Fault } from '../../../runtime/failure.ts'
import { isTopic } from '../relay/jsonrpc.ts'

/**
 * Link mode: messages travel in links from app to app on one device, without a relay.
 * `<universal>?wc_ev=<envelope, base64url without padding>&topic=<topic>`
 */

/** Longest link that is read, characters; systems truncate longer ones. */
const longest = 1_048_576

/** @param universal the receiver's own link, `https://wallet.example/app` */
export function linkUrl(universal: string, topic: string, envelope: string): string {
  return `${universal}?wc_ev=${envelope}&topic=${topic}`
}

/**
 * Reads a link that opened this page.
 *
 * @param url as the device passed it
 * @param universal this page's own link
 * @returns topic and envelope, unopened
 * @throws Fault `bad_input` whose message quotes nothing of the link
 */
export function readLinkUrl(url: string, universal: string): { topic: string; envelope: string } {
  if (url.length > longest) throw refuse(`at most ${longest} characters, got ${url.length}`)
  const [address = '', query = '', ...more] = url.split('#', 1)[0]?.split('?') ?? []
  // Browsers append a slash to a bare host
  if (withoutSlash(address) !== withoutSlash(universal) || more.length > 0)
    throw refuse('this page’s own address, got another one')
  const values = new Map<string, string>()
  for (const part of query.split('&')) {
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    if (name !== 'wc_ev' && name !== 'topic') continue
    if (values.has(name)) throw refuse(`${name} once, got it more often`)
    values.set(name, at < 0 ? '' : part.slice(at + 1))
  }
  const [topic = '', envelope = ''] = [values.get('topic'), values.get('wc_ev')]
  if (!isTopic(topic)) throw refuse('topic to be 64 hex digits')
  if (!/^[\w-]+$/.test(envelope)) throw refuse('wc_ev to be base64url')
  return { topic, envelope }
}

function withoutSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address
}

function refuse(expected: string): Fault {
  return new Fault('bad_input', `a link to this page expected ${expected}`)
}
