import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { clockText, details, printable } from '../../../../runtime/replay/describe.ts'
import type { Entry } from '../../../../runtime/story/story.ts'
import { classes } from '../../../kit/classes.ts'
import { countBefore } from '../../hooks/useFound.ts'

/** Height of a row in rem, as in the style sheet; rows rendered beyond each end of the visible ones. */
const rowRem = 3
const beyond = 6
const kinds = { i: 'input', f: 'fact', p: 'page' }

/**
 * All entries, one row each, virtualised; a press moves the playhead there. One component, because scrolling, keys and rows share
 * the list's measures.
 *
 * @param places of the entries to show, in order; absent: all
 */
export function EntryList(props: {
  story: readonly Entry[]
  places: readonly number[] | undefined
  place: number
  onMove(place: number): void
}) {
  const { story, places, place, onMove } = props
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const [view, setView] = useState({ top: 0, height: 0, row: rowRem * 16 })
  const count = places?.length ?? story.length
  const here = places ? countBefore(places, place) : place

  const look = () => {
    const { scrollTop: top = 0, clientHeight = 0 } = box.current ?? {}
    const row = rowRem * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16)
    setView(was =>
      was.top === top && was.height === clientHeight && was.row === row ? was : { top, height: clientHeight, row },
    )
  }
  useEffect(() => {
    const area = box.current
    if (!area || typeof ResizeObserver === 'undefined') return
    const sizes = new ResizeObserver(look)
    sizes.observe(area)
    return () => sizes.disconnect()
  }, [])

  const { row } = view
  const height = view.height || 600
  const first = Math.max(0, Math.floor(view.top / row) - beyond)
  const last = Math.min(count, Math.ceil((view.top + height) / row) + beyond)
  useLayoutEffect(() => {
    // Set from code: the content security policy forbids style attributes
    list.current?.style.setProperty('padding-block', `${first * row}px ${(count - last) * row}px`)
  }, [first, last, count, row])
  // Scrolls to the playhead's row
  useLayoutEffect(() => {
    const area = box.current
    if (!area) return
    const y = here * row
    if (y < area.scrollTop || y + row > area.scrollTop + height) area.scrollTop = Math.max(0, y - height / 2)
    look()
  }, [here, row, height, places])

  if (count === 0) return <p className="text-muted chain-none">Nothing holds this text.</p>
  const at = (position: number) => (places ? places[position] : position)
  return (
    <div
      ref={box}
      className="entry-list"
      role="listbox"
      aria-label="What happened"
      aria-activedescendant={first <= here && here < last ? `${id}${place}` : undefined}
      tabIndex={0}
      onScroll={look}
      onKeyDown={event => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        const to = at(places && places[here] !== place && step === 1 ? here : here + step)
        if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        if (to !== undefined && to >= 0 && to < story.length) onMove(to)
      }}
    >
      <div ref={list} className="chain">
        {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
          const mine = at(first + offset)
          const entry = mine === undefined ? undefined : story[mine]
          if (!entry || mine === undefined) return null
          const { record } = entry
          const on = mine === place
          return (
            <button
              type="button"
              key={mine}
              id={`${id}${mine}`}
              role="option"
              tabIndex={-1}
              aria-selected={on}
              aria-setsize={count}
              aria-posinset={first + offset + 1}
              className={classes('chain-entry', on && 'is-on')}
              onClick={() => onMove(mine)}
            >
              <span className={classes('chain-kind', record.k === 'f' && 'is-fact')}>{kinds[record.k]}</span>
              <span className="chain-type replayer-mono">{printable(record.type)}</span>
              <span className="chain-meta">{clockText(record.at)}</span>
              <span className="chain-sub">{details(record)}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
