/** Addresses of services as the log may hold them: a configured address may carry a credential in front or behind. */

/** @returns scheme, host and path, without user, password, query and fragment */
export function publicUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)(?:[^@/?#]*@)?([^?#]*).*$/i, '$1$2')
}
