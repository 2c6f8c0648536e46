/** A host's networks, checked. */
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { currentId, isOfSolana, networks as publicNetworks } from '../../../events/values/networks.ts'
import type { NetworkChoice } from '../../../events/wire.ts'
import type { UiConfig } from '../../../ui/react.tsx'
import { address, boundedText, type ConfigCheck, known, listOf, present, solanaKey, wrong } from './configChecks.ts'

/** Most networks, and most nodes of one. */
const most = 10

const fields: Record<string, ConfigCheck> = {
  caip2: boundedText(1, 100),
  genesisHash: solanaKey,
  name: boundedText(1, 60),
  rpcUrls: listOf(address, most),
}

const one: ConfigCheck = (value, key) => {
  known(value, key, fields)
  const network = value as NetworkChoice
  present(network, 'caip2', `${key}.caip2`)
  if (isPublic(network)) return
  if (!isOfSolana(network.caip2)) throw wrong(`${key}.caip2`, 'a network of Solana', network.caip2)
  for (const name of ['genesisHash', 'rpcUrls']) present(network, name, `${key}.${name}`)
  const { caip2, genesisHash = '', rpcUrls = [] } = network
  if (caip2 !== `solana:${genesisHash.slice(0, 32)}`)
    throw wrong(`${key}.caip2`, 'solana: and the first 32 characters of its genesisHash', caip2)
  if (rpcUrls.length === 0) throw wrong(`${key}.rpcUrls`, 'at least one address', rpcUrls)
}

/** @throws Fault `bad_input` naming the network's field */
export function networksCheck(value: unknown, key: string): void {
  listOf(one, most)(value, key)
  const ids = (value as unknown[]).filter(isRecord).map(network => currentId(String(network.caip2)))
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) throw wrong(key, 'each network once', twice)
}

/** @returns checked networks, copied, for the core and for the interface */
export function networksChoice(networks: readonly NetworkChoice[]): {
  host: NetworkChoice[]
  ui: Pick<UiConfig, 'networks'>
} {
  const own = networks.filter(network => !isPublic(network))
  return {
    host: networks.map(network => ({ ...network, ...(network.rpcUrls && { rpcUrls: [...network.rpcUrls] }) })),
    ui:
      own.length === 0
        ? {}
        : {
            networks: own.map(({ caip2, name = 'Solana Localnet', rpcUrls: [rpcUrl = ''] = [] }) => ({
              caip2,
              name,
              rpcUrl,
            })),
          },
  }
}

function isPublic({ caip2 }: NetworkChoice): boolean {
  return publicNetworks.some(network => network.caip2 === currentId(caip2))
}
