/** The default chain of each family, and the RPC address of each chain. */
import { namespaceOf } from '../../events/values/networks.ts'
import type { Session } from '../../events/subjects/session/session.ts'
import { type Platform, platformUrl, withProjectId } from '../platformUrl.ts'
import { thrown } from './providerError.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'

/** RPC addresses by chain (`eip155:1`) or by reference (`1`). */
export type RpcMap = Readonly<Record<string, string>>

export type Chains = {
  /** Adds a host's RPC addresses and default chain for a family; newer values replace older ones. */
  configure(family: string, said: { rpcMap?: RpcMap | undefined; defaultChain?: string | undefined }): void
  /** @returns the chain set last, else the configured one, else the first approved one */
  defaultOf(family: string): string | undefined
  /** Makes a chain the default of its family; `rpcUrl` becomes its RPC address. */
  set(chain: string, rpcUrl?: string): void
  /** Sessions changed: a default chain that lost its approval is dropped, and all of a family without sessions. */
  look(): void
  /**
   * The address that a host gave, else the platform's, each of the platform with the project id.
   * @throws ProviderError when the given one is not http(s), no session has the chain, or this build has no platform
   */
  rpcUrl(chain: string): string
}

/** @param before sessions of earlier pages, the newest first, with the default chains stored in them */
export function createChains(
  { apiUrl, projectId }: Platform,
  sessions: Pick<SessionIndex, 'hasChain' | 'hasFamily' | 'firstChain'>,
  before: readonly Session[],
): Chains {
  const rpcMaps = new Map<string, Map<string, string>>()
  const configured = new Map<string, string>()
  /** chains set, by family; a host may set one that no wallet approved */
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
        return withProjectId(given, { apiUrl, projectId })
      }
      if (!sessions.hasChain(chain)) throw thrown.noChain(chain)
      return platformUrl({ apiUrl, projectId }, '/v1/', { chainId: chain }) ?? refuse(chain)
    },
  }
}

function refuse(chain: string): never {
  throw thrown.noRpcUrl(chain)
}

/** @returns a chain as events give it: the chain id in hex in Ethereum's family (EIP-1193), else the bare reference */
export function shownChain(chain: string): string {
  return namespaceOf(chain) === 'eip155' ? hexOf(referenceOf(chain)) : referenceOf(chain)
}

/** @returns a decimal reference in hex, as in `0x89`; any other text unchanged */
export function hexOf(reference: string): string {
  return /^\d{1,15}$/.test(reference) ? `0x${Number(reference).toString(16)}` : reference
}

/** @returns the part after the first colon; the whole text without one */
export function referenceOf(chain: string): string {
  return chain.slice(chain.indexOf(':') + 1)
}
