import { describe, expect, test, vi } from 'vitest'
import { emptyCoreModel } from '../../src/events/app.ts'
import type { InputRecord } from '../../src/events/record.ts'
import { createCheckpoints } from '../../src/worker/checkpoints.ts'
import { createCore } from '../../src/worker/core.ts'
import { memoryJournal } from '../../src/worker/inMemory.ts'
import type { Known } from '../../src/worker/openRecord.ts'
import { settledSessions } from '../bench/manySessions.ts'

const minute = 60_000

/** A core that knows so many sessions, its log, and the checkpoints that are kept of it. */
function make(sessions: number) {
  const core = createCore([], emptyCoreModel())
  let seq = 0
  for (const { accounts: _, ...settled } of settledSessions(sessions)) {
    const data = { ...settled, transport: 'relay' }
    core.recall({ k: 'f', seq: ++seq, n: 1, at: 1, type: 'session.settled', v: 2, data })
  }
  const clock = { now: 1_000_000 }
  let n = 0
  const kept: number[] = []
  const journal = {
    ...memoryJournal(),
    storage: 'durable' as const,
    head: () => ({ life: 1, n, seq }),
    keep: async (_seam: unknown, lines: readonly string[]) => void kept.push(lines.length),
  }
  const known = { from: { n: 0, seq: 0 }, facts: [] } as unknown as Known
  const { stepped } = createCheckpoints({ core, journal, build: 'b', known, now: () => clock.now })
  return {
    kept,
    /** So many inputs within so many minutes. */
    async hear(inputs: number, minutes: number) {
      const before = kept.length
      for (let count = 0; count < inputs; count++) {
        n += 1
        clock.now += (minutes * minute) / inputs
        stepped({ k: 'i', n, at: clock.now, type: 'page.resumed', v: 1, data: {} } as InputRecord)
        await vi.dynamicImportSettled()
      }
      return kept.length - before
    },
  }
}

describe('a checkpoint', () => {
  test('is made every five minutes while there is something to be saved by it', async () => {
    const { hear } = make(3)
    expect(await hear(20, 4)).toBe(0)
    expect(await hear(20, 2)).toBe(1)
    expect(await hear(20, 6)).toBe(1)
  })

  test('of thousands of sessions waits until as much has happened as makes it worth while', async () => {
    const { kept, hear } = make(2000)
    expect(await hear(20, 6)).toBe(1)
    expect(kept[0]).toBeGreaterThan(2000)
    expect(await hear(300, 60)).toBe(0)
    expect(await hear(300, 60)).toBe(1)
  })
})
