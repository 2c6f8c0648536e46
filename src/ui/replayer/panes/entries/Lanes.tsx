import { memo, type PointerEvent, type Ref, useMemo, useRef } from 'react'
import { span } from '../../../../runtime/replay/describe.ts'
import { columns, placeAt, type Stretch, type Timeline } from '../../../../events/replay/timeline.ts'
import { classes } from '../../../kit/classes.ts'

const percent = (x: number) => `${(x * 100).toFixed(3)}%`
/** Top of the page lanes, height of one, px; maximum number of page lanes. */
const [pagesTop, pageHeight, mostPages] = [140, 34, 8]
/** Tops of the lanes of calls, px. */
const callLanes = { relay: 92, rpc: 116 } as const

/**
 * Inputs, core facts, calls and each tab's screens along time, with the playhead. A slider for assistive technology: `useKeys` handles
 * most keys for the window, so it handles only up and down itself.
 *
 * @param caused columns of the facts that led to the selected one
 * @param badFrom position of the first difference, from 0 to 1
 * @param head the part that moves with the playhead, see `placeHead`
 */
export function Lanes(props: {
  timeline: Timeline
  place: number
  text: string
  caused: readonly number[]
  badFrom: number | undefined
  head: Ref<SVGGElement>
  onMove(place: number): void
  onStep(by: 1 | -1): void
}) {
  const { timeline, place, text, caused, badFrom, head, onMove, onStep } = props
  const box = useRef<SVGSVGElement>(null)
  const x = timeline.x[place] ?? 0
  const pages = timeline.pages.slice(0, mostPages)
  const bottom = pagesTop + pageHeight * Math.max(1, pages.length)
  const go = (event: PointerEvent) => {
    const area = box.current?.getBoundingClientRect()
    if (area && area.width > 0) onMove(placeAt(timeline, (event.clientX - area.left) / area.width))
  }
  return (
    <div className="lanes">
      <div className="lanes-names" aria-hidden="true">
        <span>input</span>
        <span>core</span>
        <span>relay</span>
        <span>RPC</span>
        {pages.length < 2 ? <span>page</span> : pages.map(({ tab }, at) => <span key={tab}>page {at + 1}</span>)}
        <span />
      </div>
      <svg
        ref={box}
        className="lanes-drawing"
        height={bottom + 26}
        role="slider"
        aria-label="Position"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, timeline.x.length)}
        aria-valuenow={place + 1}
        aria-valuetext={text}
        tabIndex={0}
        onKeyDown={event => {
          const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
          if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          onStep(by)
        }}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && go(event)}
      >
        <Ground timeline={timeline} pages={pages} bottom={bottom} />
        <Ticks at={caused} top={46} tall className="is-key" />
        {pages.map(({ tab, screens }, at) => {
          const on = screens[lastBefore(screens, place)]
          return on && !on.quiet ? <Span key={tab} of={on} top={pagesTop + at * pageHeight} on /> : null
        })}
        {badFrom !== undefined && (
          <>
            <rect className="lanes-bad-zone" x={percent(badFrom)} y="0" width={percent(1 - badFrom)} height={bottom} />
            <line className="lanes-bad-line" x1={percent(badFrom)} x2={percent(badFrom)} y1="0" y2={bottom} />
          </>
        )}
        <g ref={head}>
          <rect className="lanes-ahead" x={percent(x)} y="0" width={percent(1 - x)} height={bottom} />
          <line className="lanes-head" x1={percent(x)} x2={percent(x)} y1="0" y2={bottom + 4} />
          <circle className="lanes-head-knob" cx={percent(x)} cy={bottom + 4} r="5" />
        </g>
      </svg>
    </div>
  )
}

/** Moves the playhead between two renders; `x` is from 0 to 1. */
export function placeHead(head: SVGGElement, x: number): void {
  const [ahead, line, knob] = head.children
  ahead?.setAttribute('x', percent(x))
  ahead?.setAttribute('width', percent(1 - x))
  line?.setAttribute('x1', percent(x))
  line?.setAttribute('x2', percent(x))
  knob?.setAttribute('cx', percent(x))
}

/** Everything that does not move with the playhead. */
const Ground = memo(function Ground(props: { timeline: Timeline; pages: Timeline['pages']; bottom: number }) {
  const { timeline, pages, bottom } = props
  return (
    <>
      <rect className="lanes-lane" y="0" width="100%" height="44" />
      <rect className="lanes-lane" y="46" width="100%" height="44" />
      {(pages.length > 0 ? pages : [undefined]).map((lane, at) => (
        <rect
          key={lane?.tab ?? ''}
          className="lanes-lane"
          y={pagesTop + at * pageHeight}
          width="100%"
          height={pageHeight}
        />
      ))}
      <Ticks at={timeline.inputs} top={0} className="is-input" />
      <Ticks at={timeline.commands} top={0} tall className="is-command" />
      <Ticks at={timeline.core} top={46} className="is-core" />
      {Object.entries(callLanes).map(([lane, y]) => (
        <rect key={lane} className="lanes-lane" y={y} width="100%" height="22" />
      ))}
      {(['relay', 'rpc'] as const).map(lane => (
        <CallBars key={lane} of={timeline.calls[lane]} top={callLanes[lane]} />
      ))}
      {pages.map(({ tab, screens }, at) =>
        screens.map(screen =>
          screen.to - screen.from < 1 / columns ? null : (
            <Span key={`${tab} ${screen.first}`} of={screen} top={pagesTop + at * pageHeight} />
          ),
        ),
      )}
      {timeline.marks.map(mark => (
        <text key={mark.x} className="lanes-time" x={percent(mark.x)} y={bottom + 22}>
          {markText(mark.ms, timeline)}
        </text>
      ))}
    </>
  )
}, sameGround)

function sameGround(was: { timeline: Timeline }, is: { timeline: Timeline }): boolean {
  return was.timeline === is.timeline
}

/** Seconds, with tenths on an axis so short that whole seconds would repeat. */
function markText(ms: number, { drawnMs }: Timeline): string {
  return span(ms).replace(/\.(\d)\d+$/, drawnMs < 12_000 ? '.$1' : '')
}

/** A screen over the time it was shown. */
function Span({ of: { from, to, label, quiet }, top, on = false }: { of: Stretch; top: number; on?: boolean }) {
  return (
    <svg x={percent(from)} y={top + 4} width={percent(Math.max(to - from, 1 / columns))} height="26">
      <rect className={classes('lanes-span', quiet && 'is-quiet', on && 'is-on')} width="100%" height="26" rx="5" />
      {to - from > 0.04 && (
        <text x="8" y="17">
          {label}
        </text>
      )}
    </svg>
  )
}

/** One path for all calls of a status; at least a column wide. */
function CallBars({ of, top }: { of: Timeline['calls']['relay']; top: number }) {
  const paths = useMemo(
    () =>
      (['answered', 'pending', 'failed'] as const).map(status => {
        const own = of.filter(call => call.status === status)
        return [status, own.map(({ from, to }) => `M${from} 5h${Math.max(2, to - from)}v12H${from}z`).join('')] as const
      }),
    [of],
  )
  return (
    <svg x="0" y={top} width="100%" height="22" viewBox={`0 0 ${columns} 22`} preserveAspectRatio="none">
      {paths.map(([status, path]) => (
        <path
          key={status}
          className={classes('lanes-call', status === 'pending' && 'is-pending', status === 'failed' && 'is-failed')}
          d={path}
        />
      ))}
    </svg>
  )
}

/** One path for all ticks of a kind, however many; `at` are columns. */
function Ticks(props: { at: readonly number[]; top: number; tall?: boolean; className: string }) {
  const { at, top, tall = false, className } = props
  const path = useMemo(() => at.map(column => `M${column} ${tall ? '6v34' : '14v20'}`).join(''), [at, tall])
  return (
    <svg x="0" y={top} width="100%" height="44" viewBox={`0 0 ${columns} 44`} preserveAspectRatio="none">
      <path className={classes('lanes-tick', tall && 'is-tall', className)} d={path} />
    </svg>
  )
}

/** Index of the last screen that began at or before `place`, by binary search; −1 for none. */
function lastBefore(screens: readonly Stretch[], place: number): number {
  let low = -1
  let high = screens.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((screens[middle]?.first ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
