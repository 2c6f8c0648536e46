/** Any calls, any answers, in any order: each call ends once, and nothing of it stays. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { budget } from '../../../../src/worker/rpc/retry.ts'
import { ask, createNodeWorld } from './calls.ts'

type Step =
  | { does: 'ask'; count: number; kind: 'single' | 'together' | 'once'; like?: number; only?: number }
  | { does: 'answer'; which: number; status: number; retryAfterMs?: number; said?: 'refused' | 'limited' }
  | { does: 'fail'; which: number; code: 'timeout' | 'unreachable' | 'offline' | 'bad_response' }
  | { does: 'wait'; ms: number }
  | { does: 'jump'; byMs: number }

const small = fc.nat({ max: 6 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record(
    {
      does: fc.constant('ask' as const),
      count: fc.integer({ min: 1, max: 6 }),
      kind: fc.constantFrom('single' as const, 'together' as const, 'once' as const),
      like: small,
      only: fc.nat({ max: 1 }),
    },
    { requiredKeys: ['does', 'count', 'kind'] },
  ),
  fc.record(
    {
      does: fc.constant('answer' as const),
      which: small,
      status: fc.constantFrom(200, 200, 200, 400, 404, 413, 429, 503),
      retryAfterMs: fc.nat({ max: 60_000 }),
      said: fc.constantFrom('refused' as const, 'limited' as const),
    },
    { requiredKeys: ['does', 'which', 'status'] },
  ),
  fc.record({
    does: fc.constant('fail' as const),
    which: small,
    code: fc.constantFrom('timeout' as const, 'unreachable' as const, 'offline' as const, 'bad_response' as const),
  }),
  fc.record({ does: fc.constant('wait' as const), ms: fc.nat({ max: 20_000 }) }),
  fc.record({ does: fc.constant('jump' as const), byMs: fc.integer({ min: -4_000_000, max: -1 }) }),
)

function play(all: readonly Step[]) {
  const world = createNodeWorld()
  const calls: number[] = []
  let next = 0
  const answer = (which: number, more: { status: number; retryAfterMs?: number; said?: 'refused' | 'limited' }) => {
    const open = world.open()
    const post = open[which % Math.max(1, open.length)]
    if (!post) return
    post.answered = true
    const { said, ...data } = more
    const genesis = post.data.calls.length === 0 && data.status === 200 ? { genesis: 'chain' } : {}
    world.input('http.answered', { ...data, ...(said && { [said]: true }), ...genesis }, { to: post.id })
  }
  for (const step of all) {
    if (step.does === 'ask') {
      const { count, kind, like, only } = step
      const same =
        like !== undefined && kind === 'single' && next > 0 ? { same: [{ call: next, as: like % next }] } : {}
      world.asked(ask(next, count, { endpoints: 2, kind, ...same, ...(only !== undefined && { only }) }))
      for (let nth = 0; nth < count; nth += 1) calls.push(next++)
    } else if (step.does === 'answer') answer(step.which, step)
    else if (step.does === 'fail') {
      const open = world.open()
      const post = open[step.which % Math.max(1, open.length)]
      if (!post) continue
      post.answered = true
      world.input('http.failed', { failure: { code: step.code, message: step.code } }, { to: post.id })
    } else if (step.does === 'wait') world.pass(step.ms)
    else world.jump(step.byMs)
    expect(world.unkept()).toBeUndefined()
    expect([...world.timers().keys()].filter(id => id.startsWith('rpc:')).length).toBeLessThanOrEqual(1)
  }
  // In the end nodes answer all
  for (let rounds = 0; rounds < 200 && Object.keys(world.rpc().jobs).length > 0; rounds += 1) {
    while (world.open().length > 0) answer(0, { status: 200 })
    world.pass(60_000)
  }
  return { world, calls }
}

test('calls: each ends exactly once, by an attempt that was made, and nothing of it stays', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), all => {
      const { world, calls } = play(all)
      const ended = world.settled().flatMap(one => [...one.calls, ...(one.same ?? []).map(({ call }) => call)])
      expect([...ended].sort((a, b) => a - b)).toEqual(calls)
      expect(world.rpc()).toMatchObject({ jobs: {}, sharers: {}, shared: 0, lastJob: 0 })
      const posts = world.posts()
      for (const one of world.settled()) {
        const { attempt } = one as { attempt?: number }
        if (attempt === undefined) continue
        for (const call of one.calls)
          expect(posts.filter(post => post.calls.includes(call) && post.attempt === attempt)).toHaveLength(1)
      }
    }),
    { numRuns: 300 },
  )
})

test('calls: no more are made than retries and endpoints allow, and one with an effect is made once', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), all => {
      const { world } = play(all)
      const once = new Set(all.flatMap(step => (step.does === 'ask' && step.kind === 'once' ? [step] : [])))
      const times = new Map<number, number>()
      for (const { calls } of world.posts()) for (const call of calls) times.set(call, (times.get(call) ?? 0) + 1)
      // Four attempts at each of two endpoints, and one that was refused as a batch
      for (const count of times.values()) expect(count).toBeLessThanOrEqual(9)
      if (once.size === all.filter(({ does }) => does === 'ask').length)
        for (const count of times.values()) expect(count).toBe(1)
    }),
    { numRuns: 200 },
  )
})

test('calls: no endpoint gets more requests than its budget, whatever is asked', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 12 }), fc.nat({ max: 400 }), (counts, ms) => {
      const world = createNodeWorld()
      const times: number[] = []
      let next = 0
      for (const count of counts) {
        for (let nth = 0; nth < count; nth += 1) world.asked(ask(next++, 1, { kind: 'once' }))
        world.pass(ms)
      }
      world.pass(60_000)
      for (const { id } of world.ordered('http.post')) times.push(world.inputs[Number(id.split('.')[1]) - 1]?.at ?? 0)
      expect(times).toHaveLength(next)
      for (const from of times)
        expect(times.filter(at => at >= from && at < from + 1000).length).toBeLessThanOrEqual(
          budget.burst + 1000 / budget.everyMs,
        )
    }),
    { numRuns: 50 },
  )
})
