/** Connectors as other libraries name them. */
import type { Connection } from '../../events/subjects/wallet/connection.ts'
import { own } from '../../runtime/schema/own.ts'

/** Connector id of every wallet that is reached over WalletConnect. */
export const walletConnectId = 'walletConnect'

/**
 * Directory ids of wallets for Solana, by the names that they announce.
 * @see reference "Networks, namespaces, wallet constants", §7
 */
export const directoryIds: Readonly<Record<string, string>> = {
  Phantom: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
  Solflare: '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
  Backpack: '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
  Trust: '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
  'Trust Wallet': '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
  MetaMask: 'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
  Coin98: '2a3c89040ac3b723a1972a33a125b1db11e258a6975d3a61252cd64e6ea5ea01',
  'Magic Eden': '8b830a2b724a9c3fbab63af6f55ed29c9dfa8a55e732dc88c80a196a2ba136c6',
  'Bitget Wallet': '38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662',
  Frontier: '85db431492aa2e8672e93f4ea7acf10c88b97b867b0d373107af63dc4880f041',
}
export function connectorIdOf({ connector, wallet }: Connection): string {
  return connector === 'walletConnect' ? walletConnectId : (own(directoryIds, wallet.name) ?? wallet.name)
}
