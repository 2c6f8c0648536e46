import { describe, expect, test } from 'vitest'
import type { FactRecord, InputRecord } from '../../../src/runtime/log/record.ts'
import { createCrashGuard } from '../../../src/worker/host/crashGuard.ts'
import type { CoreMachine } from '../../../src/worker/core/core.ts'
import type { Draft } from '../../../src/runtime/core/draft.ts'
import { createInbox } from '../../../src/worker/host/inbox.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { type Care, emptyHead, type Head } from '../../../src/runtime/journal/head.ts'

type Options = {
  step?(input: InputRecord): FactRecord[]
  stepped?(input: InputRecord, take: (draft: Draft) => void): void
}

/** An inbox before a core that records its inputs. */
function make({ step = () => [], stepped = () => undefined }: Options = {}) {
  const journal = memoryJournal({ head: { life: 4, n: 10, seq: 0 }, lines: [] })
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
  test('continues the log’s numbers without a gap, and stamps whole milliseconds', async () => {
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

  test('checks a draft as it would be taken, and takes nothing', () => {
    const { inbox, inputs } = make()
    inbox.check(online(true))
    expect(() => inbox.check({ type: 'page.online', data: {} })).toThrow(expect.objectContaining({ code: 'bad_input' }))
    expect(() => inbox.check({ type: 'none', data: {} })).toThrow(expect.objectContaining({ code: 'bad_input' }))
    expect(inputs).toEqual([])
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

  test('gives the core the data as in its line, in any order of a page’s keys', async () => {
    const { inbox, inputs, journal } = make()
    const address = { uri: 'https://dapp.example/', domain: 'dapp.example' }
    inbox.take({
      type: 'auth.request',
      data: { methods: [], nonce: '12345678', ...address, chains: ['eip155:1'] },
    })
    const [line = ''] = await journal.lines()
    expect(JSON.stringify(inputs[0]?.data)).toBe(JSON.stringify((JSON.parse(line) as InputRecord).data))
    expect(Object.keys(inputs[0]?.data ?? {})).toEqual(['chains', 'domain', 'uri', 'nonce', 'methods'])
  })

  test('refuses data of another type, and gives it no number', () => {
    const { inbox, inputs } = make()
    expect(() => inbox.take({ type: 'page.online', data: { online: 'yes' } })).toThrow(/^online expected boolean/)
    expect(() => inbox.take({ type: 'toString', data: {} })).toThrow('an input expected a known type, got toString')
    expect(() => inbox.take({ type: 'page.online', data: { online: true, more: 1 } })).toThrow(
      /^more expected no field/,
    )
    inbox.take(online(true))
    expect(inputs.map(({ n }) => n)).toEqual([11])
  })

  test.each([
    ['goes back by a millisecond', -1],
    ['goes back by a day', -86_400_000],
    ['goes on by more than a minute', 60_001],
  ])('first reports a clock that %s', (_, byMs) => {
    const { inbox, inputs, clock } = make()
    inbox.take(online(true))
    clock.now += byMs
    inbox.take(online(false))
    expect(inputs.map(({ type }) => type)).toEqual(['page.online', 'clock.jumped', 'page.online'])
    expect(inputs[1]?.data).toEqual({ byMs })
    expect(inputs[1]?.at).toBe(inputs[2]?.at)
  })

  test('reports nothing of a clock that advances by a minute', () => {
    const { inbox, inputs, clock } = make()
    inbox.take(online(true))
    clock.now += 60_000
    inbox.take(online(false))
    expect(inputs).toHaveLength(2)
  })

  test('ends with a step that fails half way: no line without its number, nothing taken after, and one report', async () => {
    const { inbox, journal, broken } = make({
      step(input) {
        if (input.n === 12) throw new Error('a fold failed')
        return []
      },
    })
    inbox.take(online(true))
    expect(() => inbox.take(online(false))).toThrow(expect.objectContaining({ code: 'core_lost' }))
    expect(() => inbox.take(online(true))).toThrow(expect.objectContaining({ code: 'core_lost' }))
    await expect(inbox.settled()).rejects.toMatchObject({ code: 'core_lost' })
    expect(broken).toEqual([new Error('a fold failed')])
    // The core's host goes on to set aside what ended the last life
    inbox.beCareful({ dead: online(true), aside: [], isOver: () => true, drain: async () => undefined })
    expect(journal.head().n).toBe(11)
    expect(await journal.lines()).toHaveLength(1)
  })

  test('takes nothing after its stop, queued inputs included', () => {
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

/** A small disk: flushed lines are on it, and each flush waits until the test completes it. */
function disk(care?: Care) {
  let head: Head = { ...emptyHead, life: 4, n: 10, ...(care ? { care } : {}) }
  let waiting: string[] = []
  const kept: { lines: string[]; care: Care | undefined } = { lines: [], care }
  let writes: (() => void)[] = []
  const journal: Journal = {
    storage: 'durable',
    head: () => head,
    append(lines, at) {
      waiting.push(...lines)
      head = { ...head, ...at }
    },
    mark(next) {
      head = { ...head, care: next }
    },
    carry: () => undefined,
    carried: () => undefined,
    seam: async () => head,
    keep: async () => undefined,
    flush: () =>
      new Promise<void>(resolve => {
        const [lines, now] = [waiting, head.care]
        waiting = []
        writes.push(() => {
          kept.lines.push(...lines)
          kept.care = now
          resolve()
        })
      }),
    lines: async () => kept.lines,
    close: () => undefined,
  }
  return {
    journal,
    kept,
    /** Completes all pending writes, and runs their continuations. */
    async write() {
      for (const done of writes.splice(0)) done()
      await new Promise<void>(resolve => setImmediate(resolve))
    },
  }
}

/** An inbox with the crash guard on such a disk. `fatal` inputs end the core in the middle of their step. */
function makeCareful({
  care,
  diedInStep = 0,
  fatal = () => false,
  refuses = false,
}: {
  care?: Care
  diedInStep?: number
  fatal?(input: InputRecord): boolean
  refuses?: boolean
} = {}) {
  const { journal, kept, write } = disk(care)
  if (refuses) journal.flush = () => Promise.reject(new DOMException('no', 'QuotaExceededError'))
  const inputs: InputRecord[] = []
  const marks: number[] = []
  const broken: unknown[] = []
  const core = {
    seq: 0,
    step(input: InputRecord) {
      inputs.push(input)
      if (fatal(input)) throw new Error('it ends here')
      return { facts: [], effects: [] }
    },
  } as unknown as CoreMachine
  const inbox = createInbox({
    core,
    journal,
    life: 5,
    build: 'b1',
    now: () => 1000,
    stepped: () => undefined,
    broke: cause => broken.push(cause),
  })
  const stepping = (input?: InputRecord) => void marks.push(input?.n ?? 0)
  inbox.beCareful(createCrashGuard({ journal, build: 'b1', diedInStep, stepping }))
  return { inbox, inputs, marks, broken, kept, write }
}

const push = (pushId: string): Draft => ({
  type: 'relay.message',
  data: { pushId, topic: 't', hash: 'h', publishedAt: 1, tag: 1, payload: { kind: 'ping', id: '7' } },
})
/** The crash guard's row of a life that was about to step this input as number 11. */
const about = (draft: Draft, known: Partial<Care> = {}): Care => ({
  build: 'b1',
  pending: JSON.stringify({ k: 'i', n: 11, at: 1, v: 1, ...draft }),
  aside: [],
  ...known,
})
/** Lives in a row, each of which dies in the step of one input. @returns the row left to the next life */
async function afterDeathsIn(...drafts: Draft[]): Promise<Care | undefined> {
  let care: Care | undefined
  for (const draft of drafts) {
    const { kept, write } = makeCareful({ care: about(draft, known(care)), diedInStep: 11 })
    for (let turn = 0; turn < 4; turn++) await write()
    care = kept.care
  }
  return care
}

/** A life over the row of an earlier one, in which only this input comes. */
async function lifeWith(draft: Draft, care: Care | undefined, diedInStep = 0) {
  const { inbox, inputs, kept, write } = makeCareful({ ...(care ? { care } : {}), diedInStep })
  inbox.take(draft)
  for (let turn = 0; turn < 6; turn++) await write()
  return { inputs, care: kept.care }
}

/** The row without the pending input's line. */
const known = (care: Care | undefined): Partial<Care> => {
  const { aside = [], suspects = [] } = care ?? {}
  return { aside, suspects }
}

describe('an inbox after a death', () => {
  test('commits each input before its step, announces the step to the page, and keeps the order', async () => {
    const { inbox, inputs, marks, kept, write } = makeCareful()
    inbox.take(online(true))
    inbox.take(online(false))
    await new Promise<void>(resolve => setImmediate(resolve))
    expect(inputs).toEqual([])
    await write()
    expect(inputs).toHaveLength(1)
    expect(JSON.parse(kept.care?.pending ?? '')).toMatchObject({ n: 11, data: { online: true } })
    await write()
    // The second input's line goes to disk with the first one's facts
    expect(kept.lines).toHaveLength(1)
    expect(JSON.parse(kept.care?.pending ?? '')).toMatchObject({ n: 12, data: { online: false } })
    await write()
    expect(inputs.map(({ n, data }) => [n, data.online])).toEqual([
      [11, true],
      [12, false],
    ])
    expect(marks).toEqual([11, 0, 12, 0])
    expect(kept).toMatchObject({ lines: [expect.any(String), expect.any(String)], care: { build: 'b1', aside: [] } })
    expect(kept.care?.pending).toBeUndefined()
  })

  test('is settled after the step of its last input', async () => {
    const { inbox, inputs, write } = makeCareful()
    inbox.take(online(true))
    let settled = false
    const done = inbox.settled().then(() => {
      settled = true
    })
    await new Promise<void>(resolve => setImmediate(resolve))
    expect(settled).toBe(false)
    await write()
    await done
    expect(inputs).toHaveLength(1)
  })

  test('that is stopped leaves nobody waiting', async () => {
    const { inbox } = makeCareful()
    inbox.take(push('p1'))
    const settled = inbox.settled()
    inbox.stop()
    await expect(settled).rejects.toMatchObject({ code: 'core_lost' })
  })

  test('leaves the line of an input whose step did not end, and the page knows that it did not', async () => {
    const { inbox, marks, kept, broken, write } = makeCareful({ fatal: input => input.data.online === false })
    inbox.take(online(true))
    inbox.take(online(false))
    const settled = inbox.settled()
    const refused = expect(settled).rejects.toMatchObject({ code: 'core_lost' })
    await write()
    await write()
    await refused
    expect(broken).toHaveLength(1)
    expect(marks.at(-1)).toBe(12)
    expect(JSON.parse(kept.care?.pending ?? '')).toMatchObject({ n: 12 })
  })

  test('takes a suspect again, and drops the suspicion after a good step', async () => {
    const { inbox, inputs, kept, write } = makeCareful({ care: about(push('p1')), diedInStep: 11 })
    expect(inputs).toEqual([])
    inbox.take(push('p2'))
    await write()
    // The row on disk is the one a death in this very step leaves
    expect(kept.care).toMatchObject({ aside: [], suspects: [expect.any(String)] })
    for (let turn = 0; turn < 3; turn++) await write()
    expect(inputs.map(({ type, data }) => [type, data.pushId])).toEqual([['relay.message', 'p2']])
    expect(kept.care).toEqual({ build: 'b1', aside: [] })
    // So a later death counts as the first again
    const later = makeCareful({ care: about(push('p3'), known(kept.care)), diedInStep: 11 })
    for (let turn = 0; turn < 3; turn++) await later.write()
    expect(later.inputs).toEqual([])
  })

  test('suspects only inputs whose own step saw a death', async () => {
    for (const diedInStep of [0, 10, 12]) {
      const { inbox, kept, write } = makeCareful({ care: about(push('p1')), diedInStep })
      inbox.take(online(true))
      for (let turn = 0; turn < 3; turn++) await write()
      expect(kept.care).toEqual({ build: 'b1', aside: [] })
    }
  })

  test('keeps a suspicion over lives that end without it', async () => {
    let care = await afterDeathsIn(push('p1'))
    for (const other of [online(true), { type: 'page.resumed', data: {}, tab: 't-1' }])
      care = (await lifeWith(other, care)).care
    const { inputs } = await lifeWith(online(true), about(push('p2'), known(care)), 11)
    expect(inputs[0]?.type).toBe('core.setAside')
  })

  test.each<[string, Draft, Draft]>([
    [
      'an answer its page hands over again',
      { type: 'wallet.sent', data: { signature: 's' }, to: 'e4.9.0', tab: 't-1' },
      { type: 'wallet.sent', data: { signature: 's' }, to: 'e4.9.0', tab: 't-1' },
    ],
    [
      'a press given again by its tab',
      { type: 'balance.refresh', data: {}, ref: 'c1', tab: 't-2' },
      { type: 'balance.refresh', data: {}, ref: 'c1', tab: 't-2' },
    ],
    [
      'a timer that is set anew',
      { type: 'timer.fired', data: { timerId: 'sale:poll' }, to: 'e4.2.0' },
      { type: 'timer.fired', data: { timerId: 'sale:poll' }, to: 'e5.1.0' },
    ],
    [
      'a reading that was asked for anew',
      { type: 'chain.balances', data: { account: 'a', slot: 7, amounts: {} }, to: 'e4.2.0' },
      { type: 'chain.balances', data: { account: 'a', slot: 9, amounts: {} }, to: 'e5.1.0' },
    ],
  ])('quarantines %s when it ends a second life', async (_, first, second) => {
    const care = await afterDeathsIn(first)
    expect(care).toMatchObject({ aside: [], suspects: [expect.any(String)] })
    const { inputs } = await lifeWith(online(true), about(second, known(care)), 11)
    expect(inputs[0]).toMatchObject({ type: 'core.setAside', data: { input: first.type } })
  })

  test.each<[string, Draft, Draft]>([
    [
      'another answer',
      { type: 'wallet.sent', data: { signature: 's' }, to: 'e4.9.0', tab: 't-1' },
      { type: 'wallet.sent', data: { signature: 's' }, to: 'e5.9.0', tab: 't-1' },
    ],
    [
      'another press',
      { type: 'balance.refresh', data: {}, ref: 'c1' },
      { type: 'balance.refresh', data: {}, ref: 'c2' },
    ],
    ['another message', push('p1'), { ...push('p1'), data: { ...push('p1').data, hash: 'another' } }],
  ])('does not count the death of one against %s', async (_, first, second) => {
    const care = await afterDeathsIn(first, second)
    expect(care?.aside).toEqual([])
    expect(care?.suspects).toHaveLength(2)
  })

  test('quarantines the deadly one at once and each time it comes again, and takes others like it', async () => {
    const { inbox, inputs, kept, write } = makeCareful({
      care: about(push('p1'), known(await afterDeathsIn(push('p0')))),
      diedInStep: 11,
    })
    await write()
    await write()
    expect(inputs.map(({ type, data }) => [type, data])).toEqual([
      ['core.setAside', { input: 'relay.message', pushId: 'p1', topic: 't', payloadId: '7' }],
    ])
    expect(kept.care?.aside).toHaveLength(1)
    // The relay pushes it again under another id
    inbox.take(push('p2'))
    inbox.take({ ...push('p3'), data: { ...push('p3').data, hash: 'another' } })
    for (let turn = 0; turn < 4; turn++) await write()
    expect(inputs.slice(1).map(({ type }) => type)).toEqual(['core.setAside', 'relay.message'])
    expect(inputs[1]?.data.pushId).toBe('p2')
  })

  test('keeps the quarantine in later lives of the same build, and lets another build try', async () => {
    const care = await afterDeathsIn(push('p0'), push('p1'))
    if (!care) throw new Error('nothing was kept')
    const same = makeCareful({ care })
    same.inbox.take(push('p2'))
    await same.write()
    expect(same.inputs.map(({ type }) => type)).toEqual(['core.setAside'])
    const other = makeCareful({ care: { ...care, build: 'b0' } })
    other.inbox.take(push('p2'))
    await other.write()
    expect(other.inputs.map(({ type }) => type)).toEqual(['relay.message'])
  })

  test('takes a second press equal to a quarantined one: it is another input', async () => {
    const press = (ref: string): Draft => ({ type: 'balance.refresh', data: {}, ref, tab: 't-1' })
    const care = about(press('c1'), known(await afterDeathsIn(press('c1'))))
    const { inbox, inputs, write } = makeCareful({ care, diedInStep: 11 })
    await write()
    inbox.take(press('c2'))
    await write()
    await write()
    expect(inputs.map(({ type, ref }) => [type, ref])).toEqual([
      ['core.setAside', 'c1'],
      ['balance.refresh', 'c2'],
    ])
  })

  test('takes a timer that is set again: one death does not stop its work for ever', async () => {
    const fired = (to: string): Draft => ({ type: 'timer.fired', data: { timerId: 'sale:poll' }, to })
    const care = about(fired('e1.5.0'), known(await afterDeathsIn(fired('e0.4.0'))))
    const { inbox, inputs, write } = makeCareful({ care, diedInStep: 11 })
    await write()
    inbox.take(fired('e2.9.1'))
    await write()
    await write()
    expect(inputs.map(({ type, data }) => [type, data])).toEqual([
      ['core.setAside', { input: 'timer.fired', timerId: 'sale:poll' }],
      ['timer.fired', { timerId: 'sale:poll' }],
    ])
  })

  test('writes ahead for 1,000 inputs, then steps at once again', async () => {
    const { inbox, inputs, marks, write } = makeCareful()
    for (let index = 0; index < 1001; index++) inbox.take(online(index % 2 === 0))
    while (inputs.length < 1001) await write()
    expect(marks).toHaveLength(2000)
    inbox.take(online(true))
    expect(inputs).toHaveLength(1002)
  })

  test('continues on a failing disk: the journal has reported it', async () => {
    const { inbox, inputs } = makeCareful({ refuses: true })
    inbox.take(online(true))
    await inbox.settled()
    expect(inputs).toHaveLength(1)
  })
})
