/** What a provider remembers of chains by itself: which one is meant when none is named, and where each is read. */
import type { CoreModel } from '../../events/app.ts'
import { namespaceOf } from '../../events/subjects/session.ts'
import { thrown } from './providerError.ts'
import { approvedIn, newestFirst } from './sessions.ts'

/** Addresses by chain (`eip155:1`) or by its reference alone (`1`). */
export type RpcMap = Readonly<Record<string, string>>

/** Where the platform reads chains that a host gave no address for; empty texts where this build has none. */
export type Platform = { apiUrl: string; projectId: string }

export type Chains = {
  /** Remembers what a host says of a family. */
  configure(family: string, said: { rpcMap?: RpcMap | undefined; defaultChain?: string | undefined }): void
  /** @returns the last chain that was set, else the wallet's, else the configured one, else the first approved one */
  defaultOf(model: Pick<CoreModel, 'session'>, family: string): string | undefined
  /** From now on this chain is meant. */
  set(chain: string, rpcUrl?: string): void
  /** @throws ProviderError when the chain is not known, or has no address that http can reach */
  rpcUrl(model: Pick<CoreModel, 'session'>, chain: string): string
}

export function createChains({ apiUrl, projectId }: Platform): Chains {
  const rpcMaps = new Map<string, Map<string, string>>()
  const configured = new Map<string, string>()
  const chosen = new Map<string, string>()

  function mapOf(family: string): Map<string, string> {
    const known = rpcMaps.get(family)
    if (known) return known
    const made = new Map<string, string>()
    rpcMaps.set(family, made)
    return made
  }

  function defaultOf(model: Pick<CoreModel, 'session'>, family: string): string | undefined {
    const known = chosen.get(family) ?? newestFirst(model).find(session => session.chains?.[family])?.chains?.[family]
    return known ?? configured.get(family) ?? approvedIn(model, family)[0]
  }

  return {
    configure(family, { rpcMap = {}, defaultChain }) {
      for (const [key, url] of Object.entries(rpcMap)) mapOf(family).set(referenceOf(key), url)
      if (defaultChain !== undefined) configured.set(family, `${family}:${referenceOf(defaultChain)}`)
    },
    defaultOf,
    set(chain, rpcUrl) {
      const family = namespaceOf(chain)
      chosen.set(family, chain)
      if (rpcUrl !== undefined) mapOf(family).set(referenceOf(chain), rpcUrl)
    },
    rpcUrl(model, chain) {
      const family = namespaceOf(chain)
      const given = rpcMaps.get(family)?.get(referenceOf(chain))
      if (given !== undefined) {
        if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) throw thrown.notHttp()
        return given
      }
      if (!approvedIn(model, family).includes(chain)) throw thrown.noChain(chain)
      return platformUrl({ apiUrl, projectId }, '/v1/', { chainId: chain }) ?? refuse(chain)
    },
  }
}

function refuse(chain: string): never {
  throw thrown.noRpcUrl(chain)
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
