/**
 * Minimises a failing run by delta debugging: ever smaller ranges of inputs are dropped, and stay out while it still fails
 * in the same way.
 */
import type { CoreTypes } from '../core/coreTypes.ts'
import { type Group, type Item, rerun, type Start } from './rerun.ts'
import type { Names } from './names.ts'

/** @param groups of the remaining inputs, in order. @returns whether it still fails in the same way */
export type StillWrong = (groups: readonly Group[], names: Names) => boolean

type Minimised = {
  /** Indices of the remaining inputs. */
  kept: number[]
  groups: Group[]
  names: Names
  trials: number
}

/**
 * @param groups the whole run
 * @param always index of the failing input, which always remains; inputs after it are dropped
 * @param most maximal number of trial runs
 * @param heard called with the remaining inputs after each successful trial
 */
export function minimiseRecording<P extends CoreTypes>(
  { start, groups, always }: { start: Start<P>; groups: readonly Group[]; always: number },
  stillWrong: StillWrong,
  { most = 5000, heard }: { most?: number; heard?: (left: number, trials: number) => void } = {},
): Minimised {
  const items: Item[] = groups.map(group => ({ input: group.input, before: group }))
  // A core without a checkpoint needs its boot
  const needed = new Set(start.lines.length === 0 ? [0, always] : [always])
  let kept = groups.map((_, place) => place).slice(0, always + 1)
  let trials = 0

  const goesWrong = (places: readonly number[]) => {
    trials += 1
    const run = rerun(
      start,
      places.flatMap(place => items[place] ?? []),
    )
    return stillWrong(run.groups, run.names)
  }

  let size = Math.ceil(kept.length / 2)
  for (let shrunk = true; trials < most && (size > 1 || shrunk); size = Math.max(1, size >> 1)) {
    shrunk = false
    // From the end backwards: an input depends on earlier ones only
    for (let end = kept.length; end > 0 && trials < most; end -= size) {
      const from = Math.max(0, end - size)
      const rest = kept.filter((place, index) => index < from || index >= end || needed.has(place))
      if (rest.length === kept.length || !goesWrong(rest)) continue
      kept = rest
      shrunk = true
      heard?.(kept.length, trials)
    }
  }
  const { groups: last, names } = rerun(
    start,
    kept.flatMap(place => items[place] ?? []),
  )
  return { kept, groups: last, names, trials }
}
