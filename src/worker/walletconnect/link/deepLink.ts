import { Fault } from '../../../runtime/failure.ts'
import { toBase64url, toUtf8 } from '../crypto/encoding.ts'

/** Schemes that run or show something in the page instead of opening a wallet. */
const refused = /^(javascript|data|vbscript|blob|file|about|view-source|filesystem):/i

/**
 * A link that opens the wallet at a pending request.
 *
 * @param link the wallet's own: `metamask://`, `https://wallet.example/app`, `https://t.me/bot/app`
 * @throws Fault `bad_input` when the link has no scheme or one that opens no wallet
 */
export function requestLink(link: string, requestId: number, sessionTopic: string): string {
  checkLink(link)
  const query = `requestId=${requestId}&sessionTopic=${sessionTopic}`
  return isTelegram(link) ? telegram(link, query) : `${link.replace(/\/$/, '')}/wc?${query}`
}

function checkLink(link: string): void {
  // Browsers strip control characters and outer blanks before they read the scheme, so either could hide one
  const plain = [...link].every(char => char > ' ' && char !== '\u007f')
  if (!plain || !/^[a-z][a-z0-9+.-]*:/i.test(link) || refused.test(link) || isInClear(link)) {
    throw new Fault('bad_input', 'wallet link expected a scheme that opens a wallet')
  }
}

/** Plain http can be read and changed on the network, except to this device. */
function isInClear(link: string): boolean {
  return /^http:/i.test(link) && !/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?#]|$)/i.test(link)
}

function isTelegram(link: string): boolean {
  return /^https:\/\/t\.me(\/|\?|$)/.test(link)
}

function telegram(link: string, query: string): string {
  return `${link}${link.includes('?') ? '&' : '?'}startapp=${toBase64url(toUtf8(query))}`
}
