/**
 * The order of a log: inputs and facts are numbered without a gap, an input is followed by its facts and then by its
 * effects, and each tab numbers what it showed.
 */
import { Fault } from './failure.ts'
import type { LogRecord } from './record.ts'

/** Takes the records one after another; throws Fault `bad_input` at the first that stands in the wrong place. */
export type Order = { take(record: LogRecord, number: number): void }

/** Makes the check of one log from its beginning. */
export function createOrder(): Order {
  let n = 0
  let seq = 0
  let ordered = false
  const pages = new Map<string, number>()

  function expect(number: number, key: string, expected: number, got: number): void {
    if (expected !== got) {
      throw new Fault(
        'bad_input',
        `recording, line ${number}: ${key} expected ${expected}, got ${got}: a line is missing, doubled or moved`,
      )
    }
  }

  return {
    take(record, number) {
      switch (record.k) {
        case 'i':
          expect(number, 'n', n + 1, record.n)
          n = record.n
          ordered = false
          return
        case 'f':
          expect(number, 'seq', seq + 1, record.seq)
          expect(number, 'n', n, record.n)
          if (ordered)
            throw new Fault(
              'bad_input',
              `recording, line ${number}: k expected i or p after the effects of input ${n}, got f`,
            )
          seq = record.seq
          return
        case 'e':
          expect(number, 'n', n, record.n)
          if (ordered)
            throw new Fault(
              'bad_input',
              `recording, line ${number}: k expected i or p after the effects of input ${n}, got e`,
            )
          ordered = true
          return
        case 'p': {
          const before = pages.get(record.tab)
          if (before !== undefined) expect(number, 'p', before + 1, record.p)
          pages.set(record.tab, record.p)
        }
      }
    },
  }
}
