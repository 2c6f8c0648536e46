import { useMemo, useState } from 'react'
import { clockText, printable, span } from '../../../../runtime/replay/describe.ts'
import { endsStep } from '../../../../runtime/story/story.ts'
import { Tag } from '../../../kit/feedback/Tag.tsx'
import { countChanges } from '../../changes.ts'
import { ModelTree } from '../model/ModelTree.tsx'
import { Pane } from '../Pane.tsx'
import type { Opened } from '../../reading.ts'
import { ScreenPane, type Screens } from '../Screen.tsx'

/** Finds the moment of the other recording: by the time since its beginning, or by the number of the input. */
type Pairing = 'time' | 'input'

/**
 * Two recordings side by side: the screens of both at one moment, and the differences between their models.
 *
 * @param place of the playhead, in the first recording
 */
export function ComparePane(props: { opened: Opened; other: Opened; place: number; screens: Screens }) {
  const { opened, other, place, screens } = props
  const [pairing, setPairing] = useState<Pairing>('time')
  const beside = useMemo(() => placeBeside(opened, place, other, pairing), [opened, place, other, pairing])
  const here = opened.walk.at(place)
  const there = other.walk.at(beside)
  const changes = countChanges(here, there)
  return (
    <main className="panes compare" data-place={place + 1} data-beside={beside + 1}>
      <Half name="First recording" opened={opened} place={place} screens={screens} />
      <Half name="Second recording" opened={other} place={beside} screens={screens} />
      <Pane
        name="Model, first to second"
        note={
          <>
            <Tag>{`${changes.toLocaleString('en')} ${changes === 1 ? 'difference' : 'differences'}`}</Tag>
            <select
              className="replayer-choice"
              aria-label="Pairing"
              value={pairing}
              onChange={event => setPairing(event.target.value === 'input' ? 'input' : 'time')}
            >
              <option value="time">At the same time</option>
              <option value="input">At the same input</option>
            </select>
          </>
        }
      >
        <ModelTree before={here} after={there} />
      </Pane>
    </main>
  )
}

function Half(props: { name: string; opened: Opened; place: number; screens: Screens }) {
  const { name, opened, place, screens } = props
  const record = opened.story[place]?.record
  const model = opened.walk.at(place)
  return (
    <Pane
      name={name}
      inert
      head={<h2 className="compare-file">{printable(opened.file)}</h2>}
      note={
        <Tag>
          {record ? `${span(record.at - opened.timeline.from)}, ${clockText(record.at)}` : 'before its beginning'}
        </Tag>
      }
    >
      <p className="replayer-mono compare-entry">{record ? entryText(record) : 'nothing yet'}</p>
      <ScreenPane model={model} at={record?.at ?? 0} screens={screens} />
    </Pane>
  )
}

function entryText(record: Opened['story'][number]['record']): string {
  const number =
    record.k === 'p' ? `page fact ${record.p}` : record.k === 'f' ? `fact ${record.seq}` : `input ${record.n}`
  return `${number}, ${printable(record.type)}`
}

/** @returns the last place of the other recording at or before the same moment; −1 before its beginning */
function placeBeside(opened: Opened, place: number, other: Opened, pairing: Pairing): number {
  const record = opened.story[place]?.record
  if (!record) return -1
  let found = -1
  if (pairing === 'time') {
    const since = record.at - opened.timeline.from
    other.story.forEach((entry, at) => {
      if (entry.record.at - other.timeline.from <= since) found = at
    })
    return found
  }
  const n = inputAt(opened, place)
  other.story.forEach((entry, at) => {
    if (entry.record.k !== 'p' && entry.record.n <= n && endsStep(other.story, at)) found = at
  })
  return found
}

/** The newest input at or before a place. */
function inputAt({ story }: Opened, place: number): number {
  for (let at = place; at >= 0; at--) {
    const record = story[at]?.record
    if (record && record.k !== 'p') return record.n
  }
  return 0
}
