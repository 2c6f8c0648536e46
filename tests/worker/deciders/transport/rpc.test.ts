import { describe, expect, test } from 'vitest'
import { budget } from '../../../../src/worker/rpc/retry.ts'
import { ask, createNodeWorld } from './calls.ts'

const two = { endpoints: 2 }
const limited = { limited: true, failed: 1 } as const

describe('calls of one turn', () => {
  test('travel in one request, and end by its attempt', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 3))
    expect(world.posts()).toEqual([{ pool: 'sale', endpoint: 0, calls: [0, 1, 2], attempt: 0, timeoutMs: 10_000 }])
    world.answer()
    expect(world.settled()).toEqual([{ calls: [0, 1, 2], attempt: 0 }])
    expect(world.rpc().jobs).toEqual({})
  })

  test('are at most a thousand a request', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2001))
    expect(world.posts().map(({ calls }) => calls.length)).toEqual([1000, 1000, 1])
  })

  test('wait for others where their pool says so, and go at once when the request is full', () => {
    const world = createNodeWorld()
    const slow = { waitMs: 50, most: 3 }
    world.asked(ask(0, 1, slow))
    world.asked(ask(1, 1, slow))
    expect(world.posts()).toEqual([])
    world.fire('rpc:sale')
    expect(world.posts().map(({ calls }) => calls)).toEqual([[0, 1]])
    world.asked(ask(2, 4, slow))
    expect(world.posts().map(({ calls }) => calls)).toEqual([[0, 1], [2, 3, 4], [5]])
  })

  test('that are equal to one under way share its answer', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2, { same: [{ call: 1, as: 0 }] }))
    world.asked(ask(2, 1, { same: [{ call: 2, as: 0 }] }))
    expect(world.posts().map(({ calls }) => calls)).toEqual([[0]])
    world.answer()
    const same = [
      { call: 1, as: 0 },
      { call: 2, as: 0 },
    ]
    expect(world.settled()).toEqual([{ calls: [0], same, attempt: 0 }])
    expect(world.rpc()).toMatchObject({ sharers: {}, shared: 0 })
  })

  test('that are equal to one that has ended are made again', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    world.answer()
    world.asked(ask(1, 1, { same: [{ call: 1, as: 0 }] }))
    expect(world.posts().map(({ calls }) => calls)).toEqual([[0], [1]])
  })

  test('beyond 8192 under way do not share', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 8193))
    world.asked(
      ask(8193, 2, {
        same: [
          { call: 8193, as: 8191 },
          { call: 8194, as: 8192 },
        ],
      }),
    )
    expect(world.posts().at(-1)?.calls).toEqual([8194])
  })

  test('that belong together or have effects are neither joined nor shared', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2, { kind: 'together' }), ask(2, 1, { kind: 'once' }), ask(3, 1, { kind: 'once' }))
    expect(world.posts().map(({ calls }) => calls)).toEqual([[0, 1], [2], [3]])
  })
})

describe('a batch that a node refuses', () => {
  test('becomes single calls, and so do later ones to that endpoint', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2))
    world.answer({ refused: true, failed: 2 })
    expect(
      world
        .posts()
        .slice(1)
        .map(({ calls, attempt }) => [calls, attempt]),
    ).toEqual([
      [[0], 1],
      [[1], 1],
    ])
    world.asked(ask(2, 2))
    expect(
      world
        .posts()
        .slice(3)
        .map(({ calls }) => calls),
    ).toEqual([[2], [3]])
    expect(world.unkept()).toBeUndefined()
  })

  test('as too large becomes single calls, too', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2))
    world.answer({ status: 413 })
    expect(
      world
        .posts()
        .slice(1)
        .map(({ calls }) => calls),
    ).toEqual([[0], [1]])
  })

  test('keeps its endpoint where the answers belong together', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 2, { kind: 'together', ...two }))
    world.answer({ refused: true })
    for (let times = 0; times < 2; times += 1) world.answer({ status: 404 })
    expect(world.posts().every(({ endpoint }) => endpoint === 0)).toBe(true)
    expect(world.settled()).toEqual(
      [
        { calls: [1], attempt: 0 },
        { calls: [0], attempt: 0 },
      ].map(({ calls }) => ({ calls, attempt: 1 })),
    )
  })
})

describe('a request that fails', () => {
  test.each([403, 408, 413, 429, 500, 502, 503, 504])(
    'with %i is repeated three times, after waits that double',
    status => {
      const world = createNodeWorld()
      world.asked(ask(0))
      const waits: number[] = []
      for (let times = 0; times < 3; times += 1) {
        world.answer({ status })
        const before = world.now()
        world.fire('rpc:sale')
        waits.push(world.now() - before)
      }
      world.answer({ status })
      expect(world.settled()).toEqual([{ calls: [0], attempt: 3 }])
      for (const [nth, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(75 * 2 ** nth)
        expect(wait).toBeLessThanOrEqual(150 * 2 ** nth)
      }
    },
  )

  test.each([400, 401, 404])('with %i is not repeated', status => {
    const world = createNodeWorld()
    world.asked(ask(0))
    world.answer({ status })
    expect(world.settled()).toEqual([{ calls: [0], attempt: 0 }])
  })

  test('without an answer is repeated; one whose answer cannot be read is not', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    world.fails('timeout')
    world.fire('rpc:sale')
    expect(world.posts()).toHaveLength(2)
    world.fails('bad_response')
    expect(world.settled()).toEqual([{ calls: [0], attempt: 1 }])
  })

  test('is repeated as often as its caller says; a call with an effect never', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { retries: 1 }), ask(1, 1, { kind: 'once', ...two }))
    world.answer({ status: 503 })
    expect(world.settled()).toEqual([{ calls: [1], attempt: 0 }])
    world.answer({ status: 503 })
    world.fire('rpc:sale')
    world.answer({ status: 503 })
    expect(world.settled()[1]).toEqual({ calls: [0], attempt: 1 })
  })

  test('waits as long as the node asked for, also over 10 s, within its deadline', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    const before = world.now()
    world.answer({ status: 429, retryAfterMs: 30_000 })
    world.fire('rpc:sale')
    expect(world.now() - before).toBe(30_000)
    world.answer()
    expect(world.settled()).toEqual([{ calls: [0], attempt: 1 }])
  })

  test('ends at once when the pause outlasts its deadline, and so do calls during the pause', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { deadlineMs: 5000 }))
    world.answer({ status: 429, retryAfterMs: 6000 })
    world.wait(500)
    world.asked(ask(1, 1, { deadlineMs: 5000 }))
    expect(world.settled()).toEqual([
      { calls: [0], attempt: 0 },
      { calls: [1], failure: { code: 'rate_limited', retryAfterMs: 5500 } },
    ])
    expect(world.posts()).toHaveLength(1)
    world.asked(ask(2, 1, { deadlineMs: 6000 }))
    world.fire('rpc:sale')
    expect(world.posts()).toHaveLength(2)
  })

  test('is repeated after the clock went back an hour', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    world.answer({ status: 429, retryAfterMs: 2000 })
    world.jump(-3_600_000)
    world.pass(2000)
    expect(world.posts()).toHaveLength(2)
  })
})

describe('an endpoint behind the first', () => {
  test('serves once it has shown the same chain', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, two))
    world.answer({ genesis: 'chain' })
    world.asked(ask(1, 1, two))
    world.answer(limited)
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 1, calls: [] })
    world.answer({ genesis: 'chain' })
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 1, calls: [1], attempt: 1 })
    world.answer()
    expect(world.settled().at(-1)).toEqual({ calls: [1], attempt: 1 })
    expect(world.unkept()).toBeUndefined()
  })

  test('is set aside when it shows another chain: the first one’s word is the last', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, two))
    world.answer({ genesis: 'chain' })
    world.asked(ask(1, 1, two))
    world.answer(limited)
    world.answer({ genesis: 'another' })
    expect(world.settled().at(-1)).toEqual({ calls: [1], attempt: 0 })
    world.asked(ask(2, 1, two))
    world.answer(limited)
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 0, calls: [2] })
  })

  test('is asked for its chain once, however many calls wait', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { ...two, kind: 'together' }), ask(1, 1, { ...two, kind: 'together' }))
    world.answer({ status: 404 })
    const before = world.posts().length
    const [first] = world.open()
    world.input('http.answered', { status: 404 }, { to: first?.id ?? '' })
    expect(world.posts()).toHaveLength(before)
    world.answer({ genesis: 'chain' })
    expect(
      world
        .posts()
        .slice(before)
        .map(({ calls }) => calls),
    ).toEqual([[1], [0]])
  })

  test('on the sale’s chain serves in place of a first one on another', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { ...two, only: 0 }), ask(1, 1, { ...two, only: 1 }))
    world.answer({ genesis: 'chain' })
    world.answer({ genesis: 'lie' })
    world.asked(ask(2, 1, { ...two, wanted: 'chain' }))
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 1, calls: [2] })
    world.answer({ status: 404 })
    expect(world.settled().at(-1)).toEqual({ calls: [2], attempt: 0 })
  })

  test('is called at once during a pause of the first', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { ...two, only: 1 }))
    world.answer({ genesis: 'chain' })
    world.asked(ask(1, 1, two))
    world.answer({ status: 429, retryAfterMs: 20_000 })
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 1, calls: [1] })
    world.asked(ask(2, 1, two))
    expect(world.posts().at(-1)).toMatchObject({ endpoint: 1, calls: [2] })
  })

  test('is not tried offline', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 1, { ...two, retries: 0 }))
    world.fails('offline')
    expect(world.settled()).toEqual([{ calls: [0], attempt: 0 }])
  })
})

describe('an endpoint’s budget', () => {
  test('lets a burst through, then one request after another', () => {
    const world = createNodeWorld()
    const count = budget.burst + 10
    for (let call = 0; call < count; call += 1) world.asked(ask(call, 1, { kind: 'once' }))
    expect(world.posts()).toHaveLength(budget.burst)
    expect([...world.timers().keys()].filter(id => id.startsWith('rpc:'))).toEqual(['rpc:sale'])
    world.pass(budget.everyMs * 3)
    expect(world.posts()).toHaveLength(budget.burst + 3)
    world.pass(budget.everyMs * 7)
    expect(world.posts()).toHaveLength(count)
  })

  test('that would let a call wait past its deadline ends it', () => {
    const world = createNodeWorld()
    for (let call = 0; call <= budget.burst; call += 1) world.asked(ask(call, 1, { kind: 'once', deadlineMs: 10 }))
    expect(world.settled()).toEqual([{ calls: [budget.burst], failure: { code: 'rate_limited' } }])
  })
})

describe('a core', () => {
  test('that makes a decider fail ends the calls it was asked for', () => {
    const world = createNodeWorld()
    world.input('core.setAside', { input: 'rpc.asked', asked: [7, 2] })
    expect(world.settled()).toEqual([{ calls: [7, 8], failure: { code: 'core_lost' } }])
  })

  test('that sets an answer aside counts it as one that could not be read', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    world.input('core.setAside', { input: 'http.answered' }, { to: world.last('http.post').id })
    expect(world.settled()).toEqual([{ calls: [0], attempt: 0 }])
  })

  test('ignores an answer that comes twice', () => {
    const world = createNodeWorld()
    world.asked(ask(0))
    const { id: to } = world.last('http.post')
    world.answer()
    const came = world.input('http.answered', { status: 200 }, { to })
    expect([came.facts, came.effects]).toEqual([[], []])
  })

  test('begins anew after a death: nothing of the calls is left', () => {
    const world = createNodeWorld()
    world.asked(ask(0, 3))
    world.kill()
    expect(world.rpc().jobs).toEqual({})
    world.asked(ask(1_000_000))
    expect(world.posts().map(({ calls }) => calls)).toEqual([[1_000_000]])
  })
})
