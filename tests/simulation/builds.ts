/** The builds of a simulated device's tabs. */
import { logFormat } from '../../src/events/log/logFormat.ts'
import type { Dice } from './dice.ts'

/** `format`: number of the log's format that it writes. */
export type Build = { name: 'core-build' | 'other-build'; format: number }

export const usual: Build = { name: 'core-build', format: logFormat }

export type Builds = {
  /** whether tabs of a second build may be open */
  two: boolean
  /** the build that reads every log: tabs are of it in the calm */
  newest: Build
  other: Build
  /** @returns the build of the next tab */
  next(): Build
}

/** @param may whether this world can have a second build at all */
export function createBuilds(dice: Dice, may: boolean): Builds {
  const two = may && dice.chance('two builds', 0.12)
  const other: Build = {
    name: 'other-build',
    format: two && dice.chance('the other build writes a newer log', 0.5) ? logFormat + 1 : logFormat,
  }
  const newest = other.format > usual.format ? other : usual
  return {
    two,
    newest,
    other,
    next() {
      if (dice.isCalm()) return newest
      return two && dice.chance('a tab of the other build', 0.4) ? other : usual
    },
  }
}
