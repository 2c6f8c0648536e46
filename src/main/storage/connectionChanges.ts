/** StorageChanges of the connections, and of the connectors that are active or disconnected. */
import { own } from '../../runtime/schema/own.ts'
import { isSameText, merged } from './connectionList.ts'
import type { Entries } from './entries.ts'
import { connectorKeys, type Namespace, chainNamespaces, storageKeys as keys } from './keys.ts'
import { isEmpty, type Pass } from './pass.ts'
import type { StoredConnection, Written } from './shapes.ts'

/** Removes this mirror's addresses that are gone, and adds the present ones. */
export function setConnections(pass: Pass, before: Written, wanted: Entries): void {
  const stored = pass.get(keys.connections) ?? {}
  const next: Record<string, StoredConnection[]> = {}
  for (const namespace of new Set([...Object.keys(stored), ...Object.keys(wanted.connections)])) {
    const mine = wanted.connections[namespace as Namespace] ?? []
    const gone = goneAddresses(own(before.connections, namespace) ?? {}, mine)
    const others = (own(stored, namespace) ?? []).flatMap(one => withoutAddresses(one, gone))
    const list = mine.reduce<StoredConnection[]>(merged, others)
    if (list.length > 0) next[namespace] = list
  }
  pass.set(keys.connections, isEmpty(next) ? undefined : next)
}

/** Addresses by connector that were written and are wanted no longer. */
function goneAddresses(before: Record<string, string[]>, mine: readonly StoredConnection[]): Map<string, string[]> {
  return new Map(
    Object.entries(before).map(([connectorId, addresses]) => {
      const accounts = mine.find(one => one.connectorId === connectorId)?.accounts ?? []
      const present = new Set(accounts.map(({ address }) => address))
      return [connectorId, addresses.filter(address => !present.has(address))]
    }),
  )
}

/** @returns the connection without the addresses, in a list; none when no address is left */
function withoutAddresses(connection: StoredConnection, gone: Map<string, string[]>): StoredConnection[] {
  const names = gone.get(connection.connectorId) ?? []
  if (names.length === 0) return [connection]
  const accounts = connection.accounts.filter(({ address }) => !names.some(name => isSameText(name, address)))
  return accounts.length > 0 ? [{ ...connection, accounts }] : []
}

/** The active connector of each namespace, and the list of those that were disconnected. */
export function setConnectors(pass: Pass, before: Written, wanted: Entries): void {
  const disconnected: Record<string, string[]> = { ...pass.get(keys.disconnectedConnectors) }
  for (const namespace of chainNamespaces) {
    const mine = wanted.connections[namespace]?.map(({ connectorId }) => connectorId) ?? []
    const written = Object.keys(own(before.connections, namespace) ?? {})
    const left = written.filter(connectorId => !mine.includes(connectorId))
    setConnector(pass, namespace, wanted.connectors[namespace], left)
    const known = own(disconnected, namespace) ?? []
    const kept = known.filter(one => !mine.some(connectorId => isSameText(connectorId, one)))
    const added = left.filter(one => !kept.some(other => isSameText(one, other)))
    if (kept.length + added.length > 0) disconnected[namespace] = [...kept, ...added]
    else delete disconnected[namespace]
  }
  pass.set(keys.disconnectedConnectors, isEmpty(disconnected) ? undefined : disconnected)
}

function setConnector(pass: Pass, namespace: Namespace, wanted: string | undefined, left: readonly string[]): void {
  const key = connectorKeys[namespace]
  if (wanted !== undefined) pass.set(key, wanted)
  else if (left.includes(pass.get(key) ?? '')) pass.set(key, undefined)
}
