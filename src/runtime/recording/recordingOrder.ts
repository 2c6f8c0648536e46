/**
 * The order of a log, checked record by record:
 *
 * 1. Inputs and facts are numbered without a gap.
 * 2. An input's facts follow it, then its effects.
 * 3. Each tab numbers its page facts without a gap, unless it wrote to another log meanwhile: then it restates its page.
 * 4. A checkpoint stands between two inputs, its rows right after it; on the first line it sets the numbers.
 */
import { Fault } from '../failure.ts'
import type { LogRecord } from '../log/record.ts'

/** Takes the records one after another. @throws Fault `bad_input` at the first one out of place */
type RecordOrder = {
  take(record: LogRecord, number: number): void
  /** All records were taken. @throws Fault `bad_input` at the first gap that no restatement followed */
  end(): void
  /** @returns the number of rows of the last checkpoint still missing */
  owed(): number
}

/**
 * Makes the check of one log from its beginning. One function, because each check reads the same counters.
 *
 * @param restating type of the page fact that restates its page
 */
export function createOrder(restating?: string): RecordOrder {
  let n = 0
  let seq = 0
  let first = true
  let owed = 0
  /** the record that closed the last input's group: none of the group may follow */
  let closed: 'effects' | 'checkpoint' | undefined
  const pages = new Map<string, number>()
  /** gaps in the numbers of a tab that has not restated its page since */
  const gaps = new Map<string, Fault>()

  function misplaced(number: number, key: string, expected: number, got: number): Fault {
    const message = `${key} expected ${expected}, got ${got}: a line is missing, doubled or moved`
    return new Fault('bad_input', `recording, line ${number}: ${message}`)
  }

  function expect(number: number, key: string, expected: number, got: number): void {
    if (expected !== got) throw misplaced(number, key, expected, got)
  }

  function takePage({ tab, p, type }: Extract<LogRecord, { k: 'p' }>, number: number): void {
    const before = pages.get(tab)
    if (before !== undefined && p <= before) throw misplaced(number, 'p', before + 1, p)
    if (before !== undefined && p > before + 1 && !gaps.has(tab)) gaps.set(tab, misplaced(number, 'p', before + 1, p))
    if (type === restating) gaps.delete(tab)
    pages.set(tab, p)
  }

  function refuseNegative(number: number, key: string, got: number): void {
    if (got < 0) throw new Fault('bad_input', `recording, line ${number}: ${key} expected 0 or more, got ${got}`)
  }

  function refuseAfterEnd(number: number, k: string): void {
    if (!closed) return
    throw new Fault(
      'bad_input',
      `recording, line ${number}: k expected ${closed === 'effects' ? 'i, c or p' : 'i or p'} after the ${closed} of input ${n}, got ${k}`,
    )
  }

  function refuseAmongRows(number: number, k: string): void {
    if (owed > 0 === (k === 'r')) return
    throw new Fault(
      'bad_input',
      owed > 0
        ? `recording, line ${number}: k expected r, ${owed} more after their checkpoint, got ${k}`
        : `recording, line ${number}: k expected anything but r where no checkpoint wants one, got r`,
    )
  }

  return {
    owed: () => owed,
    take(record, number) {
      refuseAmongRows(number, record.k)
      const begins = first
      first = false
      switch (record.k) {
        case 'c':
          for (const key of ['n', 'seq', 'life', 'rows'] as const) refuseNegative(number, key, record[key])
          if (!begins) {
            expect(number, 'n', n, record.n)
            expect(number, 'seq', seq, record.seq)
            if (closed === 'checkpoint') refuseAfterEnd(number, record.k)
          }
          n = record.n
          seq = record.seq
          owed = record.rows
          closed = 'checkpoint'
          return
        case 'r':
          owed -= 1
          return
        case 'i':
          expect(number, 'n', n + 1, record.n)
          n = record.n
          closed = undefined
          return
        case 'f':
          expect(number, 'seq', seq + 1, record.seq)
          expect(number, 'n', n, record.n)
          refuseAfterEnd(number, record.k)
          seq = record.seq
          return
        case 'e':
          if (record.n !== undefined) expect(number, 'n', n, record.n)
          if (n === 0) throw new Fault('bad_input', `recording, line ${number}: k expected i before any effects, got e`)
          refuseAfterEnd(number, record.k)
          closed = 'effects'
          return
        case 'p':
          takePage(record, number)
      }
    },
    end() {
      for (const gap of gaps.values()) throw gap
    },
  }
}
