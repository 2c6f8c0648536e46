import { type ReactNode, useRef, useState } from 'react'
import { span } from '../../runtime/replay/describe.ts'
import { toFailure } from '../../runtime/failure.ts'
import { shellWord } from '../../events/replay/shellWord.ts'
import { counts } from '../../runtime/replay/verdict.ts'
import { Button } from '../kit/controls/Button.tsx'
import { CopyButton } from '../kit/controls/CopyButton.tsx'
import { Glyph } from '../kit/icons/Glyph.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { warn } from '../kit/icons/icons.ts'
import { checkIcon, sun } from '../kit/icons/iconsOfStart.ts'
import { file as fileIcon } from '../kit/icons/iconsOfReplayer.ts'
import { TabBar } from '../kit/controls/Tabs.tsx'
import { Tag } from '../kit/feedback/Tag.tsx'
import type { Builds } from './panes/compare/FirstDifference.tsx'
import { Notes } from './panes/Notes.tsx'
import { FileButton, Open, type Progress } from './Open.tsx'
import { Playback } from './Playback.tsx'
import { placeOf } from './moment.ts'
import { type Opened, type OpenFile, prepare, type Reading } from './reading.ts'
import type { Screens } from './panes/Screen.tsx'
import { capitalised, type Mode, redactionOf, type Strict } from './strict.tsx'
import { useDrop } from './hooks/useDrop.ts'
import { keys } from './hooks/useKeys.ts'

/** Services of the page around the replayer. */
type ReplayerProps = {
  open: OpenFile
  /** Build of the core that re-executes here. */
  coreBuild: string
  screens: Screens
  copy(text: string): Promise<boolean>
  /** A recording to try without one's own. */
  sample?(): Promise<File>
}

/**
 * The replayer: opens a recording, moves through its time, and re-executes its inputs with the code of this build. One component:
 * opening another file stops both readings.
 */
export function Replayer(props: ReplayerProps) {
  const [opened, setOpened] = useState<Opened>()
  const [other, setOther] = useState<Opened>()
  const [strict, setStrict] = useState<Strict>({ phase: 'running' })
  const [progress, setProgress] = useState<Progress>()
  const [refusal, setRefusal] = useState<string>()
  const [mode, setMode] = useState<Mode>('view')
  const [begin, setBegin] = useState<number>()
  const reading = useRef<Reading>(undefined)
  const running = useRef<Reading>(undefined)

  const stop = () => {
    reading.current?.stop()
    reading.current = undefined
    setProgress(undefined)
  }
  /** @param beside opens the file beside the one that is open */
  const take = async (file: File, beside = false) => {
    stop()
    setRefusal(undefined)
    setProgress({ file: file.name, lines: 0, share: 0 })
    const mine = props.open(file, (lines, share) => setProgress({ file: file.name, lines, share }))
    reading.current = mine
    const current = () => reading.current === mine
    try {
      const ready = await prepare(file.name, await mine.recording)
      if (!current()) return
      if (beside) {
        mine.stop()
        reading.current = undefined
        setProgress(undefined)
        setOther(ready)
        setMode('compare')
        return
      }
      // A link counts for the first file alone: later the address is that of the playhead
      const asked = opened ? undefined : placeOf(ready.story, location.hash)
      setBegin(asked)
      running.current?.stop()
      running.current = mine
      reading.current = undefined
      setOpened(ready)
      setOther(undefined)
      setStrict({ phase: 'running' })
      setMode('view')
      setProgress(undefined)
      void judge(mine)
    } catch (fault) {
      if (!current()) return
      stop()
      setRefusal(capitalised(toFailure(fault).message))
    }
  }
  const judge = async (of: Reading) => {
    const found = await of.verdict.then(
      (verdict): Strict => ({ phase: 'done', verdict }),
      (fault: unknown): Strict => ({ phase: 'refused', why: capitalised(toFailure(fault).message) }),
    )
    if (running.current === of) setStrict(found)
  }
  const close = () => {
    running.current?.stop()
    running.current = undefined
    history.replaceState(history.state, '', location.pathname + location.search)
    setOpened(undefined)
    setOther(undefined)
  }
  const over = useDrop(file => void take(file))
  const takeSample = async (load: () => Promise<File>) => {
    try {
      await take(await load())
    } catch (fault) {
      setRefusal(capitalised(toFailure(fault).message))
    }
  }
  const { sample } = props

  if (!opened) {
    return (
      <div className="replayer">
        <Bar />
        <Open
          over={over}
          progress={progress}
          refusal={refusal}
          onFile={file => void take(file)}
          onSample={sample && (() => void takeSample(sample))}
          onStop={stop}
        />
      </div>
    )
  }
  const { file, recording } = opened
  const { header } = recording
  const builds: Builds = { recorded: header.coreBuild, running: props.coreBuild }
  const redaction = redactionOf(header)
  return (
    <div className="replayer">
      <Bar>
        <span className="replayer-bar-rule" />
        <h1 className="layout-inline">
          <Icon path={fileIcon} small />
          <b>{file}</b>
        </h1>
        <span className="text-muted replayer-bar-summary" title={summary(opened)}>
          {summary(opened)}
        </span>
        {redaction.tag && <Tag tone="accent">{redaction.tag}</Tag>}
        {!recording.complete && <Tag tone="warn">Truncated</Tag>}
        <div className="replayer-bar-end">
          <TabBar
            look="seg"
            label="Mode"
            value={mode}
            onChange={setMode}
            items={[
              { id: 'view', label: 'View' },
              { id: 'strict', label: 'Strict' },
              ...(other ? [{ id: 'compare' as const, label: 'Compare' }] : []),
            ]}
          />
          <CopyButton
            size="small"
            label="Copy link"
            title="The address of this moment; it opens beside the same file"
            onCopy={() => props.copy(location.href)}
          />
          <CopyButton
            size="small"
            label="Copy as test"
            title="The command that turns this file into a regression test"
            onCopy={() => props.copy(`npm run replay -- to-test ${shellWord(file)}`)}
          />
          <FileButton size="small" label="Compare with" onFile={file => void take(file, true)} />
          <Button size="small" onClick={close}>
            Open another
          </Button>
        </div>
      </Bar>
      <Notes opened={opened} strict={strict} refusal={refusal} progress={progress} onStop={stop} />
      <Playback
        key={`${file} ${header.logId} ${header.startedAt}`}
        opened={opened}
        strict={strict}
        builds={builds}
        mode={mode}
        onMode={setMode}
        screens={props.screens}
        copy={props.copy}
        other={other}
        begin={begin}
      />
      <footer className="replayer-foot">
        <StrictLine strict={strict} />
        <span className="text-muted">
          core {builds.recorded.slice(0, 12) || 'unknown'}, app {header.appBuild.slice(0, 12) || 'unknown'}
        </span>
        <Keys key={mode} />
        <span className="text-muted">No drivers attached: replays can’t make payments.</span>
      </footer>
    </div>
  )
}

function Bar({ children }: { children?: ReactNode }) {
  return (
    <header className="replayer-bar">
      <span className="brand">
        <Glyph of="mai" size={18} />
        Replay
      </span>
      {children ?? <div className="replayer-bar-end" />}
      <IconButton path={sun} label="Switch theme" onClick={switchTheme} />
    </header>
  )
}

function switchTheme() {
  const { dataset } = document.documentElement
  const dark = dataset.theme ? dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  dataset.theme = dark ? 'light' : 'dark'
}

function StrictLine({ strict }: { strict: Strict }) {
  if (strict.phase === 'running')
    return <span className="layout-inline text-muted replayer-foot-verdict">Re-running the inputs</span>
  if (strict.phase === 'refused')
    return <span className="layout-inline text-muted replayer-foot-verdict">Not re-run</span>
  const { verdict } = strict
  return (
    <output className={verdict.ok ? 'layout-inline text-good' : 'layout-inline text-bad'}>
      <Icon path={verdict.ok ? checkIcon : warn} small />
      {verdict.ok
        ? `${counts(verdict.inputs, 'input')} re-run, every byte equal`
        : `First difference at input ${verdict.difference.n}`}
    </output>
  )
}

function Keys() {
  return (
    <details className="keys">
      <summary>Keys</summary>
      <dl>
        {keys.map(([key, words]) => (
          <div key={key}>
            <dt className="replayer-mono">{key}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function summary({ recording, counts: { inputs, facts, pages }, timeline: { from, to } }: Opened): string {
  const end = recording.complete ? 'complete' : 'truncated'
  const { words } = redactionOf(recording.header)
  return `${counts(inputs, 'input')}, ${counts(facts, 'fact')}, ${counts(pages, 'page fact')}, ${span(to - from)}, ${words}, ${end}`
}
