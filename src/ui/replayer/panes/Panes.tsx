import { type ReactNode, useMemo, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import type { Link } from '../../../events/replay/cause.ts'
import { beginOfStep, recordedIndex } from '../../../events/replay/story.ts'
import { TabBar } from '../../kit/controls/Tabs.tsx'
import { Tag } from '../../kit/feedback/Tag.tsx'
import { CausePane } from './Cause.tsx'
import { countChanges } from '../changes.ts'
import { EntryList } from './EntryList.tsx'
import { ModelTree } from './ModelTree.tsx'
import type { Opened } from '../reading.ts'
import { ScreenPane, type Screens } from './Screen.tsx'
import type { Found } from '../hooks/useFound.ts'

export type Side = 'cause' | 'all'

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
  screens: Screens
  onMove(place: number): void
}) {
  const { opened, place, found, links, side, onSide, screens, onMove } = props
  const { story, walk, timeline } = opened
  const [tab, setTab] = useState('')
  const [since, setSince] = useState<'input' | 'fact'>('input')
  const entry = story[place]
  const record = entry?.record
  const base = since === 'fact' ? place - 1 : beginOfStep(story, place)
  const before = walk.at(base, tab || undefined)
  const after = walk.at(place, tab || undefined)
  const shownTab = tab || lastTab(opened, place)
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
          </>
        }
      >
        <ModelTree before={before} after={after} />
      </Pane>
      <Pane
        name={side === 'cause' ? 'Cause' : 'What happened'}
        head={
          <TabBar
            look="seg"
            label="Beside the model"
            value={side}
            onChange={onSide}
            items={[
              { id: 'cause', label: 'Cause' },
              { id: 'all', label: found ? 'Found' : 'All' },
            ]}
          />
        }
        note={<Tag>{side === 'cause' ? ofWhat(opened, place) : howMany(opened, found)}</Tag>}
      >
        {side === 'cause' ? (
          <CausePane
            links={links}
            index={entry?.index ?? -1}
            onMove={index => {
              const to = recordedIndex(story, index)
              if (to !== undefined) onMove(to)
            }}
          />
        ) : found && !found.done ? (
          <p className="text-muted chain-none">Looking</p>
        ) : (
          <EntryList story={story} places={found?.places} place={place} onMove={onMove} />
        )}
      </Pane>
    </main>
  )
}

/** @param props `inert`: nothing inside takes the focus, so the pane itself does, to scroll by keys */
function Pane(props: { name: string; head?: ReactNode; note: ReactNode; inert?: true; children: ReactNode }) {
  const { name, head, note, inert, children } = props
  return (
    <section className="panes-pane" aria-label={name}>
      <header>
        {head ?? <h2>{name}</h2>}
        <span className="panes-note">{note}</span>
      </header>
      <div className="panes-body" tabIndex={inert && 0}>
        {children}
      </div>
    </section>
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
        <option value="">The tab that spoke last</option>
        {tabs.map((tab, at) => (
          <option key={tab} value={tab}>
            {`page ${at + 1}, ${tab}`}
          </option>
        ))}
      </select>
    </>
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
