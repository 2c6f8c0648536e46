/** Schemes that run or show something in a page instead of opening an app: a recording may hold any link. */
const refused = /^(javascript|data|vbscript|blob|file|about|filesystem|http):/i

/**
 * The link that opens a wallet with a code. It contains the code's key, so it is as secret as the code.
 *
 * @param link the wallet's own, `phantom://` or `https://wallet.example/app`
 * @param uri the pairing's code
 * @param isTwice the window decodes an app's link once more before it opens it, as Telegram's does on Android
 * @returns undefined when the link opens no app
 * @see reference "views", §4.1
 */
export function walletLink(link: string, uri: string, isTwice = false): string | undefined {
  if (refused.test(link.trim())) return undefined
  const isUniversal = /^https:\/\//i.test(link)
  let base = isUniversal || link.includes('://') ? link : `${link.replace(/[/:]/g, '')}://`
  if (!base.endsWith('/')) base += '/'
  const encoded = encodeURIComponent(uri)
  return `${base}wc?uri=${isTwice && !isUniversal ? encodeURIComponent(encoded) : encoded}`
}
