/** Connectors as other libraries name them. */
import type { Connection } from '../../events/subjects/wallet/connection.ts'
import { own } from '../../runtime/schema/own.ts'
import { directoryIds } from './directoryIds.ts'

/** Connector id of every wallet that is reached over WalletConnect. */
export const walletConnectId = 'walletConnect'

export function connectorIdOf({ connector, wallet }: Connection): string {
  return connector === 'walletConnect' ? walletConnectId : (own(directoryIds, wallet.name)?.[0] ?? wallet.name)
}
