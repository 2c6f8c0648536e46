import { useRef } from 'react'
import { printable } from '../../runtime/replay/describe.ts'
import { classes } from '../kit/classes.ts'
import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { receive } from '../kit/icons/iconsOfReplayer.ts'
import { Note } from '../kit/feedback/Note.tsx'

/** Progress of reading a file; `share` of its text, from 0 to 1. */
export type Progress = { file: string; lines: number; share: number }

/**
 * The first screen: a drop zone for a recording, and below it the failure of the last one.
 *
 * @param over a dragged file is over the window
 */
export function Open(props: {
  over: boolean
  progress: Progress | undefined
  refusal: string | undefined
  onFile(file: File): void
  onStop(): void
}) {
  const { over, progress, refusal, onFile, onStop } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <main className="open">
      <div className={classes('open-drop', over && 'is-over')}>
        <Icon path={receive} />
        <h1>Drop a recording</h1>
        <p>
          A <code>.replay.jsonl</code> or <code>.gz</code> file, up to 64 MB. It stays on this machine and runs nothing.
        </p>
        {progress ? (
          <ReadingNote progress={progress} onStop={onStop} />
        ) : (
          <Button kind="primary" onClick={() => input.current?.click()}>
            Choose a file
          </Button>
        )}
        <input
          ref={input}
          className="text-hidden"
          type="file"
          accept=".jsonl,.gz,application/gzip,application/jsonl"
          aria-label="Recording"
          tabIndex={-1}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) onFile(file)
          }}
        />
      </div>
      {refusal !== undefined && (
        <div className="notes">
          <Note tone="bad" live="alert">
            <b>Refused.</b> {printable(refusal)}. Nothing was opened.
          </Note>
        </div>
      )}
    </main>
  )
}

/** A file being read, with a cancel button. */
export function ReadingNote({ progress: { file, lines, share }, onStop }: { progress: Progress; onStop(): void }) {
  const percent = Math.round(share * 100)
  return (
    <div className="reading">
      <progress aria-label={`Reading ${printable(file)}`} max={100} value={lines === 0 ? undefined : percent} />
      <span>
        Reading {printable(file)}
        {lines === 0 ? '' : `, ${lines.toLocaleString('en')} lines, ${percent} %`}
      </span>
      <Button size="small" onClick={onStop}>
        Cancel
      </Button>
    </div>
  )
}
