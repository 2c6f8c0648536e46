import { Note } from '../kit/Note.tsx'
import { useModel } from '../react.tsx'

/**
 * Tabs with two versions of this page cannot share what they know; this one works, the other one waits.
 *
 * @param isOrdering an order is under way, whose wallet may be asked in this very page: reloading can wait
 */
export function OtherBuild({ isOrdering = false }: { isOrdering?: boolean }) {
  const open = useModel(model => model.tab.otherBuild)
  if (!open) return null
  return (
    <Note live="status" className="halt">
      <b>Another version of this page is open in another tab.</b>{' '}
      {isOrdering ? (
        'Reload both when this order is through.'
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
