/** What a provider remembers of chains by itself: which one is meant when none is named, and where each is read. */
import { namespaceOf, type Session } from '../../events/subjects/session.ts'
import { thrown } from './providerError.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'

/** Addresses by chain (`eip155:1`) or by its reference alone (`1`). */
export type RpcMap = Readonly<Record<string, string>>

/** Where the platform reads chains that a host gave no address for; empty texts where this build has none. */
export type Platform = { apiUrl: string; projectId: string }

export type Chains = {
  /** Remembers what a host says of a family. */
  configure(family: string, said: { rpcMap?: RpcMap | undefined; defaultChain?: string | undefined }): void
  /** @returns the last chain that was set, else the configured one, else the first approved one */
  defaultOf(family: string): string | undefined
  /** From now on this chain is meant. */
  set(chain: string, rpcUrl?: string): void
  /** Sessions changed: a chain that was approved and is no more is not meant any more. */
  look(): void
  /** @throws ProviderError when the chain is not known, or has no address that http can reach */
  rpcUrl(chain: string): string
}

/** @param before sessions of earlier pages, the newest first: what was set last is kept with the newest one */
export function createChains(
  { apiUrl, projectId }: Platform,
  sessions: Pick<SessionIndex, 'hasChain' | 'hasFamily' | 'firstChain'>,
  before: readonly Session[],
): Chains {
  const rpcMaps = new Map<string, Map<string, string>>()
  const configured = new Map<string, string>()
  /** by family; a chain may be set that no wallet has approved */
  const chosen = new Map<string, { chain: string; approved: boolean }>()
  for (const { chains } of before)
    for (const [family, chain] of Object.entries(chains))
      if (!chosen.has(family)) chosen.set(family, { chain, approved: true })
  look()

  function look(): void {
    for (const [family, { chain, approved }] of chosen) {
      const isApproved = sessions.hasChain(chain)
      if (!sessions.hasFamily(family) || (approved && !isApproved)) chosen.delete(family)
      else chosen.set(family, { chain, approved: isApproved })
    }
  }

  function mapOf(family: string): Map<string, string> {
    const known = rpcMaps.get(family)
    if (known) return known
    const made = new Map<string, string>()
    rpcMaps.set(family, made)
    return made
  }

  return {
    configure(family, { rpcMap = {}, defaultChain }) {
      for (const [key, url] of Object.entries(rpcMap)) mapOf(family).set(referenceOf(key), url)
      if (defaultChain !== undefined) configured.set(family, `${family}:${referenceOf(defaultChain)}`)
    },
    defaultOf: family => chosen.get(family)?.chain ?? configured.get(family) ?? sessions.firstChain(family),
    set(chain, rpcUrl) {
      const family = namespaceOf(chain)
      chosen.set(family, { chain, approved: sessions.hasChain(chain) })
      if (rpcUrl !== undefined) mapOf(family).set(referenceOf(chain), rpcUrl)
    },
    look,
    rpcUrl(chain) {
      const given = rpcMaps.get(namespaceOf(chain))?.get(referenceOf(chain))
      if (given !== undefined) {
        if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) throw thrown.notHttp()
        return given
      }
      if (!sessions.hasChain(chain)) throw thrown.noChain(chain)
      return platformUrl({ apiUrl, projectId }, '/v1/', { chainId: chain }) ?? refuse(chain)
    },
  }
}

function refuse(chain: string): never {
  throw thrown.noRpcUrl(chain)
}

/** @returns a chain as hosts are told of it: in hex in Ethereum's family, as EIP-1193 has it, else its reference alone */
export function shownChain(chain: string): string {
  return namespaceOf(chain) === 'eip155' ? hexOf(referenceOf(chain)) : referenceOf(chain)
}

/** @returns a reference in hex, as in `0x89`; one that is no number stays as it is */
export function hexOf(reference: string): string {
  return /^\d{1,15}$/.test(reference) ? `0x${Number(reference).toString(16)}` : reference
}

/** @returns what stands behind the first colon, or all of it */
export function referenceOf(chain: string): string {
  return chain.slice(chain.indexOf(':') + 1)
}

/** @returns an address of the platform with the project's id; undefined where this build has none */
export function platformUrl(
  { apiUrl, projectId }: Platform,
  path: string,
  query: Readonly<Record<string, string>>,
): string | undefined {
  if (apiUrl === '' || projectId === '') return undefined
  return `${apiUrl.replace(/\/+$/, '')}${path}?${new URLSearchParams({ ...query, projectId }).toString()}`
}
