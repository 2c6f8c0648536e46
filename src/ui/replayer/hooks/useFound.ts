import { useEffect, useState } from 'react'
import type { Recorded } from '../../../runtime/recording/recording.ts'
import type { Entry } from '../../../runtime/story/story.ts'

/** Time slice of a search before the page may paint, ms. */
const sliceMs = 8

/** Places of the entries whose line contains the text, in order. */
export type Found = { text: string; places: readonly number[]; done: boolean }

/**
 * Searches case-insensitively, in time slices.
 *
 * @param type only entries of this type; empty: of all
 * @returns undefined without a search text and a type
 */
export function useFound(
  records: readonly Recorded[],
  story: readonly Entry[],
  text: string,
  type = '',
): Found | undefined {
  const [found, setFound] = useState<Found & { named: string }>()
  const wanted = text.trim()
  const named = `${type} ${wanted}`
  useEffect(() => {
    if (wanted === '' && type === '') return
    const sign = pattern(wanted)
    const places: number[] = []
    let place = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const until = performance.now() + sliceMs
      do {
        const end = Math.min(story.length, place + 256)
        for (; place < end; place++) {
          const entry = story[place]
          if (type !== '' && entry?.record.type !== type) continue
          if (sign.test(records[entry?.index ?? -1]?.line ?? '')) places.push(place)
        }
      } while (place < story.length && performance.now() < until)
      if (place < story.length) timer = setTimeout(look)
      else setFound({ text: wanted, named, places, done: true })
    }
    look()
    return () => clearTimeout(timer)
  }, [records, story, wanted, type, named])
  if (wanted === '' && type === '') return undefined
  return found?.named === named ? found : { text: wanted, places: [], done: false }
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
