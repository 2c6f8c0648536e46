/** The entries that local storage should have, as a pure function of the model. */
import type { Model } from '../../events/app.ts'
import { activeConnection, type Connection, walletName } from '../../events/subjects/connection.ts'
import { namespaceOf, type Session } from '../../events/subjects/session.ts'
import { formatAmount } from '../../events/values/amount.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
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
  for (const session of Object.values(model.session))
    for (const [namespace, accounts] of accountsOf(session))
      add(namespace, sessionConnection(session, accounts, namespace === 'solana' ? network : undefined))
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
  { peer }: Session,
  accounts: readonly string[],
  caipNetwork: CaipNetwork | undefined,
): StoredConnection {
  return {
    connectorId: walletConnectId,
    accounts: accounts.map(address => ({ address })),
    ...(caipNetwork && { caipNetwork }),
    name: peer.name,
  }
}

/** Addresses of a session by namespace; accounts are `namespace:reference:address` (CAIP-10). */
function accountsOf({ namespaces }: Session): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [key, { accounts }] of Object.entries(namespaces)) {
    const addresses = accounts.map(account => account.split(':')[2] ?? '').filter(address => address !== '')
    found.set(namespaceOf(key), [...(found.get(namespaceOf(key)) ?? []), ...addresses])
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
