/** The networks to choose from, with their nodes. @see reference "Networks, namespaces, wallet constants", §2 and §3 */
import { currentId, networks } from '../../events/values/networks.ts'
import type { CoreConfig, HostChoice, NetworkChoice } from '../../events/wire.ts'
import type { Addresses } from '../config.ts'
import { platformUrl, withProjectId } from '../platformUrl.ts'

/**
 * @param chosen the host's networks; absent: no choice
 * @returns a network's own nodes first, then the platform's, which serves the public ones; one without a node is left out
 */
export function networksConfig(
  chosen: HostChoice['networks'],
  addresses: Pick<Addresses, 'apiUrl' | 'projectId'>,
): Pick<CoreConfig, 'networks'> {
  const choices: readonly NetworkChoice[] = chosen ?? []
  const offered = choices.flatMap(({ caip2, genesisHash, rpcUrls = [] }) => {
    const known = networks.find(network => network.caip2 === currentId(caip2))
    const platform = known && platformUrl(addresses, '/v1/', { chainId: known.caip2 })
    const own = rpcUrls.map(url => withProjectId(url, addresses))
    const nodes = [...new Set([...own, ...(platform === undefined ? [] : [platform])])]
    const hash = known?.genesisHash ?? genesisHash
    return hash === undefined || nodes.length === 0 ? [] : [{ genesisHash: hash, rpcUrls: nodes }]
  })
  return offered.length === 0 ? {} : { networks: offered }
}
