import { expect, test, vi } from 'vitest'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { quarantine } from '../../../src/worker/core/quarantine.ts'
import { afterDeathIn } from '../../../src/runtime/host/crashGuard.ts'
import { createCrashGuard } from '../../../src/worker/host/crashGuard.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Care } from '../../../src/runtime/journal/head.ts'

const press: InputRecord = { k: 'i', n: 11, at: 1, type: 'balance.refresh', v: 1, data: {}, ref: 't-1.c1' }
const boot: InputRecord = { ...press, type: 'core.boot', data: {} }

/** A guard over what an earlier life left. */
function make({ care, flush = async () => undefined }: { care?: Care; flush?: Journal['flush'] }) {
  const marks: Care[] = []
  const journal: Journal = {
    ...memoryJournal(),
    head: () => ({ life: 2, n: 10, seq: 0, ...(care && { care }) }),
    mark: next => void marks.push(next),
    flush,
  }
  const events: string[] = []
  const stepping = (input?: InputRecord) => void events.push(input ? `begins ${input.n}` : 'is over')
  const guard = createCrashGuard({ journal, build: 'b1', diedInStep: 11, stepping })
  return { guard, marks, events, step: (input: InputRecord) => void events.push(`steps ${input.n}`) }
}

test('crash guard: an input is on disk before the page hears of its step', async () => {
  let write = () => undefined as void
  const flush = vi.fn(() => new Promise<void>(resolve => (write = resolve)))
  const { guard, events, step, marks } = make({ flush })
  const drained = guard.drain([press], step)
  await new Promise<void>(resolve => setImmediate(resolve))
  expect([events, marks.at(-1)?.pending]).toEqual([[], JSON.stringify(press)])
  write()
  await drained
  expect(events).toEqual(['begins 11', 'steps 11', 'is over'])
})

test('crash guard: a boot is never set aside, however many lives end in it', () => {
  const left = (input: InputRecord): Care => ({
    build: 'b1',
    pending: JSON.stringify(input),
    suspects: [quarantine.suspectOf(input)],
    aside: [],
  })
  expect(make({ care: left(press) }).guard.dead).toMatchObject({ type: 'balance.refresh' })
  expect(make({ care: left(boot) }).guard).toMatchObject({ aside: [] })
  expect(make({ care: left(boot) }).guard.dead).toBeUndefined()
})

test('crash guard: of more than 32 inputs set aside the oldest is forgotten', () => {
  let aside: readonly string[] = []
  for (let count = 1; count <= 33; count++) {
    const draft = { ...press, ref: `t-1.c${count}` }
    const { aside: next, dead } = afterDeathIn(quarantine, draft, { suspects: [quarantine.suspectOf(draft)], aside })
    expect(dead).toBe(draft)
    expect(next[0]).toBe(quarantine.suspectOf(draft))
    aside = next
  }
  expect(aside).toHaveLength(32)
})
