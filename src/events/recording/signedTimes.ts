/**
 * Times at which the authority's word was known: by this device's clock, or as the authority signed it. The first are moved
 * with all its times. The others are published, so they are drawn anew, and only their order among the first stays.
 */
import { nextRandom, seeded } from '../values/generator.ts'
import { betweenMarks, spread } from './spread.ts'

type SignedTimes = {
  /** Learns of a time of this device. */
  mark(at: number): void
  /** Learns of a time to replace; all are known before the first is asked for. */
  see(at: number): void
  /** @returns what stands for it */
  of(at: number): number
}

const dayMs = 86_400_000

/** @param moved a time of this device, moved @param key what is drawn by */
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
