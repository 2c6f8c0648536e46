/** Calls to nodes, as the drivers ask for them, in a world whose nodes the test plays. */
import { misfit } from '../../../../src/runtime/schema/registry.ts'
import type { EffectData } from '../../../../src/events/effect.ts'
import type { InputData } from '../../../../src/worker/core/context.ts'
import { transientDefinition } from '../../../../src/worker/core/transientShape.ts'
import { createWorld } from '../../world.ts'

type Ask = InputData<'rpc.asked'>['asks'][number]
export type Post = EffectData['http.post']
export type Settled = EffectData['rpc.settle']

/** `more` calls of one method, numbered from `first`. */
export const ask = (first: number, count = 1, more: Partial<Ask> = {}): Ask => ({
  pool: 'sale',
  endpoints: 1,
  first,
  calls: [{ method: 'getBalance', count }],
  kind: 'single',
  ...more,
})

export function createNodeWorld() {
  const world = createWorld()
  world.boot()
  const asked = (...asks: Ask[]) => world.input('rpc.asked', { asks })
  return {
    ...world,
    asked,
    /** Requests that have no answer yet. */
    open: () => world.ordered('http.post').filter(post => !post.answered),
    posts: () => world.ordered('http.post').map(({ data }) => data),
    settled: () => world.ordered('rpc.settle').map(({ data }) => data),
    /** The newest open request is answered. */
    answer: (data: Partial<InputData<'http.answered'>> = {}) =>
      world.answer('http.post', 'http.answered', { status: 200, ...data }),
    fails: (code: 'timeout' | 'unreachable' | 'offline' | 'bad_response') =>
      world.answer('http.post', 'http.failed', { failure: { code, message: code } }),
    now: () => world.at,
    /** @returns why a checkpoint could not hold the scratch memory; undefined when it can */
    unkept(): string | undefined {
      const { boot: _, ...memory } = JSON.parse(JSON.stringify(world.memory())) as Record<string, unknown>
      return misfit(transientDefinition, memory)
    },
    rpc: () => world.memory().rpc as { jobs: object; sharers: object; shared: number },
  }
}
