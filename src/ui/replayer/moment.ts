/** Links to a moment of a recording: `#n=96` is an input, `#fact=37` a fact, `#page=3&tab=t-1` a page fact. */
import type { Entry } from '../../runtime/story/story.ts'
import { endsStep, nearestIndex } from '../../runtime/story/story.ts'

/** @returns the part of an address that names this entry */
export function momentLink({ record }: Entry): string {
  if (record.k === 'p') return `#page=${record.p}&tab=${encodeURIComponent(record.tab)}`
  return record.k === 'f' ? `#fact=${record.seq}` : `#n=${record.n}`
}

/** @returns the place of a link's entry; an input's place is after its facts. Undefined for a link to nothing of this story */
export function placeOf(story: readonly Entry[], hash: string): number | undefined {
  const asked = new URLSearchParams(hash.replace(/^#/, ''))
  const number = (name: string) => Number(asked.get(name) ?? Number.NaN)
  const [n, seq, p, tab] = [number('n'), number('fact'), number('page'), asked.get('tab')]
  const place = story.findIndex(({ record }) => {
    if (record.k === 'i') return record.n === n
    return record.k === 'f' ? record.seq === seq : record.p === p && record.tab === tab
  })
  if (place < 0) return undefined
  if (story[place]?.record.k !== 'i' || endsStep(story, place)) return place
  return nearestIndex(story, place, 1, (_, at) => endsStep(story, at))
}
