import type { SaleView } from '../../../events/subjects/sale/sale.ts'
import type { Surroundings } from '../../react.tsx'

/** When each reading was first seen: by the clock, and by the time passed. */
const seen = new WeakMap<object, { at: number; passed: number }>()

/**
 * Time for what follows from chain time: since a reading it advances by the time passed, also when the device's clock is set. After a
 * sleep, in which that may stop, the next reading corrects it; ages are told by the clock.
 *
 * @returns ms since the Unix epoch, by the clock as it was when the reading came
 */
export function steadyNow({ reading }: SaleView, { now, passed }: Pick<Surroundings, 'now' | 'passed'>): number {
  if (!reading || !passed) return now()
  const first = seen.get(reading) ?? { at: now(), passed: passed() }
  seen.set(reading, first)
  return first.at + passed() - first.passed
}
