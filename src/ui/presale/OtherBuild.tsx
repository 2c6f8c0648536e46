import { Note } from '../kit/feedback/Note.tsx'
import { useModel } from '../react.tsx'

/**
 * Tabs with different builds cannot share a core: one works, the other waits.
 *
 * @param isOrdering an order is open and its wallet may be waiting in this very page, so reloading can wait
 */
export function OtherBuild({ isOrdering = false }: { isOrdering?: boolean }) {
  const open = useModel(model => model.tab.otherBuild)
  if (!open) return null
  return (
    <Note live="status" className="halt">
      <b>Another version of this page is open in another tab.</b>{' '}
      {isOrdering ? (
        'Reload both when this order has ended.'
      ) : (
        <>
          Reload both.{' '}
          <button type="button" className="link" onClick={() => location.reload()}>
            Reload
          </button>
        </>
      )}
    </Note>
  )
}
