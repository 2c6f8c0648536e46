import { activeConnection } from '../../../events/subjects/activeConnection.ts'
import { walletName } from '../../../events/subjects/connection.ts'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { useModel } from '../../react.tsx'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { DisconnectRow } from '../DisconnectRow.tsx'
import { useNetworkName } from '../NetworkChip.tsx'
import { NetworkRow } from './NetworkRow.tsx'
import { useNetworks } from './useNetworks.ts'

/** The active network cannot be used: another one, or another wallet. */
export function UnsupportedChain() {
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
