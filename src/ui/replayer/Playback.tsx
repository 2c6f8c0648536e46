import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { span } from '../../runtime/replay/describe.ts'
import type { Link } from '../../runtime/story/cause.ts'
import { endsStep, nearestIndex, recordedIndex } from '../../runtime/story/story.ts'
import { isCommand } from '../../events/replay/causes.ts'
import { columnOf, placeAt } from '../../events/replay/timeline.ts'
import { ComparePane } from './panes/compare/Compare.tsx'
import type { WatchedPath } from './panes/model/Watched.tsx'
import { Find } from './panes/entries/Find.tsx'
import { type Builds, FirstDifferencePane } from './panes/compare/FirstDifference.tsx'
import { Lanes, placeHead } from './panes/entries/Lanes.tsx'
import { Panes, type Side } from './panes/Panes.tsx'
import type { Opened } from './reading.ts'
import type { Screens } from './panes/Screen.tsx'
import { Agreed, type Mode, type Strict } from './strict.tsx'
import { PaceChoice, Transport } from './panes/Transport.tsx'
import { useFound } from './hooks/useFound.ts'
import { useKeys } from './hooks/useKeys.ts'
import { useMomentLink } from './hooks/useMomentLink.ts'
import { usePlaying } from './hooks/usePlaying.ts'
import { sameList } from '../../runtime/sameList.ts'

type PlaybackProps = {
  opened: Opened
  strict: Strict
  builds: Builds
  mode: Mode
  onMode(mode: Mode): void
  screens: Screens
  copy(text: string): Promise<boolean>
  /** A second recording, to compare. */
  other: Opened | undefined
  /** Place to begin at; absent: the end. */
  begin?: number | undefined
}

/** Plays a recording: timeline, entries, screens and model at the playhead. One component, because all follow one playhead. */
export function Playback(props: PlaybackProps) {
  const { opened } = props
  const { story, timeline, recording } = opened
  const end = Math.max(0, story.length - 1)
  const [place, setPlace] = useState(() => Math.min(end, props.begin ?? end))
  const [text, setText] = useState('')
  const [type, setType] = useState('')
  const [watched, setWatched] = useState<readonly WatchedPath[]>([])
  const watch = (path: WatchedPath) =>
    setWatched(known => {
      const others = known.filter(one => !sameList(one, path))
      return others.length < known.length ? others : [...known, path]
    })
  const [side, setSide] = useState<Side>('cause')
  const field = useRef<HTMLInputElement>(null)
  const head = useRef<SVGGElement>(null)
  // Keys may outpace rendering: each step starts from the newest place
  const newest = useRef(place)
  const shown = useDeferredValue(place)
  const found = useFound(recording.records, story, useDeferredValue(text), type)
  const onPlace = (to: number) => {
    newest.current = to
    setPlace(to)
  }
  const playing = usePlaying({ timeline, place, head, onPlace })
  const move = (wanted: number) => {
    const to = Math.max(0, Math.min(end, wanted))
    onPlace(to)
    playing.moved(to)
    if (head.current) placeHead(head.current, timeline.x[to] ?? 0)
  }
  const step = (to: (from: number) => number) => move(to(newest.current))
  const byInput = (by: 1 | -1) => step(from => nearestIndex(story, from, by, (_, at) => endsStep(story, at)))
  const byCommand = (by: 1 | -1) => step(from => nearestIndex(story, from, by, isCommand))
  const bySameType = (by: 1 | -1) =>
    step(from => nearestIndex(story, from, by, ({ record }) => record.type === story[from]?.record.type))
  const byTenth = (by: 1 | -1) =>
    step(from => {
      const to = placeAt(timeline, (timeline.x[from] ?? 0) + by / 10)
      return to === from ? from + by : to
    })
  const { strict, mode } = props
  const different = strict.phase === 'done' && !strict.verdict.ok ? strict.verdict : undefined
  const badAt = different ? story.findIndex(entry => entry.index >= different.difference.index) : -1

  useKeys({
    ArrowRight: () => byInput(1),
    ArrowLeft: () => byInput(-1),
    'Shift+ArrowRight': () => step(from => from + 1),
    'Shift+ArrowLeft': () => step(from => from - 1),
    PageUp: () => byTenth(1),
    PageDown: () => byTenth(-1),
    Home: () => move(0),
    End: () => move(end),
    ' ': playing.toggle,
    ']': () => byCommand(1),
    '[': () => byCommand(-1),
    '.': () => bySameType(1),
    ',': () => bySameType(-1),
    '/': () => field.current?.focus(),
    d: () => props.onMode(mode === 'view' ? 'strict' : 'view'),
  })

  useMomentLink(story, shown, move)
  const where = whereOf(opened, place)
  const links = useMemo(() => {
    const entry = story[shown]
    return entry ? opened.causes.of(entry) : []
  }, [opened, story, shown])
  const caused = useMemo(() => causedColumns(opened, links), [opened, links])
  return (
    <>
      <section className="timeline" aria-label="Timeline">
        <div className="timeline-head">
          <Transport
            playing={playing}
            onStart={() => move(0)}
            onBack={() => byInput(-1)}
            onOn={() => byInput(1)}
            onEnd={() => move(end)}
          />
          <div className="timeline-where">
            <b>{where[0]}</b>
            {where.slice(1).map(words => (
              <span key={words}>{words}</span>
            ))}
          </div>
          <div className="timeline-end">
            <Find
              value={text}
              onChange={to => {
                setText(to)
                setSide(to.trim() === '' && type === '' ? 'cause' : 'all')
              }}
              found={found}
              place={place}
              onMove={move}
              ref={field}
            />
            <PaceChoice playing={playing} />
          </div>
        </div>
        <Lanes
          timeline={timeline}
          place={place}
          text={where.join(', ').toLowerCase()}
          caused={caused}
          badFrom={badAt < 0 ? undefined : (timeline.x[badAt] ?? 0)}
          head={head}
          onMove={move}
          onStep={byInput}
        />
      </section>
      {mode === 'compare' && props.other ? (
        <ComparePane opened={opened} other={props.other} place={shown} screens={props.screens} />
      ) : mode === 'strict' ? (
        different ? (
          <FirstDifferencePane verdict={different} builds={props.builds} opened={opened} copy={props.copy} />
        ) : (
          <Agreed strict={strict} />
        )
      ) : (
        <Panes
          opened={opened}
          place={shown}
          found={found}
          links={links}
          side={side}
          onSide={setSide}
          type={type}
          onType={setType}
          watched={watched}
          onWatch={watch}
          screens={props.screens}
          copy={props.copy}
          onMove={move}
        />
      )}
    </>
  )
}

/** Columns of a causal chain's facts in their lane. */
function causedColumns({ story, timeline }: Opened, links: readonly Link[]): number[] {
  const columns = new Set<number>()
  for (const { kind, index } of links) {
    const place = kind === 'fact' ? recordedIndex(story, index) : undefined
    if (place !== undefined) columns.add(columnOf(timeline.x[place] ?? 0))
  }
  return [...columns]
}

/** Input, fact and time of a place, in words. */
function whereOf({ story, timeline }: Opened, place: number): string[] {
  const record = story[place]?.record
  if (!record) return ['No input']
  const time = span(record.at - timeline.from)
  const count = (value: number) => value.toLocaleString('en')
  if (record.k === 'p') return [`Page fact ${count(record.p)}`, `tab ${record.tab}`, time]
  if (record.k === 'i') return [`Input ${count(record.n)}`, time]
  return [`Input ${count(record.n)}`, `fact ${count(record.seq)}`, time]
}
