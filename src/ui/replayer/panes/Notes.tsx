import { counts } from '../../../runtime/replay/verdict.ts'
import { printable } from '../../../runtime/replay/describe.ts'
import { Note } from '../../kit/feedback/Note.tsx'
import { type Progress, ReadingNote } from '../Open.tsx'
import type { Opened } from '../reading.ts'
import type { Strict } from '../strict.tsx'

/** Types listed before the rest is only counted. */
const mostTypes = 8

/** Caveats about this file; null without any. */
export function Notes(props: {
  opened: Opened
  strict: Strict
  refusal: string | undefined
  /** Of another file being read meanwhile. */
  progress: Progress | undefined
  onStop(): void
}) {
  const { opened, strict, refusal, progress, onStop } = props
  const { recording, after } = opened
  const unknown = Object.entries(recording.unknownTypes)
  const total = unknown.reduce((sum, [, count]) => sum + count, 0)
  const quiet = recording.complete && total === 0 && strict.phase !== 'refused' && after === 0
  if (quiet && refusal === undefined && !progress) return null
  const types = unknown.slice(0, mostTypes).map(([type]) => printable(type))
  if (unknown.length > mostTypes) types.push(`${unknown.length - mostTypes} more`)
  return (
    <section className="notes is-in-bar" aria-label="Notes">
      {progress && <ReadingNote progress={progress} onStop={onStop} />}
      {refusal !== undefined && (
        <Note tone="bad" live="alert">
          <b>Refused.</b> {printable(refusal)}. The recording before it is still open.
        </Note>
      )}
      {after > 0 && (
        <Note>
          <b>Begins at input {(after + 1).toLocaleString('en')} from a checkpoint.</b> What was before it is known, not
          shown.
        </Note>
      )}
      {!recording.complete && (
        <Note>
          <b>Truncated, still usable.</b> The file has no trailer and is valid to line{' '}
          {((recording.truncatedAt ?? 1) - 1).toLocaleString('en')}. Later inputs are missing.
        </Note>
      )}
      {total > 0 && (
        <Note tone="warn">
          <b>{counts(total, 'record')} of unknown type.</b> {types.join(', ')}: newer than this build. Kept, counted,
          skipped by the view.
        </Note>
      )}
      {strict.phase === 'refused' && (
        <Note tone="warn">
          <b>Not re-executed.</b> {printable(strict.why)}.
        </Note>
      )}
    </section>
  )
}
