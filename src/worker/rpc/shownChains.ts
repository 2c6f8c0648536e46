/**
 * The chains that a pool's endpoints show, by genesis hash.
 *
 * 1. The first endpoint names the pool's chain; while it is silent, the first one that answers does.
 * 2. When the first is not on the wanted chain and another is, the chain is settled: only endpoints on it serve.
 */

/** `wanted` is the genesis hash of the sale's chain, once the terms have named it. */
export type ShownChains = {
  genesis?: string
  wanted?: string
  readonly endpoints: { genesis?: string }[]
}

/** Notes the genesis hash that an endpoint gave. */
export function noteGenesis(pool: ShownChains, place: number, genesis: string): void {
  const endpoint = pool.endpoints[place]
  if (!endpoint) return
  endpoint.genesis = genesis
  // A later endpoint may have answered before, while the first was silent
  pool.genesis = place === 0 ? genesis : (pool.genesis ?? genesis)
}

/** @returns the wanted chain, if the first endpoint is not on it and a later one is */
export function settledChain({ genesis, wanted, endpoints }: ShownChains): string | undefined {
  if (wanted === undefined || wanted === genesis) return undefined
  return endpoints.some(one => one.genesis === wanted) ? wanted : undefined
}

/** @returns whether an endpoint shows the pool's chain, or the settled one; undefined when it has shown none */
export function showsSameChain(pool: ShownChains, place: number): boolean | undefined {
  const shown = pool.endpoints[place]?.genesis
  return shown === undefined ? undefined : shown === (settledChain(pool) ?? pool.genesis)
}
