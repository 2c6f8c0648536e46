import { type ReactNode, useDeferredValue, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { span } from '../../events/describe.ts'
import type { Recording } from '../../events/recording.ts'
import { foldAround, type Moment, momentsOf } from '../../events/replay.ts'
import { timelineOf } from '../../events/timeline.ts'
import type { Verdict } from '../../events/verdict.ts'
import { IconButton } from '../kit/IconButton.tsx'
import { first, last, next, prev } from '../kit/iconsOfReplayer.ts'
import { Tag } from '../kit/Tag.tsx'
import { countChanges } from './changes.ts'
import { FactList, Find, useFound } from './FactList.tsx'
import { type Builds, FirstDifference } from './FirstDifference.tsx'
import { Lanes } from './Lanes.tsx'
import { ModelTree } from './ModelTree.tsx'
import { Screen, type Screens } from './Screen.tsx'

export type PlaybackProps = {
  file: string
  recording: Recording
  verdict: Verdict | undefined
  builds: Builds
  /** The first difference is on show in place of the panes. */
  strict: boolean
  onStrict(strict: boolean): void
  screens: Screens
  copy(text: string): Promise<boolean>
}

/** A recording from its first fact to its last: time, what happened, the screens and the model at the playhead. */
export function Playback(props: PlaybackProps) {
  const { records } = props.recording
  const moments = useMemo(() => momentsOf(records), [records])
  const timeline = useMemo(() => timelineOf(records, moments), [records, moments])
  const [index, setIndex] = useState(Math.max(0, moments.length - 1))
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const shown = useDeferredValue(index)
  const found = useFound(records, moments, useDeferredValue(text))
  const end = moments.length - 1
  const within = (to: number) => Math.max(0, Math.min(end, to))
  const move = (to: number) => setIndex(within(to))
  // Keys may come faster than pictures: each step goes on from the one before
  const step = (to: (from: number) => number) => setIndex(from => within(to(from)))
  const different = props.verdict?.ok === false ? props.verdict : undefined
  const badAt = different ? moments.findIndex(moment => moment.index >= different.difference.index) : -1

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const at = event.target
    if (at instanceof HTMLInputElement || (at instanceof HTMLElement && at.role === 'radio')) return
    const steps: Record<string, () => void> = {
      ArrowRight: () => step(from => (event.shiftKey ? otherInput(moments, from, 1) : from + 1)),
      ArrowLeft: () => step(from => (event.shiftKey ? otherInput(moments, from, -1) : from - 1)),
      Home: () => move(0),
      End: () => move(end),
      '/': () => field.current?.focus(),
      d: () => different && props.onStrict(!props.strict),
    }
    const act = steps[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  // Before the first paint: whoever sees the timeline may press
  useLayoutEffect(() => {
    const heard = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', heard)
    return () => document.removeEventListener('keydown', heard)
  }, [])

  const where = whereOf(moments, index)
  return (
    <>
      <section className="tl" aria-label="Timeline">
        <div className="tl-head">
          <div className="transport">
            <IconButton path={first} label="To the start" onClick={() => move(0)} />
            <IconButton path={prev} label="Previous fact" onClick={() => step(from => from - 1)} />
            <IconButton path={next} label="Next fact" onClick={() => step(from => from + 1)} />
            <IconButton path={last} label="To the end" onClick={() => move(end)} />
          </div>
          <div className="where">
            <b>{where.fact}</b>
            <span>{where.input}</span>
            <span>{where.time}</span>
          </div>
          <div className="end">
            <Find value={text} onChange={setText} ref={field} />
          </div>
        </div>
        <Lanes
          timeline={timeline}
          index={index}
          text={`${where.fact}, ${where.input}, ${where.time}`}
          badFrom={badAt < 0 ? undefined : (timeline.x[badAt] ?? 0)}
          onMove={move}
        />
      </section>
      {props.strict && different ? (
        <FirstDifference verdict={different} builds={props.builds} file={props.file} copy={props.copy} />
      ) : (
        <Panes moments={moments} index={shown} screens={props.screens}>
          <FactList moments={moments} found={found} index={index} onMove={move} />
        </Panes>
      )}
    </>
  )
}

function Panes(props: { moments: readonly Moment[]; index: number; screens: Screens; children: ReactNode }) {
  const { moments, index, screens } = props
  const { before, after } = useMemo(() => foldAround(moments, index), [moments, index])
  const moment = moments[index]
  const changes = useMemo(() => countChanges(before, after), [before, after])
  const { width } = after.tab
  return (
    <main className="panes">
      <Pane name="Screen" note={`${moment?.record.k === 'p' ? `tab ${moment.record.tab}, ` : ''}${width} px`}>
        <Screen model={after} at={moment?.record.at ?? 0} screens={screens} />
      </Pane>
      <Pane name="Model" note={changes === 1 ? '1 change by this fact' : `${changes} changes by this fact`}>
        <ModelTree before={before} after={after} />
      </Pane>
      <Pane name="Facts" note={`${moments.length} in all`}>
        {props.children}
      </Pane>
    </main>
  )
}

function Pane({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <section className="pane" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <Tag>{note}</Tag>
      </header>
      <div className="pane-b">{children}</div>
    </section>
  )
}

function whereOf(moments: readonly Moment[], index: number): { fact: string; input: string; time: string } {
  const moment = moments[index]
  if (!moment) return { fact: 'No fact', input: '', time: '' }
  const began = moments[0]?.record.at ?? 0
  return {
    fact: `Fact ${(index + 1).toLocaleString('en')} of ${moments.length.toLocaleString('en')}`,
    input: moment.record.k === 'f' ? `input ${moment.record.n.toLocaleString('en')}` : 'page',
    time: span(moment.record.at - began),
  }
}

/** The nearest moment in this direction that another input caused. */
function otherInput(moments: readonly Moment[], index: number, step: 1 | -1): number {
  const now = moments[index]?.input?.n
  let at = index
  while (moments[at + step] && (at === index || moments[at]?.input?.n === now || moments[at]?.input === undefined))
    at += step
  return at
}
