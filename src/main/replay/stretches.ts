import type { Recorded } from '../../runtime/recording/recording.ts'

/**
 * The parts of a log that one core can go through without a break: a checkpoint of another build begins a new one, because
 * another build may have known the world otherwise.
 *
 * @param build of the core that runs
 * @returns the index of each part's first record; the first is 0
 */
export function stretches(records: readonly Recorded[], build: string): number[] {
  const starts = [0]
  let begun = false
  records.forEach(({ record }, index) => {
    if (record.k === 'i') begun = true
    if (record.k === 'c' && begun && record.build !== build) starts.push(index)
  })
  return starts
}
