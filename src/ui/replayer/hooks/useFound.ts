import { useEffect, useState } from 'react'
import type { Recorded } from '../../../runtime/recording/recording.ts'
import type { Entry } from '../../../events/replay/story.ts'

/** Time slice of a search before the page may paint, ms. */
const sliceMs = 8

/** Places of the entries whose line contains the text, in order. */
export type Found = { text: string; places: readonly number[]; done: boolean }

/** Searches case-insensitively, in time slices. @returns undefined without a search text */
export function useFound(records: readonly Recorded[], story: readonly Entry[], text: string): Found | undefined {
  const [found, setFound] = useState<Found>()
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === '') return
    const sign = pattern(wanted)
    const places: number[] = []
    let place = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const until = performance.now() + sliceMs
      do {
        const end = Math.min(story.length, place + 256)
        for (; place < end; place++) {
          if (sign.test(records[story[place]?.index ?? -1]?.line ?? '')) places.push(place)
        }
      } while (place < story.length && performance.now() < until)
      if (place < story.length) timer = setTimeout(look)
      else setFound({ text: wanted, places, done: true })
    }
    look()
    return () => clearTimeout(timer)
  }, [records, story, wanted])
  if (wanted === '') return undefined
  return found?.text === wanted ? found : { text: wanted, places: [], done: false }
}

/** The text as escaped in a line of JSON. */
function pattern(text: string): RegExp {
  const written = JSON.stringify(text).slice(1, -1)
  return new RegExp(written.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'), 'i')
}

/** Number of sorted places before `place`, by binary search. */
export function countBefore(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
