/** Connectors as other libraries name them. */
import type { Connection } from '../../events/subjects/wallet/connection.ts'
import { own } from '../../runtime/schema/own.ts'
import { directoryIds } from './directoryIds.ts'

/** Connector id of every wallet that is reached over WalletConnect. */
export const walletConnectId = 'walletConnect'

/**
 * Connector ids that other libraries give to a kind of connector in place of a wallet, by the name that the wallet announces for
 * Solana. `false`: reached on chains of Ethereum's family alone, over WalletConnect, or an embedded wallet, which is of its own
 * library; no wallet of this page is meant.
 * @see reference "Networks, namespaces, wallet constants", §7
 */
const connectorNames: Readonly<Record<string, string | false>> = {
  [walletConnectId.toLowerCase()]: false,
  coinbasewallet: 'Coinbase Wallet',
  coinbasewalletsdk: 'Coinbase Wallet',
  okx: 'OKX Wallet',
  injected: false,
  announced: false,
  eip6963: false,
  baseaccount: false,
  safe: false,
  ledger: false,
  id_auth: false,
  auth: false,
}

/** @returns the name of the wallet by the id of another library's connector; undefined for ids that are not of a kind */
export function nameOfConnector(connectorId: string): string | false | undefined {
  return own(connectorNames, connectorId.toLowerCase())
}

export function connectorIdOf({ connector, wallet }: Connection): string {
  return connector === 'walletConnect' ? walletConnectId : (own(directoryIds, wallet.name)?.[0] ?? wallet.name)
}
