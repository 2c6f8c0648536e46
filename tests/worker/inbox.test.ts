import { describe, expect, test } from 'vitest'
import type { FactRecord, InputRecord } from '../../src/events/record.ts'
import type { CoreMachine } from '../../src/worker/core.ts'
import { createInbox, type Draft } from '../../src/worker/inbox.ts'
import { memoryJournal } from '../../src/worker/journal.ts'

type Options = {
  step?(input: InputRecord): FactRecord[]
  stepped?(input: InputRecord, take: (draft: Draft) => void): void
}

/** An inbox before a core that only notes what it is given. */
function make({ step = () => [], stepped = () => undefined }: Options = {}) {
  const journal = memoryJournal({ head: { life: 4, n: 10, seq: 0, segment: 0 }, lines: [] })
  const clock = { now: 1_000_000 }
  const inputs: InputRecord[] = []
  const broken: unknown[] = []
  const core = {
    seq: 0,
    step(input: InputRecord) {
      inputs.push(input)
      return { facts: step(input), effects: [] }
    },
  } as unknown as CoreMachine
  const inbox = createInbox({
    core,
    journal,
    life: 5,
    now: () => clock.now,
    stepped: ({ input }) => stepped(input, inbox.take),
    broke: cause => broken.push(cause),
  })
  return { inbox, journal, clock, inputs, broken }
}

const online = (on: boolean): Draft => ({ type: 'page.online', data: { online: on } })

describe('an inbox', () => {
  test('goes on with the numbers of the log, without a gap, and stamps whole milliseconds', async () => {
    const { inbox, inputs, clock, journal } = make()
    clock.now = 1_000_000.75
    inbox.take(online(true))
    inbox.take(online(false))
    expect(inputs.map(({ n, at }) => [n, at])).toEqual([
      [11, 1_000_000],
      [12, 1_000_000],
    ])
    expect(journal.head()).toMatchObject({ life: 5, n: 12 })
    expect(await journal.lines()).toHaveLength(2)
  })

  test('lets an input that arrives during a step wait for its end', () => {
    const order: string[] = []
    const { inbox, inputs } = make({
      stepped(input, take) {
        order.push(`begin ${input.n}`)
        if (input.n === 11) take(online(false))
        order.push(`end ${input.n}`)
      },
    })
    inbox.take(online(true))
    expect(order).toEqual(['begin 11', 'end 11', 'begin 12', 'end 12'])
    expect(inputs).toHaveLength(2)
  })

  test('refuses what does not fit its type, and gives it no number', () => {
    const { inbox, inputs } = make()
    expect(() => inbox.take({ type: 'page.online', data: { online: 'yes' } })).toThrow(/page\.online: online/)
    expect(() => inbox.take({ type: 'toString', data: {} })).toThrow('an input expected a known type, got toString')
    expect(() => inbox.take({ type: 'page.online', data: { online: true, more: 1 } })).toThrow(/page\.online/)
    inbox.take(online(true))
    expect(inputs.map(({ n }) => n)).toEqual([11])
  })

  test.each([
    ['goes back by a millisecond', -1],
    ['goes back by a day', -86_400_000],
    ['goes on by more than a minute', 60_001],
  ])('tells first of a clock that %s', (_, byMs) => {
    const { inbox, inputs, clock } = make()
    inbox.take(online(true))
    clock.now += byMs
    inbox.take(online(false))
    expect(inputs.map(({ type }) => type)).toEqual(['page.online', 'clock.jumped', 'page.online'])
    expect(inputs[1]?.data).toEqual({ byMs })
    expect(inputs[1]?.at).toBe(inputs[2]?.at)
  })

  test('says nothing of a clock that goes on by a minute', () => {
    const { inbox, inputs, clock } = make()
    inbox.take(online(true))
    clock.now += 60_000
    inbox.take(online(false))
    expect(inputs).toHaveLength(2)
  })

  test('ends with a step that fails half way: no line without its number, nothing taken after, and it is told once', async () => {
    const { inbox, journal, broken } = make({
      step(input) {
        if (input.n === 12) throw new Error('a fold failed')
        return []
      },
    })
    inbox.take(online(true))
    expect(() => inbox.take(online(false))).toThrow(expect.objectContaining({ code: 'core_lost' }))
    expect(() => inbox.take(online(true))).toThrow(expect.objectContaining({ code: 'core_lost' }))
    expect(broken).toEqual([new Error('a fold failed')])
    expect(journal.head().n).toBe(11)
    expect(await journal.lines()).toHaveLength(1)
  })

  test('takes nothing after it was stopped, what waited included', () => {
    const { inbox, inputs } = make({
      stepped(_, take) {
        take(online(false))
        inbox.stop()
      },
    })
    inbox.take(online(true))
    inbox.take(online(true))
    expect(inputs).toHaveLength(1)
  })
})
