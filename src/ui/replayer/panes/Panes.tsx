import { useMemo, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import type { Link } from '../../../runtime/story/cause.ts'
import { beginOfStep, type Entry, recordedIndex } from '../../../runtime/story/story.ts'
import { printable } from '../../../runtime/replay/describe.ts'
import { CopyButton } from '../../kit/controls/CopyButton.tsx'
import { TabBar } from '../../kit/controls/Tabs.tsx'
import { Pane } from './Pane.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { CallsPane } from './Calls.tsx'
import { CausePane } from './compare/Cause.tsx'
import { countChanges } from '../changes.ts'
import { EntryList } from './entries/EntryList.tsx'
import { ModelTree } from './model/ModelTree.tsx'
import type { Opened } from '../reading.ts'
import { Watched, type WatchedPath } from './model/Watched.tsx'
import { ScreenPane, type Screens } from './Screen.tsx'
import type { Found } from '../hooks/useFound.ts'

export type Side = 'cause' | 'all' | 'calls'

/**
 * The screens, the model and the cause at one place of the recording. One component: mostly the layout of its parts.
 *
 * @param place shown in the panes; may lag behind the playhead
 */
export function Panes(props: {
  opened: Opened
  place: number
  found: Found | undefined
  links: readonly Link[]
  side: Side
  onSide(side: Side): void
  /** Only type that is listed; empty: all. */
  type: string
  onType(type: string): void
  watched: readonly WatchedPath[]
  /** Watches a part of the model, or stops to. */
  onWatch(path: WatchedPath): void
  screens: Screens
  copy(text: string): Promise<boolean>
  onMove(place: number): void
}) {
  const { opened, place, found, links, side, onSide, type, onType, watched, onWatch, screens, copy, onMove } = props
  const { story, walk, timeline, calls } = opened
  const [tab, setTab] = useState('')
  const [since, setSince] = useState<'input' | 'fact'>('input')
  const entry = story[place]
  const record = entry?.record
  const base = since === 'fact' ? place - 1 : beginOfStep(story, place)
  const before = walk.at(base, tab || undefined)
  const after = walk.at(place, tab || undefined)
  const shownTab = tab || lastTab(opened, place)
  const toRecord = (index: number) => {
    const to = recordedIndex(story, index)
    if (to !== undefined) onMove(to)
  }
  return (
    <main className="panes" data-place={place + 1}>
      <Pane
        name="Screen"
        inert
        note={
          timeline.pages.length > 1 ? (
            <TabChoice
              tabs={timeline.pages.map(page => page.tab)}
              value={tab}
              width={widthOf(after)}
              onChange={setTab}
            />
          ) : (
            <Tag>{`${shownTab === '' ? '' : `tab ${shownTab}, `}${widthOf(after)}`}</Tag>
          )
        }
      >
        <ScreenPane model={after} at={record?.at ?? 0} screens={screens} />
      </Pane>
      <Pane
        name="Model"
        follows={place}
        note={
          <>
            <Changes before={before} after={after} since={sinceWhat(opened, place, since)} />
            <select
              className="replayer-choice"
              aria-label="Difference"
              value={since}
              onChange={event => setSince(event.target.value === 'fact' ? 'fact' : 'input')}
            >
              <option value="input">By input</option>
              <option value="fact">By fact</option>
            </select>
            <CopyButton iconOnly label="Copy model" onCopy={() => copy(JSON.stringify(after, null, 2))} />
          </>
        }
      >
        <Watched paths={watched} before={before} after={after} onUnwatch={onWatch} />
        <ModelTree before={before} after={after} watched={watched} onWatch={onWatch} />
      </Pane>
      <Pane
        name={sideNames[side]}
        head={
          <TabBar
            look="seg"
            label="Beside the model"
            value={side}
            onChange={onSide}
            items={[
              { id: 'cause', label: 'Cause' },
              { id: 'all', label: found ? 'Found' : 'All' },
              { id: 'calls', label: 'Calls' },
            ]}
          />
        }
        note={
          <>
            <Tag>{sideNote(opened, place, side, found)}</Tag>
            {side === 'all' && <TypeChoice story={story} value={type} onChange={onType} />}
          </>
        }
      >
        {side === 'cause' ? (
          <CausePane links={links} index={entry?.index ?? -1} onMove={toRecord} />
        ) : side === 'calls' ? (
          <CallsPane calls={calls} index={entry?.index ?? -1} onMove={toRecord} />
        ) : found && !found.done ? (
          <p className="text-muted chain-none">Looking</p>
        ) : (
          <EntryList story={story} places={found?.places} place={place} onMove={onMove} />
        )}
      </Pane>
    </main>
  )
}

/** Selects the page to show when several tabs were open. */
function TabChoice(props: { tabs: readonly string[]; value: string; width: string; onChange(tab: string): void }) {
  const { tabs, value, width, onChange } = props
  return (
    <>
      <Tag>{width}</Tag>
      <select
        className="replayer-choice"
        aria-label="Whose page"
        value={value}
        onChange={event => onChange(event.target.value)}
      >
        <option value="">Most recently active tab</option>
        {tabs.map((tab, at) => (
          <option key={tab} value={tab}>
            {`page ${at + 1}, ${tab}`}
          </option>
        ))}
      </select>
    </>
  )
}

const sideNames = { cause: 'Cause', all: 'What happened', calls: 'Calls' }

function sideNote(opened: Opened, place: number, side: Side, found: Found | undefined): string {
  if (side === 'cause') return ofWhat(opened, place)
  return side === 'calls' ? `${opened.calls.length.toLocaleString('en')} in all` : howMany(opened, found)
}

/** Selects the one type that is listed. */
function TypeChoice(props: { story: readonly Entry[]; value: string; onChange(type: string): void }) {
  const { story, value, onChange } = props
  const types = useMemo(() => {
    const counted = new Map<string, number>()
    for (const { record } of story) counted.set(record.type, (counted.get(record.type) ?? 0) + 1)
    return [...counted].sort(([a], [b]) => (a < b ? -1 : 1))
  }, [story])
  return (
    <select
      className="replayer-choice"
      aria-label="Type"
      value={value}
      onChange={event => onChange(event.target.value)}
    >
      <option value="">All types</option>
      {types.map(([type, count]) => (
        <option key={type} value={type}>
          {`${printable(type)} (${count})`}
        </option>
      ))}
    </select>
  )
}

function Changes({ before, after, since }: { before: Model; after: Model; since: string }) {
  const changes = useMemo(() => countChanges(before, after), [before, after])
  return <Tag>{`${changes.toLocaleString('en')} ${changes === 1 ? 'change' : 'changes'} ${since}`}</Tag>
}

function sinceWhat({ story }: Opened, place: number, since: 'input' | 'fact'): string {
  const record = story[place]?.record
  if (record?.k === 'p' || since === 'fact' || !record) return 'by this fact'
  return record.n > 1 ? `since input ${(record.n - 1).toLocaleString('en')}` : 'since the beginning'
}

function ofWhat({ story }: Opened, place: number): string {
  const record = story[place]?.record
  if (!record) return ''
  if (record.k === 'f') return `of fact ${record.seq.toLocaleString('en')}`
  return record.k === 'i'
    ? `of input ${record.n.toLocaleString('en')}`
    : `of page fact ${record.p.toLocaleString('en')}`
}

function howMany({ story }: Opened, found: Found | undefined): string {
  const count = (found?.places ?? story).length.toLocaleString('en')
  return found ? `${count} found` : `${count} in all`
}

function lastTab({ story }: Opened, place: number): string {
  for (let at = place; at >= 0; at--) {
    const record = story[at]?.record
    if (record?.k === 'p') return record.tab
  }
  return ''
}

function widthOf({ tab }: Model): string {
  return `${tab.width} px`
}
