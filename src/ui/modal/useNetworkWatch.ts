import { useEffect } from 'react'
import { networkStanding } from '../../events/subjects/wallet/approvedNetworks.ts'
import { useSurroundings } from '../react.tsx'

/**
 * Opens UnsupportedChain in the tab on show once the connected wallet comes to lack the network, with a new connection or with its
 * own change. A page that loads in this state leaves it to the account's chip, and one with WalletConnect's code alone to its host.
 *
 * @see specification, point 4, switching network
 */
export function useNetworkWatch(): void {
  const { store, dispatch, config } = useSurroundings()
  const isBasic = config.host?.basic === true
  useEffect(() => {
    if (isBasic) return
    let standing = networkStanding(store.model())
    return store.subscribe(() => {
      const was = standing
      standing = networkStanding(store.model())
      // A node of another chain is no matter of the wallet
      const isLost = was === 'supported' && standing === 'unsupported' && store.model().network.phase !== 'mismatched'
      if (isLost && document.visibilityState === 'visible')
        dispatch({ type: 'screen.opened', data: { screen: { name: 'UnsupportedChain' } } })
    })
  }, [store, dispatch, isBasic])
}
