/** Schemes that run or show something in a page instead of opening an app: a recording may hold any link. */
const refused = /^(javascript|data|vbscript|blob|file|about|filesystem|http):/i

/**
 * The link that opens a wallet with a code. It contains the code's key, so it is as secret as the code.
 *
 * @param link the wallet's own, `phantom://` or `https://wallet.example/app`
 * @param uri the pairing's code
 * @returns undefined when the link opens no app
 * @see reference "views", §4.1
 */
export function walletLink(link: string, uri: string): string | undefined {
  if (refused.test(link.trim())) return undefined
  let base = /^https:\/\//i.test(link) || link.includes('://') ? link : `${link.replace(/[/:]/g, '')}://`
  if (!base.endsWith('/')) base += '/'
  return `${base}wc?uri=${encodeURIComponent(uri)}`
}
