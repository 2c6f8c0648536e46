/**
 * The wallet that another library of this page left connected, read at the first start of a device: while the journal has no
 * connection and the mirror has never written.
 */
import type { Model } from '../../events/app.ts'
import { isOfSolana } from '../../events/values/networks.ts'
import { own } from '../../runtime/schema/own.ts'
import { isSameText } from './connectionList.ts'
import { nameOfConnector } from './connectors.ts'
import { directoryIds } from './directoryIds.ts'
import type { StorageKey } from './formats.ts'
import { connectorKeys, storageKeys as keys } from './keys.ts'

/** An installed wallet for Solana. `name` is the one it announces, as far as it is known. */
export type LeftConnection = { connectorId: string; name: string; addresses: string[]; network?: string }

/** An address by its form; the decoder of base58 would be shared with the page's first files. */
const base58Key = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * A connector counts only if it is among the stored connections and not among the disconnected ones.
 *
 * @param stored reads a text by name, null when there is none
 * @returns undefined when there is no such wallet, or the connector is of another kind: over WalletConnect its keys are another
 *   client's
 */
export function firstRead(
  { connection }: Pick<Model, 'connection'>,
  stored: (name: string) => string | null,
): LeftConnection | undefined {
  const get = <T>(key: StorageKey<T>): T | undefined => {
    const text = stored(key.name)
    return text ? key.read(text).value : undefined
  }
  const isKnownDevice = Object.keys(connection.made).length > 0 || connection.recent.length > 0
  if (isKnownDevice || stored(keys.schema.name) !== null || get(keys.status) !== 'connected') return undefined
  const connectorId = get(connectorKeys.solana)
  if (connectorId === undefined) return undefined
  const known = nameOfConnector(connectorId)
  if (known === false) return undefined
  const isIt = (other: string) => isSameText(other, connectorId)
  if (own(get(keys.disconnectedConnectors) ?? {}, 'solana')?.some(isIt)) return undefined
  const found = own(get(keys.connections) ?? {}, 'solana')?.find(one => isIt(one.connectorId))
  const addresses = found?.accounts.map(({ address }) => address).filter(address => base58Key.test(address)) ?? []
  if (!found || addresses.length === 0) return undefined
  const network = found.caipNetwork?.caipNetworkId ?? get(keys.activeNetwork)
  const listed = Object.entries(directoryIds).find(([, ids]) => ids.some(isIt))
  const name = known ?? listed?.[0] ?? found.name ?? connectorId
  return { connectorId, name, addresses, ...(network !== undefined && isOfSolana(network) && { network }) }
}
