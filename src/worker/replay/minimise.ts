/**
 * Leaves out of a run what does not matter for what went wrong in it: ever smaller stretches of inputs are left out, and stay
 * out when the same still goes wrong.
 */
import { type Group, type Item, rerun, type Start } from './rerun.ts'
import type { Names } from './names.ts'

/** @param groups of the inputs that were kept, in order @returns whether it still goes wrong */
export type StillWrong = (groups: readonly Group[], names: Names) => boolean

type Minimised = {
  /** Places of the inputs that matter. */
  kept: number[]
  groups: Group[]
  names: Names
  trials: number
}

/**
 * @param groups the whole run
 * @param always place of an input that is never left out; nothing behind it is kept.
 * @param most how many runs are tried
 * @param heard hears after every trial how many inputs are left
 */
export function minimise(
  { start, groups, always }: { start: Start; groups: readonly Group[]; always: number },
  stillWrong: StillWrong,
  { most = 5000, heard }: { most?: number; heard?: (left: number, trials: number) => void } = {},
): Minimised {
  const items: Item[] = groups.map(group => ({ input: group.input, before: group }))
  // A core that begins with nothing needs its boot
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
    // What is far from the end matters least, but what the end hangs on comes before it: so from behind
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
