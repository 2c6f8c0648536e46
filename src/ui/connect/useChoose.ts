import type { WalletRef } from '../../events/schema/fields.ts'
import { useSurroundings } from '../react.tsx'
import { sameName } from './list/directory.ts'
import { phoneOpener } from './phone/opener.ts'

/**
 * @returns the action of a press on a wallet. An installed wallet receives the request within the press; on a phone any other
 *   is opened within it; else its code is shown; no wallet opens the plain code. If several installed wallets share or resemble
 *   the name, it opens the list.
 */
export function useChoose(): (wallet?: WalletRef, walletKey?: string) => void {
  const surroundings = useSurroundings()
  const { store, dispatch, command } = surroundings
  return (wallet, walletKey) => {
    if (!wallet) return dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletConnect' } } })
    const named = store.model().installed.filter(one => sameName(one.name, wallet.name))
    if (walletKey === undefined && named.some(({ twin }) => twin))
      return dispatch({ type: 'screen.shown', data: { screen: { name: 'Connect' } } })
    const here = walletKey ?? named[0]?.walletKey
    if (here === undefined) {
      phoneOpener()?.(surroundings, wallet)
      return dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletConnect', wallet } } })
    }
    const known = store.model().installed.find(one => one.walletKey === here)
    const announced = known ? { walletId: known.name, name: known.name } : wallet
    dispatch({
      type: 'screen.shown',
      data: { screen: { name: 'ConnectingInstalled', wallet: announced, walletKey: here } },
    })
    command({ type: 'connection.connectInstalled', data: { walletKey: here, wallet: announced } })
  }
}
