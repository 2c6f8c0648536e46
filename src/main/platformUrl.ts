/** The platform's RPC service, for chains without an address from the host. Empty texts in a build without it. */
export type Platform = { apiUrl: string; projectId: string }

/** @returns a platform address with the project id in its query; undefined in a build without the platform */
export function platformUrl(
  { apiUrl, projectId }: Platform,
  path: string,
  query: Readonly<Record<string, string>>,
): string | undefined {
  if (apiUrl === '' || projectId === '') return undefined
  return `${apiUrl.replace(/\/+$/, '')}${path}?${new URLSearchParams({ ...query, projectId }).toString()}`
}

/**
 * @param given an http(s) address from a host
 * @returns one of the platform with the project id in its query, without which it is refused; any other address unchanged
 */
export function withProjectId(given: string, { apiUrl, projectId }: Platform): string {
  const url = new URL(given)
  const isOurs = projectId !== '' && URL.canParse(apiUrl) && new URL(apiUrl).origin === url.origin
  if (!isOurs || url.searchParams.has('projectId')) return given
  url.searchParams.set('projectId', projectId)
  return url.href
}
