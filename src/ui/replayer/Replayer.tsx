import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { span } from '../../events/describe.ts'
import { toFailure } from '../../events/failure.ts'
import type { Recording } from '../../events/recording.ts'
import { counts, type Verdict } from '../../events/verdict.ts'
import { Button } from '../kit/Button.tsx'
import { Glyph } from '../kit/Glyph.tsx'
import { Icon } from '../kit/Icon.tsx'
import { IconButton } from '../kit/IconButton.tsx'
import { check, sun, warn } from '../kit/icons.ts'
import { file as fileIcon } from '../kit/iconsOfReplayer.ts'
import { Note } from '../kit/Note.tsx'
import { Tabs } from '../kit/Tabs.tsx'
import { Tag } from '../kit/Tag.tsx'
import type { Builds } from './FirstDifference.tsx'
import { Open } from './Open.tsx'
import { Playback } from './Playback.tsx'
import type { Screens } from './Screen.tsx'

/** What the page around the replayer lends it. */
export type ReplayerProps = {
  /** Reads a file. @throws Fault in one sentence when it is refused */
  read(file: File): Promise<Recording>
  /** Strict re-execution. @throws Fault when it cannot be tried */
  reexecute(recording: Recording): Verdict
  /** The core that would run here. */
  coreBuild: string
  screens: Screens
  copy(text: string): Promise<boolean>
}

type Opened = { file: string; recording: Recording }
type Strict = { phase: 'running' } | { phase: 'done'; verdict: Verdict } | { phase: 'refused'; why: string }

/** The replayer: a recording goes in, time can be walked through, the code that wrote it is held to it. */
export function Replayer(props: ReplayerProps) {
  const [opened, setOpened] = useState<Opened>()
  const [reading, setReading] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [mode, setMode] = useState<'view' | 'strict'>('view')
  const newest = useRef(0)
  const strict = useStrict(opened?.recording, props.reexecute)
  const verdict = strict.phase === 'done' ? strict.verdict : undefined

  const take = async (file: File) => {
    newest.current += 1
    const mine = newest.current
    setReading(file.name)
    setRefusal(undefined)
    try {
      const recording = await props.read(file)
      if (mine !== newest.current) return
      setOpened({ file: file.name, recording })
      setMode('view')
    } catch (fault) {
      if (mine === newest.current) setRefusal(capitalised(toFailure(fault).message))
    }
    if (mine === newest.current) setReading(undefined)
  }
  const over = useDrop(file => void take(file))

  if (!opened) {
    return (
      <div className="rp">
        <Bar />
        <Open over={over} reading={reading} refusal={refusal} onFile={file => void take(file)} />
      </div>
    )
  }
  const { file, recording } = opened
  const builds: Builds = { recorded: recording.header.coreBuild, running: props.coreBuild }
  return (
    <div className="rp">
      <Bar>
        <span className="sepv" />
        <span className="inline">
          <Icon path={fileIcon} small />
          <b>{file}</b>
        </span>
        <span className="muted only-l">{summary(recording)}</span>
        {!recording.complete && <Tag tone="warn">Truncated</Tag>}
        <div className="end">
          {verdict?.ok === false && (
            <Tabs
              look="seg"
              label="Mode"
              value={mode}
              onChange={setMode}
              items={[
                { id: 'view', label: 'View' },
                { id: 'strict', label: 'First difference' },
              ]}
            />
          )}
          <Button size="small" onClick={() => setOpened(undefined)}>
            Open another
          </Button>
        </div>
      </Bar>
      <Notes recording={recording} strict={strict} refusal={refusal} />
      <Playback
        key={file + recording.header.startedAt}
        file={file}
        recording={recording}
        verdict={verdict}
        builds={builds}
        strict={mode === 'strict'}
        onStrict={on => setMode(on ? 'strict' : 'view')}
        screens={props.screens}
        copy={props.copy}
      />
      <footer className="rfoot">
        <StrictLine strict={strict} />
        <span className="muted">
          core {builds.recorded.slice(0, 12) || 'unknown'}, app {recording.header.appBuild.slice(0, 12) || 'unknown'}
        </span>
        <span className="muted">No drivers attached: a replay can pay nobody.</span>
      </footer>
    </div>
  )
}

function Bar({ children }: { children?: ReactNode }) {
  return (
    <header className="rbar">
      <span className="brand">
        <Glyph of="mai" size={18} />
        Replay
      </span>
      {children ?? <div className="end" />}
      <IconButton path={sun} label="Switch theme" onClick={switchTheme} />
    </header>
  )
}

function switchTheme() {
  const { dataset } = document.documentElement
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  dataset.theme = dark ? 'light' : 'dark'
}

/** What is to be known about this file before anything else; nothing when all is well. */
function Notes({ recording, strict, refusal }: { recording: Recording; strict: Strict; refusal: string | undefined }) {
  const unknown = Object.entries(recording.unknownTypes)
  const total = unknown.reduce((sum, [, count]) => sum + count, 0)
  if (recording.complete && total === 0 && strict.phase !== 'refused' && refusal === undefined) return null
  return (
    <div className="reports in-bar">
      {refusal !== undefined && (
        <Note tone="bad" live="alert">
          <b>Refused.</b> {refusal}. The recording before it is still open.
        </Note>
      )}
      {!recording.complete && (
        <Note>
          <b>Truncated, still usable.</b> The file has no trailer and is valid to line{' '}
          {(recording.truncatedAt ?? 1) - 1}. Later inputs are missing.
        </Note>
      )}
      {total > 0 && (
        <Note tone="warn">
          <b>{counts(total, 'record')} of unknown type.</b> {unknown.map(([type]) => type).join(', ')}: newer than this
          build. Kept, counted, skipped by the view.
        </Note>
      )}
      {strict.phase === 'refused' && (
        <Note tone="warn">
          <b>Not re-executed.</b> {strict.why}.
        </Note>
      )}
    </div>
  )
}

function StrictLine({ strict }: { strict: Strict }) {
  if (strict.phase === 'running') return <span className="inline muted">Re-running the inputs</span>
  if (strict.phase === 'refused') return <span className="inline muted">Not re-run</span>
  const { verdict } = strict
  return (
    <output className={verdict.ok ? 'inline good' : 'inline bad'}>
      <Icon path={verdict.ok ? check : warn} small />
      {verdict.ok
        ? `${counts(verdict.inputs, 'input')} re-run, every byte equal`
        : `First difference at input ${verdict.difference.n}`}
    </output>
  )
}

/** Re-executes once the screens are painted: a long log takes a second. */
function useStrict(recording: Recording | undefined, reexecute: ReplayerProps['reexecute']): Strict {
  const [found, setFound] = useState<{ of: Recording; strict: Strict }>()
  useEffect(() => {
    if (!recording) return
    const timer = setTimeout(() => {
      try {
        setFound({ of: recording, strict: { phase: 'done', verdict: reexecute(recording) } })
      } catch (fault) {
        setFound({ of: recording, strict: { phase: 'refused', why: capitalised(toFailure(fault).message) } })
      }
    }, 50)
    return () => clearTimeout(timer)
  }, [recording, reexecute])
  return recording && found?.of === recording ? found.strict : { phase: 'running' }
}

/**
 * Takes a file wherever in the window it is dropped: the browser would leave this page for it otherwise.
 *
 * @returns whether one is held over the window
 */
function useDrop(take: (file: File) => void): boolean {
  const [over, setOver] = useState(false)
  const onDrop = useEffectEvent(take)
  useEffect(() => {
    const hold = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      const [file] = event.dataTransfer?.files ?? []
      if (file) onDrop(file)
    }
    document.addEventListener('dragover', hold)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', hold)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return over
}

function summary({ records, complete }: Recording): string {
  const of = (kind: string) => records.reduce((sum, { record }) => (record.k === kind ? sum + 1 : sum), 0)
  const times = records.flatMap(({ record }) => ('at' in record ? [record.at] : []))
  const lengthMs = (times[times.length - 1] ?? 0) - (times[0] ?? 0)
  const end = complete ? 'complete' : 'truncated'
  return `${counts(of('i'), 'input')}, ${counts(of('f'), 'fact')}, ${counts(of('p'), 'page fact')}, ${span(lengthMs)}, not redacted, ${end}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
