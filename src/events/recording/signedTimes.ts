/**
 * Times of the authority's word: as read by this device's clock, or as the authority signed them. The first shift with all
 * device times. Signed ones are public, so they are drawn anew and keep only their order among the first.
 */
import { nextRandom, seeded } from '../../runtime/core/generator.ts'
import { betweenMarks, spread } from './spread.ts'

type SignedTimes = {
  /** Learns a time of this device. */
  mark(at: number): void
  /** Learns a signed time; all are seen before the first `of`. */
  see(at: number): void
  /** @returns the stand-in */
  of(at: number): number
}

const dayMs = 86_400_000

/** @param moved shifts a time of this device @param key seed of the draw */
export function createSignedTimes(moved: (at: number) => number, key: string): SignedTimes {
  const marks = new Set<number>()
  const seen = new Set<number>()
  let images: Map<number, number> | undefined

  function drawn(): Map<number, number> {
    const state = seeded(key)
    const share = () => (nextRandom(state) % 2 ** 31) / 2 ** 31
    const known = [...marks].sort((a, b) => a - b)
    const signed = [...seen].filter(at => !marks.has(at)).sort((a, b) => a - b)
    return new Map(
      betweenMarks(signed, known).flatMap(({ values, below, above }) => {
        const end = above === undefined ? undefined : moved(above)
        const start = below === undefined ? (end ?? moved(values[0] ?? 0)) - dayMs : moved(below)
        const placed = spread(values.length, start, end ?? start + dayMs, share)
        return values.map((value, index): [number, number] => [value, placed[index] ?? start])
      }),
    )
  }

  return {
    mark: at => void marks.add(at),
    see: at => void seen.add(at),
    of(at) {
      images ??= drawn()
      return images.get(at) ?? moved(at)
    },
  }
}
