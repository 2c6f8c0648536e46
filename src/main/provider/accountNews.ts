/**
 * Emits the default chain of each family and the addresses on it.
 *
 * 1. `chainChanged` and `accountsChanged` are emitted on changes only, the chain first. `setDefault` confirms its chain even
 *    when it is the default already.
 * 2. A family that comes or goes causes `connect` and `disconnect`, and no event here.
 * 3. Accounts announced by a wallet's own event hold until the session's addresses or the default chain change.
 */
import { namespaceOf } from '../../events/values/networks.ts'
import { type Chains, shownChain } from './chains.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'

type Ports = {
  sessions: Pick<SessionIndex, 'families' | 'addressesOn'>
  chains: Pick<Chains, 'defaultOf' | 'set'>
  emit: { (event: 'chainChanged', chainId: string): void; (event: 'accountsChanged', addresses: string[]): void }
  /** Stores a default chain with the sessions. */
  keep(chain: string): void
}

type AccountNews = {
  /** Emits the changes since the last call; `isSilent` takes them in without an event. */
  refresh(isSilent?: boolean): void
  /** A wallet announced its accounts in a family. */
  announced(family: string, addresses: readonly string[]): void
  /** Makes a chain the default of its family. */
  setDefault(chain: string, rpcUrl?: string): void
}

/** The default chain, the addresses that sessions have on it, and the addresses emitted last. */
type Shown = { chain: string | undefined; addresses: readonly string[]; told: readonly string[] }

export function createAccountNews({ sessions, chains, emit, keep }: Ports): AccountNews {
  const known = new Map<string, Shown>()
  refresh(true)

  function refresh(isSilent = false): void {
    const families = sessions.families()
    for (const family of known.keys()) if (!families.includes(family)) known.delete(family)
    for (const family of families) {
      const before = known.get(family)
      const chain = chains.defaultOf(family)
      const addresses = chain === undefined ? [] : sessions.addressesOn(chain)
      const isOther = !before || chain !== before.chain || !isSame(addresses, before.addresses)
      known.set(family, { chain, addresses, told: isOther ? addresses : before.told })
      if (!before || isSilent || !isOther) continue
      if (chain !== undefined && chain !== before.chain) emit('chainChanged', shownChain(chain))
      if (!isSame(addresses, before.told)) emit('accountsChanged', [...addresses])
    }
  }

  return {
    refresh,
    announced(family, addresses) {
      const before = known.get(family)
      if (before) known.set(family, { ...before, told: addresses })
      emit('accountsChanged', [...addresses])
    },
    setDefault(chain, rpcUrl) {
      const family = namespaceOf(chain)
      const before = known.get(family)?.chain
      chains.set(chain, rpcUrl)
      emit('chainChanged', shownChain(chain))
      const addresses = sessions.addressesOn(chain)
      known.set(family, { chain, addresses, told: addresses })
      if (before !== chain) emit('accountsChanged', [...addresses])
      keep(chain)
    },
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((address, at) => address === other[at]))
}
