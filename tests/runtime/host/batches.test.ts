import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { isAwaited } from '../../../src/events/coreFolds.ts'
import { createBatches } from '../../../src/runtime/host/batches.ts'

const facts = (from: number, to: number): FactRecord[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    k: 'f',
    seq: from + i,
    n: 1,
    at: 1,
    type: 'network.online',
    v: 1,
    data: {},
  }))

/** Batches to a page whose receipts the test gives. */
function make() {
  const sent: number[][] = []
  const receipts: { give(): void; refuse(): void }[] = []
  let lost = 0
  const batches = createBatches(
    {
      facts: batch =>
        new Promise((resolve, reject) => {
          sent.push(batch.map(({ seq }) => seq))
          receipts.push({ give: resolve, refuse: () => reject(new Error('no')) })
        }),
    },
    isAwaited,
    () => {
      lost += 1
    },
  )
  return { batches, sent, receipts, lost: () => lost }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('batches', () => {
  test('leave at once while facts are few', async () => {
    const { batches, sent, receipts } = make()
    batches.push(facts(1, 2), false)
    expect(sent).toEqual([[1, 2]])
    receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(1)
    batches.push(facts(3, 3), false)
    expect(sent[1]).toEqual([3])
  })

  test('wait 16 ms for more facts in a stream, unless a person waits, and no longer after it', async () => {
    const { batches, sent, receipts } = make()
    const receive = async () => {
      for (const receipt of receipts.splice(0)) receipt.give()
      await vi.advanceTimersByTimeAsync(0)
    }
    for (let seq = 1; seq <= 8; seq++) {
      batches.push(facts(seq, seq), false)
      await receive()
    }
    expect(sent).toHaveLength(8)
    batches.push(facts(9, 9), false)
    await vi.advanceTimersByTimeAsync(15)
    batches.push(facts(10, 10), false)
    expect(sent).toHaveLength(8)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent.slice(8)).toEqual([[9, 10]])
    await receive()
    batches.push(facts(11, 11), false)
    expect(sent).toHaveLength(9)
    batches.push(facts(12, 12), true)
    expect(sent.slice(9)).toEqual([[11, 12]])
    await receive()
    await vi.advanceTimersByTimeAsync(100)
    batches.push(facts(13, 13), false)
    expect(sent.slice(10)).toEqual([[13]])
  })

  test('are not delayed by many background steps', async () => {
    const { batches, sent } = make()
    for (let seq = 1; seq <= 20; seq++)
      batches.push(
        facts(seq, seq).map(fact => ({ ...fact, type: 'pairing.answered' })),
        false,
      )
    expect(sent).toEqual([])
    batches.push(facts(21, 21), false)
    expect(sent).toEqual([Array.from({ length: 21 }, (_, i) => i + 1)])
  })

  test.each([
    ['that no page shows', 'outbox.sent'],
    ['of what goes on by itself', 'pairing.answered'],
  ])('%s wait for an awaited one, and no longer than 16 ms', async (_, type) => {
    const { batches, sent, receipts } = make()
    const unshown = (seq: number): FactRecord[] => facts(seq, seq).map(fact => ({ ...fact, type }))
    batches.push(unshown(1), false)
    expect(sent).toEqual([])
    batches.push(facts(2, 2), false)
    expect(sent).toEqual([[1, 2]])
    receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(1)
    batches.push(unshown(3), false)
    await vi.advanceTimersByTimeAsync(15)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent.slice(1)).toEqual([[3]])
  })

  test('are one in flight: its receipt is the credit for the next', async () => {
    const { batches, sent, receipts } = make()
    batches.push(facts(1, 1), true)
    batches.push(facts(2, 2), true)
    batches.push(facts(3, 3), true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent).toEqual([[1]])
    receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent).toEqual([[1], [2, 3]])
  })

  test('of background facts do not leave with a receipt', async () => {
    const { batches, sent, receipts } = make()
    batches.push(facts(1, 1), true)
    batches.push(
      facts(2, 2).map(fact => ({ ...fact, type: 'outbox.sent' })),
      false,
    )
    receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(15)
    expect(sent).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([[1], [2]])
  })

  test('hold 512 facts at most, and leave at once when full', async () => {
    const { batches, sent, receipts } = make()
    batches.push(facts(1, 600), false)
    expect(sent.map(batch => batch.length)).toEqual([512])
    receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(0)
    expect(sent.map(batch => [batch[0], batch.at(-1)])).toEqual([
      [1, 512],
      [513, 600],
    ])
  })

  test.each([
    ['5,001 facts wait', (made: ReturnType<typeof make>) => made.batches.push(facts(2, 5002), false)],
    ['no receipt comes for 10 s', () => vi.advanceTimersByTime(10_000)],
    ['the page refuses a batch', (made: ReturnType<typeof make>) => made.receipts[0]?.refuse()],
  ])('end the page once when %s, and send nothing more', async (_, happen) => {
    const made = make()
    made.batches.push(facts(1, 1), true)
    happen(made)
    await vi.advanceTimersByTimeAsync(0)
    expect(made.lost()).toBe(1)
    made.batches.push(facts(5003, 5004), true)
    made.receipts[0]?.give()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(made.sent).toEqual([[1]])
    expect(made.lost()).toBe(1)
  })

  test('may queue 5,000 facts for a slow page', async () => {
    const made = make()
    made.batches.push(facts(1, 1), true)
    made.batches.push(facts(2, 5001), false)
    expect(made.lost()).toBe(0)
  })

  test('that were stopped send nothing and report nothing', async () => {
    const { batches, sent, lost } = make()
    batches.push(facts(1, 1), false)
    batches.push(facts(2, 2), false)
    batches.stop()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toEqual([[1]])
    expect(lost()).toBe(0)
  })
})
