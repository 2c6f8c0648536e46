import { own } from '../../runtime/schema/own.ts'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { OpenWallet } from '../OpenWallet.tsx'
import { useModel } from '../react.tsx'

/** A host's request that waits in a wallet on this device, which the browser opens only by a press; null once it has ended. */
export function WaitingWallet({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const isOpen = useModel(({ request }) => (own(request, requestId)?.phase ?? 'ended') !== 'ended')
  if (!isOpen) return null
  return (
    <Sheet title="Open your wallet" viewKey={requestId} onClose={onClose} pad>
      <p className="text-muted">A request waits in your wallet. Answer it there, then come back.</p>
      <div className="layout-stack layout-above">
        <OpenWallet requestId={requestId} />
      </div>
    </Sheet>
  )
}
