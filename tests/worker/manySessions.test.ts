/** Ten thousand sessions: the cost of one change does not grow with their number. */
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../src/events/log/codec.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { modelOf, snapshots } from '../../src/events/checkpoint/snapshot.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { account, caip2 } from './story.ts'
import { bootData, noon } from './world.ts'

const topicOf = (at: number) => `session-${at}`

function settled(count: number): FactRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    k: 'f' as const,
    seq: at + 1,
    n: 1,
    at: noon - 1000,
    type: 'session.settled',
    v: versionOf('f', 'session.settled'),
    data: {
      sessionTopic: topicOf(at),
      pairingTopic: `pairing-${at}`,
      controllerKey: 'ab'.repeat(32),
      peer: { name: 'Torch', url: 'https://torch.example', description: '', icons: [] },
      namespaces: { solana: { accounts: [`${caip2}:${account}`], methods: ['solana_signMessage'], events: [] } },
      expiresAt: noon + 604_800_000 + at,
      transport: 'relay',
    },
  }))
}

/** A core with this number of sessions, after its start. */
function standing(count: number) {
  const core = createCore(deciders, emptyCoreModel())
  for (const fact of settled(count)) core.recall(fact)
  let n = 1
  const step = (type: string, data: Record<string, unknown>) => {
    n += 1
    const { facts, effects } = core.step({ k: 'i', n, at: noon, type, v: versionOf('i', type), data })
    const ordered = effectRecord({ n, at: noon }, effects)
    return { facts, effects, lines: [...facts.map(encode), ...(ordered ? [encode(ordered)] : [])] }
  }
  step('core.boot', bootData(1))
  return { core, step }
}

const update = (at: number) => ({
  pushId: '1',
  topic: topicOf(at),
  hash: `hash-${at}`,
  publishedAt: noon,
  tag: 1104,
  payload: {
    kind: 'update',
    id: `${noon}001`,
    namespaces: { solana: { accounts: [`${caip2}:${account}`], methods: ['solana_signTransaction'], events: [] } },
  },
})

describe('a change of one session among ten thousand', () => {
  test('writes as much as among one: a few lines of some hundred bytes', () => {
    const [few, many] = [standing(1), standing(10_000)]
    const alone = few.step('relay.message', update(0)).lines
    const among = many.step('relay.message', update(0)).lines
    expect(among).toHaveLength(alone.length)
    const bytes = (lines: string[]) => lines.join('\n').length
    // The seq has more digits
    expect(bytes(among)).toBeLessThan(bytes(alone) + 40)
    expect(bytes(among)).toBeLessThan(1200)
  })

  test('touches that session alone', () => {
    const { core, step } = standing(10_000)
    const before = { ...core.model.session }
    const written = JSON.stringify(core.model.session[topicOf(4999)])
    step('relay.message', update(5000))
    expect(core.model.session[topicOf(5000)]?.updateOrder).toBe(noon)
    expect(JSON.stringify(core.model.session[topicOf(4999)])).toBe(written)
    expect(Object.keys(core.model.session).every(topic => core.model.session[topic] === before[topic])).toBe(true)
  })

  test('sets one timer for its end, and its end is the end of that one', () => {
    const { core, step } = standing(10_000)
    const { effects } = step('relay.message', { ...update(7), payload: { kind: 'extend', id: `${noon}002` } })
    const timers = effects.filter(
      ({ type, data }) => type === 'timer.set' && String(data.timerId).startsWith('session:'),
    )
    expect(timers.map(({ data }) => data.timerId)).toEqual([`session:${topicOf(7)}`])
    step('session.disconnect', { sessionTopic: topicOf(9) })
    expect(Object.keys(core.model.session)).toHaveLength(9999)
  })
})

test('many sessions: ten thousand are the same model after a checkpoint', () => {
  const model = emptyCoreModel()
  for (const fact of settled(10_000)) foldCoreFact(model, fact)
  const again = modelOf(snapshots.snapshot(model))
  expect(Object.keys(again.session)).toHaveLength(10_000)
  expect(again).toEqual(model)
})
