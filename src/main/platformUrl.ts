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
