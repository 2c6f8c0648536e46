/** The entries that local storage should have, as a pure function of the model. */
import type { Model } from '../../events/app.ts'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { type Connection, walletName } from '../../events/subjects/wallet/connection.ts'
import { formatAmount } from '../../events/values/amount.ts'
import { namespaceOf, networkOfGenesis } from '../../events/values/networks.ts'
import { own } from '../../runtime/schema/own.ts'
import type { ChosenLinks } from './chosenLinks.ts'
import { merged } from './connectionList.ts'
import { connectorIdOf, walletConnectId } from './connectors.ts'
import { type Namespace, chainNamespaces } from './keys.ts'
import { deepLinkOf, recentWallet } from './lastWallet.ts'
import type { DeepLinkChoice, NativeBalance, StoredConnection, StoredWallet } from './shapes.ts'

/** Entries of one model. */
export type Entries = {
  /** the active connector of each connected namespace */
  connectors: Partial<Record<Namespace, string>>
  connections: Partial<Record<Namespace, StoredConnection[]>>
  /** the network of the active connection (CAIP-2), once it is known */
  network?: string
  /** the wallet of the directory that was connected last */
  recent?: StoredWallet
  deepLink?: DeepLinkChoice
  /** by account (CAIP-10) */
  balances: Record<string, NativeBalance>
}

/** @returns the parts of a model that its entries depend on: of equal parts the entries are equal */
export function mirroredParts({
  tab,
  connection,
  session,
  network,
  listing,
  link,
  balance,
}: Model): readonly unknown[] {
  return [tab.phase, connection, session, network, listing, link, balance]
}

/**
 * @param chosen links since the page attached
 * @returns the entries; undefined before the page has a core's model, because it says nothing about the journal
 */
export function entriesOf(model: Model, chosen: ChosenLinks = {}): Entries | undefined {
  if (model.tab.phase !== 'attached') return undefined
  const network = caipNetworkOf(model)
  const active = activeConnection(model)?.connection
  const connections: Entries['connections'] = {}
  const connectors: Entries['connectors'] = {}
  const add = (namespace: string, connection: StoredConnection) => {
    if (!isNamespace(namespace) || connection.accounts.length === 0) return
    connections[namespace] = merged(connections[namespace] ?? [], connection)
    connectors[namespace] ??= connection.connectorId
  }
  for (const made of inOrder(model, active)) add('solana', solanaConnection(made, network))
  for (const [namespace, { name, addresses }] of sessionAccounts(model))
    add(namespace, sessionConnection(name, addresses, namespace === 'solana' ? network : undefined))
  const recent = recentWallet(model)
  const deepLink = deepLinkOf(model.session, { ...model.link.chosen, ...chosen }, active)
  return {
    connectors,
    connections,
    ...(active && network && { network: network.caipNetworkId }),
    ...(recent && { recent }),
    ...(deepLink && { deepLink }),
    balances: network ? balancesOf(model, network.caipNetworkId, connections.solana ?? []) : {},
  }
}

function isNamespace(text: string): text is Namespace {
  return (chainNamespaces as readonly string[]).includes(text)
}

/** Connections with accounts, the active one first: its connector is the namespace's. */
function inOrder({ connection: { made } }: Model, active: Connection | undefined): Connection[] {
  const others = Object.values(made).filter(one => one.connectionId !== active?.connectionId)
  return active ? [active, ...others] : others
}

/** The network as other libraries read it, made anew: a stored one may carry an RPC address with a key. */
type CaipNetwork = { id: string; caipNetworkId: string; chainNamespace: 'solana'; name: string }

function caipNetworkOf({ network }: Model): CaipNetwork | undefined {
  if (network.phase !== 'identified') return undefined
  const { caip2, namespace, name } = networkOfGenesis(network.genesisHash)
  return { id: caip2.slice(namespace.length + 1), caipNetworkId: caip2, chainNamespace: namespace, name }
}

function solanaConnection(made: Connection, caipNetwork: CaipNetwork | undefined): StoredConnection {
  return {
    connectorId: connectorIdOf(made),
    accounts: made.accounts.map(address => ({ address })),
    ...(caipNetwork && { caipNetwork }),
    name: walletName(made),
  }
}

function sessionConnection(
  name: string,
  addresses: ReadonlySet<string>,
  caipNetwork: CaipNetwork | undefined,
): StoredConnection {
  return {
    connectorId: walletConnectId,
    accounts: Array.from(addresses, address => ({ address })),
    ...(caipNetwork && { caipNetwork }),
    name,
  }
}

/** Addresses of all sessions by namespace, with the newest wallet's name; accounts are `namespace:reference:address` (CAIP-10). */
function sessionAccounts({ session }: Model): Map<string, { name: string; addresses: Set<string> }> {
  const found = new Map<string, { name: string; addresses: Set<string> }>()
  for (const { namespaces, peer } of Object.values(session))
    for (const [key, { accounts }] of Object.entries(namespaces)) {
      const addresses = found.get(namespaceOf(key))?.addresses ?? new Set()
      for (const account of accounts) addresses.add(account.split(':')[2] ?? '')
      addresses.delete('')
      found.set(namespaceOf(key), { name: peer.name, addresses })
    }
  return found
}

/** Balances of the network's coin that were read; a failed reading changes none. */
function balancesOf(
  { balance }: Model,
  caip2: string,
  connections: readonly StoredConnection[],
): Record<string, NativeBalance> {
  const entries = connections.flatMap(({ accounts }) =>
    accounts.flatMap(({ address }) => {
      const read = own(balance, address)
      const units = read && own(read.amounts, 'SOL')
      if (!read || units === undefined) return []
      const caipAddress = `${caip2}:${address}`
      const amount = formatAmount(units, 9, { group: false })
      return [[caipAddress, { caipAddress, balance: amount, symbol: 'SOL', timestamp: read.readAt }] as const]
    }),
  )
  return Object.fromEntries(entries)
}
