/** Links into wallets by the reference's §20.3. */

/** Schemes a browser runs or shows itself, so they open no wallet. */
const ownOfBrowsers = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
  'filesystem:',
])

/** @returns whether a browser would open a wallet with it: a foreign scheme that hides no other */
function isWalletLink(link: string): boolean {
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(link)?.[0].toLowerCase()
  if (scheme === undefined || ownOfBrowsers.has(scheme)) return false
  if (scheme === 'http:' && !isLocal(link)) return false
  return Array.from(link, char => char.codePointAt(0) ?? 0).every(code => code > 32 && code !== 127)
}

/** Unencrypted links may only go to this very device, as browsers parse them. */
function isLocal(link: string): boolean {
  // A nonexistent port leads nowhere
  const portless = link.replace(/^(http:\/\/[\w.[\]:]*?):\d{1,5}(?=[/?#]|$)/i, '$1')
  if (!URL.canParse(portless)) return false
  const { hostname, username, password } = new URL(portless)
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) && username + password === ''
}

/** @returns whether a link is unusual enough to be refused although it is valid */
export function isUnusual(link: string): boolean {
  return /^http:/i.test(link)
}

function withQuery(link: string, query: string): string {
  const telegram = /^https:\/\/t\.me(?![^/?])/.test(link)
  if (!telegram) return `${link.replace(/\/$/, '')}/wc?${query}`
  return `${link}${link.includes('?') ? '&' : '?'}startapp=${Buffer.from(query).toString('base64url')}`
}

export function requestLinkOf(link: string, requestId: number, topic: string): string | undefined {
  return isWalletLink(link) ? withQuery(link, `requestId=${requestId}&sessionTopic=${topic}`) : undefined
}
