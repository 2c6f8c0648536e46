import { Note } from '../kit/Note.tsx'
import { useModel } from '../react.tsx'

/** Tabs with two versions of this page cannot share what they know; this one works, the other one waits. */
export function OtherBuild() {
  const open = useModel(model => model.tab.otherBuild)
  if (!open) return null
  return (
    <Note live="status" className="halt">
      <b>Another version of this page is open in another tab.</b> Reload both.{' '}
      <button type="button" className="link" onClick={() => location.reload()}>
        Reload
      </button>
    </Note>
  )
}
