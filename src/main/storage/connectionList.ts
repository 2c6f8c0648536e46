/** Lists of connections as other libraries keep them: one for each connector, with all of its addresses. */
import type { StoredConnection } from './shapes.ts'

/** @returns the list with the connection: addresses of a connector in it are appended to it, each once whatever its case */
export function merged(list: readonly StoredConnection[], connection: StoredConnection): StoredConnection[] {
  const known = list.find(({ connectorId }) => isSameText(connectorId, connection.connectorId))
  const accounts = [...(known?.accounts ?? [])]
  const addresses = new Set(accounts.map(({ address }) => address.toLowerCase()))
  for (const account of connection.accounts) {
    const address = account.address.toLowerCase()
    if (!addresses.has(address)) accounts.push(account)
    addresses.add(address)
  }
  const next = { ...known, ...connection, accounts }
  return known ? list.map(one => (one === known ? next : one)) : [...list, next]
}

/** Other libraries compare ids and addresses without regard to their case. */
export function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
