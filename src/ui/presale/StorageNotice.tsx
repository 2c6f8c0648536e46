import { Note } from '../kit/feedback/Note.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import { useModel } from '../react.tsx'

/** Warns if nothing is persisted on this device, or if a damaged log lost its last records. */
export function StorageNotice() {
  const inMemory = useModel(model => model.core.storage === 'memory')
  const lost = useModel(model => model.core.cut?.records)
  if (!inMemory && lost === undefined) return null
  return (
    <div className="status" data-testid="kept">
      {inMemory && <Tag tone="warn">Nothing is saved on this device</Tag>}
      {lost !== undefined && (
        <Note tone="warn" live="status">
          <b>Part of this device’s record was damaged:</b> its last {lost} {lost === 1 ? 'entry is' : 'entries are'}{' '}
          gone. What was paid stands on the chain.
        </Note>
      )}
    </div>
  )
}
