import { type PointerEvent, useRef } from 'react'
import { span } from '../../events/describe.ts'
import type { Tick, Timeline } from '../../events/timeline.ts'
import { classes } from '../kit/classes.ts'

/** Ticks nearer than this to each other are drawn as one: a lane is about this many pixels wide. */
const columns = 2000
const percent = (x: number) => `${(x * 100).toFixed(3)}%`

/**
 * Inputs, core facts and screens along time, and the playhead. A slider: arrows step, Home and End go to the ends; the keys
 * are heard by the whole window, so it only says where it stands.
 *
 * @param badFrom where the first difference is, from 0 to 1
 */
export function Lanes(props: {
  timeline: Timeline
  index: number
  text: string
  badFrom: number | undefined
  onMove(index: number): void
}) {
  const { timeline, index, text, badFrom, onMove } = props
  const box = useRef<SVGSVGElement>(null)
  const x = timeline.x[index] ?? 0
  const go = (event: PointerEvent) => {
    const area = box.current?.getBoundingClientRect()
    if (area && area.width > 0) onMove(momentAt(timeline.x, (event.clientX - area.left) / area.width))
  }
  return (
    <div className="lanes">
      <div className="names" aria-hidden="true">
        <span>input</span>
        <span>core</span>
        <span>page</span>
        <span className="t" />
      </div>
      <svg
        ref={box}
        className="lane-svg"
        role="slider"
        aria-label="Position"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, timeline.x.length)}
        aria-valuenow={index + 1}
        aria-valuetext={text}
        tabIndex={0}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && go(event)}
      >
        <rect className="lane" y="0" width="100%" height="44" />
        <rect className="lane" y="46" width="100%" height="44" />
        <rect className="lane" y="92" width="100%" height="34" />
        <Ticks ticks={timeline.inputs} top={0} plain="tk-in" strong="tk-cmd" />
        <Ticks ticks={timeline.core} top={46} plain="tk-core" strong="tk-key" />
        {timeline.screens.map(({ from, to, label, quiet, first, last }) => {
          const on = first <= index && index <= last
          if (to - from < 1 / columns && !on) return null
          return (
            <svg key={first} x={percent(from)} y="96" width={percent(Math.max(to - from, 1 / columns))} height="26">
              <rect className={classes('span', quiet && 'q', on && !quiet && 'on')} width="100%" height="26" rx="5" />
              {to - from > 0.04 && (
                <text x="8" y="17">
                  {label}
                </text>
              )}
            </svg>
          )
        })}
        {badFrom !== undefined && (
          <>
            <rect className="badzone" x={percent(badFrom)} y="0" width={percent(1 - badFrom)} height="126" />
            <line className="badline" x1={percent(badFrom)} x2={percent(badFrom)} y1="0" y2="126" />
          </>
        )}
        <rect className="ahead" x={percent(x)} y="0" width={percent(1 - x)} height="126" />
        <line className="head" x1={percent(x)} x2={percent(x)} y1="0" y2="130" />
        <circle className="head-k" cx={percent(x)} cy="130" r="5" />
        {timeline.marks.map(mark => (
          <text key={mark.x} className="tick" x={percent(mark.x)} y="148">
            {span(mark.ms).replace(/\.\d+$/, '')}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** One path for all plain ticks of a lane and one for its strong ones, whatever their number. */
function Ticks({ ticks, top, plain, strong }: { ticks: readonly Tick[]; top: number; plain: string; strong: string }) {
  return (
    <svg x="0" y={top} width="100%" height="44" viewBox={`0 0 ${columns} 44`} preserveAspectRatio="none">
      <path className={classes('tk', plain)} d={pathOf(ticks, false, 'v20', 14)} />
      <path className={classes('tk', 'tall', strong)} d={pathOf(ticks, true, 'v34', 6)} />
    </svg>
  )
}

function pathOf(ticks: readonly Tick[], strong: boolean, down: string, from: number): string {
  const taken = new Set<number>()
  for (const tick of ticks) if (tick.strong === strong) taken.add(Math.round(tick.x * columns))
  return [...taken].map(column => `M${column} ${from}${down}`).join('')
}

/** @returns the last moment at or before `x`, by halving */
function momentAt(places: Float64Array, x: number): number {
  let low = 0
  let high = places.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((places[middle] ?? 0) <= x) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}
