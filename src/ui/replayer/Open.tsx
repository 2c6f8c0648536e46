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
  onSample: (() => void) | undefined
  onStop(): void
}) {
  const { over, progress, refusal, onFile, onSample, onStop } = props
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
          <div className="open-ways">
            <FileButton kind="primary" label="Choose a file" onFile={onFile} />
            {onSample && <Button onClick={onSample}>Try a sample</Button>}
          </div>
        )}
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

/** A button that asks for a recording's file. */
export function FileButton(props: { label: string; kind?: 'primary'; size?: 'small'; onFile(file: File): void }) {
  const { label, kind, size, onFile } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...(kind && { kind })} size={size} onClick={() => input.current?.click()}>
        {label}
      </Button>
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
    </>
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
        {lines === 0 ? '' : `, ${lines.toLocaleString('en')} lines, ${percent}%`}
      </span>
      <Button size="small" onClick={onStop}>
        Cancel
      </Button>
    </div>
  )
}
