import { useEffect, useEffectEvent } from 'react'
import type { Entry } from '../../../runtime/story/story.ts'
import { momentLink, placeOf } from '../moment.ts'

/** Pause before the address changes, ms: browsers refuse a page that changes it with every frame. */
const settledMs = 250

/** Keeps the address at the playhead, so that it can be shared beside the file, and follows a link that is opened. */
export function useMomentLink(story: readonly Entry[], place: number, move: (place: number) => void): void {
  useEffect(() => {
    const entry = story[place]
    if (!entry) return
    const timer = setTimeout(() => history.replaceState(history.state, '', momentLink(entry)), settledMs)
    return () => clearTimeout(timer)
  }, [story, place])
  const follow = useEffectEvent(() => {
    const to = placeOf(story, location.hash)
    if (to !== undefined) move(to)
  })
  useEffect(() => {
    const heard = () => follow()
    addEventListener('hashchange', heard)
    return () => removeEventListener('hashchange', heard)
  }, [])
}
