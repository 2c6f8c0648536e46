import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { placeAt, type Timeline } from '../../../events/replay/timeline.ts'
import { placeHead } from '../panes/entries/Lanes.tsx'

/** Speeds, as multiples of real time. */
export const paces = [1, 4, 16, 64] as const
export type Pace = (typeof paces)[number]

/** Cap on one frame's duration, ms, so that a tab coming back from hidden does not jump. */
const longestFrameMs = 250

export type Playing = {
  playing: boolean
  pace: Pace
  setPace(pace: Pace): void
  /** Plays or pauses; at the end it restarts from the beginning. */
  toggle(): void
  /** Reports a moved playhead: playing continues from there. */
  moved(place: number): void
}

/** Plays a recording at the scale of its timeline. */
export function usePlaying(props: {
  timeline: Timeline
  place: number
  head: RefObject<SVGGElement | null>
  onPlace(place: number): void
}): Playing {
  const { timeline, place, head, onPlace } = props
  const [playing, setPlaying] = useState(false)
  const [pace, setPace] = useState<Pace>(1)
  const moved = useRef<number>(undefined)
  const end = timeline.x.length - 1
  const tell = useEffectEvent(onPlace)
  const begin = useEffectEvent(() => place)

  useEffect(() => {
    if (!playing) return
    const { x, drawnMs } = timeline
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    let shown = begin()
    let at = x[shown] ?? 0
    let before: number | undefined
    const next = (time: number) => {
      if (moved.current !== undefined) {
        shown = moved.current
        at = x[shown] ?? 0
        moved.current = undefined
      }
      const passed = Math.min(longestFrameMs, time - (before ?? time))
      before = time
      at = drawnMs === 0 ? 1 : Math.min(1, at + (passed * pace) / drawnMs)
      const to = at >= 1 ? end : placeAt(timeline, at)
      if (to > shown) {
        shown = to
        tell(to)
      }
      if (at >= 1) {
        setPlaying(false)
        return
      }
      if (head.current && !still) placeHead(head.current, at)
      frame = requestAnimationFrame(next)
    }
    let frame = requestAnimationFrame(next)
    return () => cancelAnimationFrame(frame)
  }, [playing, pace, timeline, end, head])

  return {
    playing,
    pace,
    setPace,
    toggle() {
      if (!playing && place >= end) onPlace(0)
      moved.current = undefined
      setPlaying(!playing && end > 0)
    },
    moved(to) {
      moved.current = to
    },
  }
}
