import { Note } from '../kit/feedback/Note.tsx'
import { useModel } from '../react.tsx'
import { useSaleWords } from './saleWords.ts'

/**
 * Tabs with different builds cannot share a core: one works, the other waits.
 *
 * @param isOrdering an order is open and its wallet may be waiting in this very page, so reloading can wait
 */
export function OtherBuild({ isOrdering = false }: { isOrdering?: boolean }) {
  const { basics, sale: t } = useSaleWords()
  const open = useModel(model => model.tab.otherBuild)
  if (!open) return null
  return (
    <Note live="status" className="sale-note">
      <b>{basics.otherBuild[0]}</b>{' '}
      {isOrdering ? (
        t.otherBuildLater
      ) : (
        <>
          {t.otherBuildReload}{' '}
          <button type="button" className="link" onClick={() => location.reload()}>
            {t.reload}
          </button>
        </>
      )}
    </Note>
  )
}
