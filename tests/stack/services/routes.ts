/** Routes with an id in them, as counters name them. */
const patterns = [
  '/getWalletImage',
  '/public/getAssetImage',
  '/public/getCurrencyImage',
  '/public/getTokenImage',
  '/v1/identity/*',
  '/v1/account/*/history',
  '/v1/account/*/balance',
  '/v1/profile/account/*',
  '/v1/profile/reverse/*',
  '/v1/profile/suggestions/*',
  '/v1/sessions/*/revoke',
  '/v1/sessions/*',
]

const matchers = patterns.map(pattern => ({
  pattern,
  matcher: new RegExp(`^${pattern.endsWith('Image') ? `${pattern}/.*` : pattern.replaceAll('*', '[^/]+')}$`),
}))

/** The name of a path's route: ids are left out of it, and so is a slash at the end. */
export function routeOf(path: string): string {
  const bare = path.length > 1 ? path.replace(/\/$/, '') : path
  return matchers.find(({ matcher }) => matcher.test(bare))?.pattern ?? bare
}
