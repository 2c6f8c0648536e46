/**
 * The page's one Trusted Types policy, made at the first call. The headers allow the name `app` once, so it is made here and
 * nowhere else: call {@link trustedScriptURL} wherever a script address is needed, such as for a worker.
 */

/** The part of the browser's Trusted Types used here; the compiler's DOM library does not know them yet. */
type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

let made: { createScriptURL(url: string): string } | undefined

/**
 * Vouches for the address of one of this page's own scripts.
 *
 * @param url address, absolute or relative to the page
 * @returns what `Worker` accepts: the browser's `TrustedScriptURL`, typed as the text it stands for, or the plain text where
 *   the browser has no Trusted Types
 * @throws TypeError when the address is of another origin than the page
 */
export function trustedScriptURL(url: string): string {
  made ??= createPolicy()
  return made.createScriptURL(url)
}

function createPolicy() {
  const rules = { createScriptURL: sameOrigin }
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  return types ? types.createPolicy('app', rules) : rules
}

function sameOrigin(url: string): string {
  const absolute = new URL(url, document.baseURI)
  if (absolute.origin === location.origin) return absolute.href
  throw new TypeError(`script address expected the page's origin ${location.origin}, got ${absolute.origin}`)
}
