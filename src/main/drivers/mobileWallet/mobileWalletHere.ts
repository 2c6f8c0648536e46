import { networkOfGenesis } from '../../../events/values/networks.ts'
import type { withinTime } from '../../../runtime/withinTime.ts'
import type { Store } from '../../../ui/store.ts'
import { device } from '../device.ts'
import { createKeptToken } from './keptToken.ts'
import { createMobileWallet, mobileWalletName } from './mobileWallet.ts'

/**
 * @param within comes with the page's runtime
 * @returns the wallet apps of this device as a wallet; undefined when another library of the page has announced them
 */
export function mobileWalletHere(store: Store, name: string, within: typeof withinTime): object | undefined {
  if (store.model().installed.some(one => one.name === mobileWalletName)) return undefined
  return createMobileWallet({
    device,
    kept: createKeptToken(),
    identity: { name, uri: location.origin },
    chain() {
      const { network } = store.model()
      return network.phase === 'identified' ? networkOfGenesis(network.genesisHash).walletChain : 'solana:mainnet'
    },
    open: link => void window.open(link, '_self'),
    makeSocket: (url, protocol) => new WebSocket(url, protocol),
    within,
    rest: ms => new Promise(resolve => setTimeout(resolve, ms)),
  })
}
