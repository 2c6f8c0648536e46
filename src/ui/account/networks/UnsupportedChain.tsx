import { useEffect, useEffectEvent, useRef } from 'react'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { walletName } from '../../../events/subjects/wallet/connection.ts'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { useDispatch, useModel } from '../../react.tsx'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { DisconnectRow } from '../wallets/DisconnectRow.tsx'
import { networkStanding } from '../../../events/subjects/wallet/approvedNetworks.ts'
import { useNetworkName } from './NetworkChip.tsx'
import { NetworkRow } from './NetworkRow.tsx'
import { useNetworks } from './useNetworks.ts'

/** The active network cannot be used: another one, or another wallet. It leaves once the network can be used. */
export function UnsupportedChain() {
  useLeaveOnceUsable()
  const t = useTexts(networksArea)
  const connection = useModel(model => activeConnection(model)?.connection)
  const isMismatched = useModel(({ network }) => network.phase === 'mismatched')
  const name = useNetworkName() ?? t.unknown
  const all = useNetworks()
  const isByWallet = connection && !isMismatched
  return (
    <>
      <p className="text-fine" role="status">
        {isByWallet ? t.notWithWallet(walletName(connection), name) : t.notServed(name)}
      </p>
      {all ? all.map(network => <NetworkRow key={network.caip2} network={network} />) : <SkeletonRow />}
      {connection && (
        <>
          <div className="layout-rule" />
          <DisconnectRow connection={connection} />
        </>
      )}
    </>
  )
}

/** Goes back, or closes the first screen, at a change to a network that can be used. */
function useLeaveOnceUsable(): void {
  const dispatch = useDispatch()
  const isSupported = useModel(model => networkStanding(model) === 'supported')
  const was = useRef(isSupported)
  const leave = useEffectEvent(() => dispatch({ type: 'screen.back', data: {} }))
  useEffect(() => {
    const before = was.current
    was.current = isSupported
    if (isSupported && !before) leave()
  }, [isSupported])
}
