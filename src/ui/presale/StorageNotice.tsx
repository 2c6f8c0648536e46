import { Note } from '../kit/feedback/Note.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel } from '../react.tsx'
import { useSaleWords } from './saleWords.ts'

/** Warns if nothing is persisted on this device, or if a damaged log lost its last records. */
export function StorageNotice() {
  const { sale } = useSaleWords()
  const inMemory = useModel(model => model.core.storage === 'memory')
  const lost = useModel(model => model.core.cut?.records)
  if (!inMemory && lost === undefined) return null
  return (
    <div className="status" data-testid="kept">
      {inMemory && <Tag tone="warn">{sale.notSaved}</Tag>}
      {lost !== undefined && (
        <Note tone="warn" live="status">
          <b>{sale.damaged}</b> {sale.entriesGone(lost)}
        </Note>
      )}
    </div>
  )
}
