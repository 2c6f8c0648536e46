import { own } from '../../runtime/schema/own.ts'
import { Sheet } from '../kit/surface/Sheet.tsx'
import { OpenWallet } from '../OpenWallet.tsx'
import { useModel } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { signInArea } from '../texts/signin/en.ts'

/** A host's request that waits in a wallet on this device, which the browser opens only by a press; null once it has ended. */
export function WaitingWallet({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const t = useTexts(signInArea)
  const isOpen = useModel(({ request }) => (own(request, requestId)?.phase ?? 'ended') !== 'ended')
  if (!isOpen) return null
  return (
    <Sheet title={t.openYours} viewKey={requestId} onClose={onClose} pad>
      <p className="text-muted">{t.requestWaits}</p>
      <div className="layout-stack layout-above">
        <OpenWallet requestId={requestId} />
      </div>
    </Sheet>
  )
}
