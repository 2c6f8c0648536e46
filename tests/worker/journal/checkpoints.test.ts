import { describe, expect, test, vi } from 'vitest'
import { emptyCoreModel } from '../../../src/events/app.ts'
import type { InputRecord } from '../../../src/events/log/record.ts'
import { createCheckpoints } from '../../../src/worker/journal/checkpoints.ts'
import { checkpointLines } from '../../../src/events/checkpoint/restate.ts'
import type { Decider } from '../../../src/worker/core/context.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { memoryJournal } from '../../../src/worker/journal/inMemory.ts'
import type { Journal, Seam } from '../../../src/worker/journal/journal.ts'
import type { Known } from '../../../src/worker/journal/known.ts'
import { nextTask } from '../../../src/worker/journal/pauses.ts'
import { settledSessions } from '../../bench/manySessions.ts'
import { bootData, noon } from '../world.ts'

const minute = 60_000

const linesIn = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split('\n')

/** Whatever is being made is made. */
async function idle() {
  await vi.dynamicImportSettled()
  // As many slices as a checkpoint of two thousand sessions has, and more
  for (let task = 0; task < 60; task++) await nextTask()
}

/** A core that knows so many sessions. */
function knowing(sessions: number) {
  const core = createCore([], emptyCoreModel())
  let seq = 0
  for (const { accounts: _, ...settled } of settledSessions(sessions)) {
    const data = { ...settled, transport: 'relay' }
    core.recall({ k: 'f', seq: ++seq, n: 1, at: 1, type: 'session.settled', v: 2, data })
  }
  return { core, seq }
}

/** A core that knows so many sessions, its log, and the checkpoints that are kept of it. */
function make(sessions: number) {
  const { core, seq } = knowing(sessions)
  const clock = { now: 1_000_000 }
  let n = 0
  const kept: number[] = []
  const journal = {
    ...memoryJournal(),
    storage: 'durable' as const,
    head: () => ({ life: 1, n, seq }),
    keep: async (_seam: unknown, bytes: Uint8Array) => void kept.push(linesIn(bytes).length),
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
        stepped({ k: 'i', n, at: clock.now, type: 'page.resumed', v: 1, data: {} } as InputRecord, [])
        await idle()
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

test('one of a log that breaks while it is being made is left, and nobody is told a second time', async () => {
  const { core } = knowing(4000)
  const keep = vi.fn<Journal['keep']>()
  const journal: Journal = {
    ...memoryJournal(),
    storage: 'durable',
    head: () => ({ life: 1, n: 0, seq: 0 }),
    seam: () => Promise.reject(new Error('the log could not be written')),
    keep,
  }
  const known = { from: { n: 0, seq: 0 }, facts: [], build: 'older' } as unknown as Known
  // A rejection that nobody waits for fails the run
  await createCheckpoints({ core, journal, build: 'b', known, now: () => noon }).begin()
  await idle()
  expect(keep).not.toHaveBeenCalled()
})

/** A core whose sessions come, change and end with each of its inputs; and what was kept of it. */
function changing(sessions: number) {
  const settled = Array.from(settledSessions(sessions), ({ accounts: _, ...data }) => ({ ...data, transport: 'relay' }))
  const late = settled.splice(sessions / 2)
  const decider: Decider = {
    'page.resumed': ctx => {
      const { n } = ctx.input
      const old = settled[(n * 7919) % settled.length]
      const next = late[n % late.length]
      if (old) ctx.fact('session.extended', { sessionTopic: old.sessionTopic, expiresAt: n })
      if (next && n % 3 === 0) ctx.fact('session.settled', next as never)
      const gone = settled[(n * 104_729) % settled.length]
      if (gone && n % 5 === 0) ctx.fact('session.deleted', { sessionTopic: gone.sessionTopic, by: 'wallet' })
    },
  }
  const core = createCore([decider], emptyCoreModel())
  for (const [index, data] of settled.entries())
    core.recall({ k: 'f', seq: index + 1, n: 1, at: 1, type: 'session.settled', v: 2, data })
  let n = 0
  const kept: { seam: Seam; lines: string[]; expected: string[] }[] = []
  const expected: string[][] = []
  const place = () => ({ life: 1, n, seq: core.seq })
  const journal: Journal = {
    ...memoryJournal(),
    storage: 'durable',
    head: place,
    async seam() {
      const stands = { n, seq: core.seq, life: core.model.core.life, at: noon, build: 'b' }
      expected.push(checkpointLines({ ...stands, transient: core.memory() }, core.model))
      return { ...place(), segment: 1, link: '' }
    },
    keep: async (seam, bytes) => void kept.push({ seam, lines: linesIn(bytes), expected: expected.shift() ?? [] }),
  }
  const known = { from: { n: 0, seq: 0 }, facts: [], build: 'older' } as unknown as Known
  const checkpoints = createCheckpoints({ core, journal, build: 'b', known, now: () => noon })
  const step = (type: string, data: Record<string, unknown>) => {
    n += 1
    const input: InputRecord = { k: 'i', n, at: noon, type, v: 1, data }
    checkpoints.stepped(input, core.step(input).facts)
  }
  return {
    kept,
    step,
    begin: checkpoints.begin,
    n: () => n,
    skip: (inputs: number) => (n += inputs),
  }
}

describe('a checkpoint of thousands of sessions', () => {
  test('is made in slices between which the core takes inputs, and is of one of them exactly', async () => {
    const { kept, step, n, skip } = changing(8000)
    step('core.boot', bootData(1))
    skip(5000)
    step('page.resumed', {})
    const dueAt = n()
    await vi.dynamicImportSettled()
    while (kept.length === 0) {
      step('page.resumed', {})
      await nextTask()
    }
    const [one] = kept
    expect(one?.lines).toEqual(one?.expected)
    // Four million letters in slices of 200,000
    expect((one?.seam.n ?? 0) - dueAt).toBeGreaterThan(10)
    // What comes after its seam, while it is hashed and written out, has its turn likewise
    expect(n() - (one?.seam.n ?? 0)).toBeGreaterThan(10)
  })

  test('of before a boot by another build is of before it, whatever follows at once', async () => {
    const { kept, step, begin } = changing(2000)
    await begin()
    step('core.boot', bootData(1))
    while (kept.length === 0) {
      step('page.resumed', {})
      await nextTask()
    }
    expect(kept[0]?.seam.n).toBe(0)
    expect(kept[0]?.lines).toEqual(kept[0]?.expected)
  })
})
