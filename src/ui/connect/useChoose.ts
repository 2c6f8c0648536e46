import type { WalletRef } from '../../events/schema/fields.ts'
import type { Connection, ConnectionView } from '../../events/subjects/wallet/connection.ts'
import { useSurroundings } from '../react.tsx'
import { sameName } from '../walletNames.ts'
import { phoneOpener } from './phone/opener.ts'

/** @returns the live connection of an installed wallet. A wallet of a shared name proves nothing by it */
export function linkedOf(
  made: ConnectionView['made'],
  { name, twin = false }: { name: string; twin?: boolean },
): Connection | undefined {
  return Object.values(made).find(
    ({ connector, phase, wallet }) => connector === 'installed' && phase === 'live' && !twin && wallet.name === name,
  )
}

/**
 * @returns the action of a press on a wallet. An installed wallet receives the request within the press; on a phone any other
 *   is opened within it; else its code is shown; no wallet opens the plain code. If several installed wallets share or resemble
 *   the name, it opens the list. A connected wallet is not asked again: it becomes the active one, among the wallets.
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
    const { installed, connection } = store.model()
    const known = installed.find(one => one.walletKey === here)
    const linked = known && linkedOf(connection.made, known)
    if (linked) {
      const { connectionId } = linked
      if (connectionId !== connection.active) command({ type: 'connection.activate', data: { connectionId } })
      return dispatch({ type: 'screen.opened', data: { screen: { name: 'ProfileWallets' } } })
    }
    const announced = known ? { walletId: known.name, name: known.name } : wallet
    dispatch({
      type: 'screen.shown',
      data: { screen: { name: 'ConnectingInstalled', wallet: announced, walletKey: here } },
    })
    command({ type: 'connection.connectInstalled', data: { walletKey: here, wallet: announced } })
  }
}
