import type { Recorded } from '../../runtime/recording/recording.ts'

/**
 * Splits a log into the parts that one core can re-execute. A checkpoint of another build starts a new part, because that
 * build may have had another model.
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
