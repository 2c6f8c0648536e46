import { useRef } from 'react'
import { classes } from '../kit/classes.ts'
import { Button } from '../kit/Button.tsx'
import { Icon } from '../kit/Icon.tsx'
import { receive } from '../kit/iconsOfReplayer.ts'
import { Note } from '../kit/Note.tsx'

/**
 * The first screen: one place to drop a recording, and below it what was wrong with the last one.
 *
 * @param over a file is held over the window
 */
export function Open(props: {
  over: boolean
  reading: string | undefined
  refusal: string | undefined
  onFile(file: File): void
}) {
  const { over, reading, refusal, onFile } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <main className="opening">
      <div className={classes('dropzone', over && 'is-over')}>
        <Icon path={receive} />
        <h1>Drop a recording</h1>
        <p>
          A <code>.replay.jsonl</code> or <code>.gz</code> file, up to 64 MB. It stays on this machine and runs nothing.
        </p>
        <Button kind="primary" busy={reading !== undefined} onClick={() => input.current?.click()}>
          {reading === undefined ? 'Choose a file' : `Reading ${reading}`}
        </Button>
        <input
          ref={input}
          className="vh"
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
        <div className="reports">
          <Note tone="bad" live="alert">
            <b>Refused.</b> {refusal}. Nothing was opened.
          </Note>
        </div>
      )}
    </main>
  )
}
