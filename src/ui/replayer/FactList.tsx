import { type Ref, useEffect, useMemo, useRef } from 'react'
import { clock, details, printable } from '../../events/describe.ts'
import type { Recorded } from '../../events/recording.ts'
import type { Moment } from '../../events/replay.ts'
import { classes } from '../kit/classes.ts'
import { Icon } from '../kit/Icon.tsx'
import { find } from '../kit/iconsOfReplayer.ts'

/** Facts shown on each side of the playhead; the rest is one scrub away. */
const around = 100

/** The search field. */
export function Find({
  value,
  onChange,
  ref,
}: {
  value: string
  onChange(value: string): void
  ref: Ref<HTMLInputElement>
}) {
  return (
    <label className="field find">
      <Icon path={find} small />
      <input
        ref={ref}
        type="search"
        placeholder="Type, id or address"
        aria-label="Find"
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </label>
  )
}

/** @returns the places of the moments whose line holds the text, all of them when it is empty */
export function useFound(records: readonly Recorded[], moments: readonly Moment[], text: string): number[] {
  return useMemo(() => {
    const wanted = text.trim().toLowerCase()
    return moments.flatMap((moment, place) =>
      wanted === '' || records[moment.index]?.line.toLowerCase().includes(wanted) ? [place] : [],
    )
  }, [records, moments, text])
}

/** What happened around the playhead, one line a fact; a press moves the playhead there. */
export function FactList(props: {
  moments: readonly Moment[]
  found: readonly number[]
  index: number
  onMove(index: number): void
}) {
  const { moments, found, index, onMove } = props
  const list = useRef<HTMLOListElement>(null)
  // the line on show changes with the playhead
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest' })
  }, [index])
  if (found.length === 0) return <p className="muted">No fact holds this text.</p>

  const here = found.findIndex(place => place >= index)
  const at = here < 0 ? found.length - 1 : here
  const [from, to] = [Math.max(0, at - around), Math.min(found.length, at + around + 1)]
  return (
    <>
      {from > 0 && <p className="muted">{from} earlier</p>}
      <ol className="chain facts-around" ref={list}>
        {found.slice(from, to).map(place => {
          const moment = moments[place]
          if (!moment) return null
          const { record } = moment
          return (
            <li key={place} className={classes(place === index && 'on')}>
              <span className={classes('kd', record.k === 'f' && 'fact')}>{record.k === 'f' ? 'core' : 'page'}</span>
              <button
                type="button"
                className="ty mono"
                aria-current={place === index ? 'step' : undefined}
                onClick={() => onMove(place)}
              >
                {printable(record.type)}
              </button>
              <span className="mt">{clock(record.at)}</span>
              <span className="sb">{details(record)}</span>
            </li>
          )
        })}
      </ol>
      {to < found.length && <p className="muted">{found.length - to} later</p>}
    </>
  )
}
