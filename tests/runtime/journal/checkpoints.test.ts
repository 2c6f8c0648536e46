import { describe, expect, test, vi } from 'vitest'
import type { CoreModel } from '../../../src/events/app.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { createCheckpoints } from '../../../src/runtime/journal/checkpoints.ts'
import { checkpointLines } from '../../../src/events/checkpoint/snapshot.ts'
import type { Decider } from '../../../src/worker/core/context.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import type { Journal, Seam } from '../../../src/runtime/journal/journal.ts'
import type { LogState } from '../../../src/worker/journal/logState.ts'
import { soon } from '../../soon.ts'
import { settledSessions } from '../../bench/manySessions.ts'
import { bootData, noon } from '../../worker/world.ts'

const minute = 60_000

const means = {
  lifeOf: ({ core }: CoreModel) => core.life,
  snapshots: async () => ({ checkpointLines }),
}
const linesIn = (bytes: Uint8Array) => new TextDecoder().decode(bytes).split('\n')

/** A core with this number of sessions. */
function knowing(sessions: number, deciders: Decider[] = []) {
  const core = createCore(deciders, emptyCoreModel())
  let seq = 0
  for (const { accounts: _, ...settled } of settledSessions(sessions)) {
    const data = { ...settled, transport: 'relay' }
    core.recall({ k: 'f', seq: ++seq, n: 1, at: 1, type: 'session.settled', v: 2, data })
  }
  return { core, seq }
}

const unwritten = { from: { n: 0, seq: 0 }, facts: [] } as unknown as LogState
const byOlderBuild = { ...unwritten, build: 'older' }

/** A core with this number of sessions, its log and its stored checkpoints. */
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
  const { stepped } = createCheckpoints({ ...means, core, journal, build: 'b', known: unwritten, now: () => clock.now })
  return {
    core,
    kept,
    /** Takes this number of inputs in this number of minutes. @returns the number of checkpoints */
    async hear(inputs: number, minutes: number) {
      const before = kept.length
      for (let count = 0; count < inputs; count++) {
        n += 1
        clock.now += (minutes * minute) / inputs
        await stepped({ k: 'i', n, at: clock.now, type: 'page.resumed', v: 1, data: {} } as InputRecord)
      }
      return kept.length - before
    },
  }
}

describe('checkpoint', () => {
  test('is made every five minutes while a start gains by it', async () => {
    const { hear } = make(3)
    expect(await hear(20, 4)).toBe(0)
    expect(await hear(20, 2)).toBe(1)
    expect(await hear(20, 6)).toBe(1)
  })

  test('of many sessions waits until enough inputs make it worth while', async () => {
    const { kept, hear } = make(1000)
    expect(await hear(20, 6)).toBe(1)
    expect(kept[0]).toBeGreaterThan(1000)
    expect(await hear(150, 60)).toBe(0)
    expect(await hear(150, 60)).toBe(1)
  })

  test('of a log that breaks is dropped without a second report', async () => {
    const { core } = knowing(3)
    const keep = vi.fn<Journal['keep']>()
    const seam = vi.fn(() => Promise.reject(new Error('the log could not be written')))
    const head = () => ({ life: 1, n: 0, seq: 0 })
    const journal: Journal = { ...memoryJournal(), storage: 'durable', head, seam, keep }
    await createCheckpoints({ ...means, core, journal, build: 'b', known: byOlderBuild, now: () => noon }).begin()
    // An unhandled rejection fails the run
    await soon(() => expect(seam).toHaveBeenCalled())
    expect(keep).not.toHaveBeenCalled()
  })

  test('that cannot be made ends no step, and is tried again when the next is due', async () => {
    const { core, hear } = make(3)
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { memory } = core
    core.memory = () => {
      throw new TypeError('no')
    }
    expect(await hear(20, 9)).toBe(0)
    expect(warn.mock.calls).toEqual([['no checkpoint was made:', 'TypeError']])
    core.memory = memory
    expect(await hear(20, 6)).toBe(1)
    warn.mockRestore()
  })
})

/** A core whose first input changes a session; the journal stores the checkpoints and gives its seam a turn later. */
function changing() {
  const decider: Decider = {
    'page.resumed': ctx => {
      const [sessionTopic = ''] = Object.keys(ctx.model.session)
      ctx.fact('session.extended', { sessionTopic, expiresAt: ctx.input.n })
    },
  }
  const { core } = knowing(1000, [decider])
  let n = 0
  const kept: { seam: Seam; lines: string[] }[] = []
  const place = () => ({ life: core.model.core.life, n, seq: core.seq })
  const journal: Journal = {
    ...memoryJournal(),
    storage: 'durable',
    head: place,
    seam: async () => ({ ...place(), segment: 1, link: '' }),
    keep: async (seam, bytes) => void kept.push({ seam, lines: linesIn(bytes) }),
  }
  const checkpoints = createCheckpoints({ ...means, core, journal, build: 'b', known: byOlderBuild, now: () => noon })
  const step = (type: string, data: Record<string, unknown>, number = n + 1) => {
    n = number
    const input: InputRecord = { k: 'i', n, at: noon, type, v: 1, data }
    core.step(input)
    return checkpoints.stepped(input)
  }
  const now = () =>
    checkpointLines({ ...place(), at: noon, build: 'b', transient: structuredClone(core.memory()) }, core.model)
  return { kept, step, begin: checkpoints.begin, now }
}

describe('checkpoint of a core that goes on', () => {
  test('holds the position of its seam exactly, whatever is stepped while it is made', async () => {
    const { kept, step, now } = changing()
    void step('core.boot', bootData(1))
    const expected = new Map<number, string[]>()
    const stepAndNote = (number?: number) => {
      const made = step('page.resumed', {}, number)
      const lines = now()
      expected.set(JSON.parse(lines[0] ?? '').n, lines)
      return made
    }
    const made = stepAndNote(5000)
    for (let count = 0; count < 50; count++) expect(stepAndNote()).toBeUndefined()
    await made
    expect(kept).toHaveLength(1)
    expect(kept[0]?.lines).toEqual(expected.get(kept[0]?.seam.n ?? 0))
  })

  test('is not made before the first boot of a new log', async () => {
    const { core } = knowing(3)
    const keep = vi.fn<Journal['keep']>()
    const seam = vi.fn<Journal['seam']>()
    const journal: Journal = { ...memoryJournal(), storage: 'durable', seam, keep }
    await createCheckpoints({ ...means, core, journal, build: 'b', known: unwritten, now: () => noon }).begin()
    expect(seam).not.toHaveBeenCalled()
  })

  test('after another build holds the position before the boot', async () => {
    const { kept, step, begin, now } = changing()
    const expected = now()
    await begin()
    void step('core.boot', bootData(1))
    void step('page.resumed', {})
    await soon(() => expect(kept).toHaveLength(1))
    expect(kept[0]?.seam.n).toBe(0)
    expect(kept[0]?.lines).toEqual(expected)
  })
})
