import { networkOfGenesis } from '../../../events/values/networks.ts'
import type { Store } from '../../../ui/store.ts'
import { device } from '../device.ts'
import { announceMobileWallet, mobileWalletName } from './mobileWallet.ts'

/** Announces the wallet apps of this device, unless another library of the page has. */
export function announceHere(store: Store, name: string): void {
  if (store.model().installed.some(one => one.name === mobileWalletName)) return
  announceMobileWallet(window, {
    device,
    identity: { name, uri: location.origin },
    chain() {
      const { network } = store.model()
      return network.phase === 'identified' ? networkOfGenesis(network.genesisHash).walletChain : 'solana:mainnet'
    },
    open: link => void window.open(link, '_self'),
    makeSocket: (url, protocol) => new WebSocket(url, protocol),
    rest: ms => new Promise(resolve => setTimeout(resolve, ms)),
  })
}
