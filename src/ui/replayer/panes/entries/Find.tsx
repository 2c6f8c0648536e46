import { type Ref, useEffect, useEffectEvent, useRef } from 'react'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { IconButton } from '../../../kit/controls/IconButton.tsx'
import { find, next, prev } from '../../../kit/icons/iconsOfReplayer.ts'
import { countBefore, type Found } from '../../hooks/useFound.ts'

/**
 * The search field, the number of results, and the way to the next: Enter, or Shift+Enter for the previous.
 *
 * @param place of the playhead
 */
export function Find(props: {
  value: string
  onChange(value: string): void
  found: Found | undefined
  place: number
  onMove(place: number): void
  ref: Ref<HTMLInputElement>
}) {
  const { value, onChange, found, place, onMove, ref } = props
  const places = found?.places ?? []
  const wanted = useRef<1 | -1>(undefined)
  // The results may still be those of an earlier text
  const done = found?.done === true && found.text === value.trim()
  const go = (step: 1 | -1) => {
    // Enter before the search has ended: move once it has
    if (!done) wanted.current = step
    if (!done || places.length === 0) return
    const before = countBefore(places, place)
    const at = step === 1 ? countBefore(places, place + 1) : before - 1
    const to = places[(at + places.length) % places.length]
    if (to !== undefined) onMove(to)
  }
  const arrive = useEffectEvent(() => {
    if (wanted.current !== undefined) go(wanted.current)
    wanted.current = undefined
  })
  useEffect(() => {
    if (done) arrive()
  }, [done, found?.text])
  return (
    <div className="find-group" role="search">
      <label className="field find">
        <Icon path={find} small />
        <input
          ref={ref}
          type="search"
          placeholder="Type, id or address"
          aria-label="Find"
          value={value}
          onChange={event => {
            wanted.current = undefined
            onChange(event.target.value)
          }}
          onKeyDown={event => {
            if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
            else if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </label>
      {found && (
        <>
          <output className="find-hits">{hits(found, place)}</output>
          <IconButton path={prev} label="Previous found" onClick={() => go(-1)} />
          <IconButton path={next} label="Next found" onClick={() => go(1)} />
        </>
      )}
    </div>
  )
}

function hits({ places, done }: Found, place: number): string {
  if (!done) return 'Looking'
  if (places.length === 0) return 'None'
  const at = countBefore(places, place)
  const total = places.length.toLocaleString('en')
  return places[at] === place ? `${(at + 1).toLocaleString('en')} of ${total}` : total
}
