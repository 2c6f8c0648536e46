import { expect, test } from 'vitest'
import type { CoreModel } from '../../../../src/events/app.ts'
import { foldCoreFact } from '../../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../../src/events/emptyModel.ts'
import { endSessions, farewellMs } from '../../../../src/worker/host/calls/endSessions.ts'
import type { OpenCore } from '../../../../src/worker/host/openCore.ts'
import { createWaits } from '../../../../src/runtime/host/waits.ts'

const topic = 'topic-a'
const owed = { type: 'parting.owed', at: 1, data: { sessionTopic: topic } } as const
const queued = {
  type: 'outbox.queued',
  at: 2,
  data: {
    callId: '7',
    kind: 'publish',
    topic,
    messageRef: 'm',
    tag: 1112,
    ttl: 86_400,
    prompt: false,
    payloadId: '8',
    purpose: `delete:${topic}`,
    expiresAt: 9,
  },
} as const
const settled = { type: 'parting.settled', at: 2, data: { sessionTopic: topic } } as const
const taken = { type: 'outbox.taken', at: 3, data: { callId: '7' } } as const

/**
 * A core with one session, which owes its end once its disconnect is stepped: at once, or with care when `settled` resolves.
 * Its timers are run by hand.
 */
function coreWith({ online = true, careful = false } = {}) {
  const model: CoreModel = {
    ...emptyCoreModel(),
    network: { phase: 'unknown', online },
    session: { [topic]: {} as never },
  }
  const timers: { ms: number; run: () => void }[] = []
  const after = (ms: number, run: () => void) => {
    timers.push({ ms, run })
    return () => void timers.splice(0)
  }
  const waits = createWaits({ model }, { after })
  const inputs: unknown[] = []
  const step = (...facts: { type: string; at: number; data: unknown }[]) => {
    for (const fact of facts) foldCoreFact(model, fact)
    waits.stepped()
  }
  const end = () => step({ type: 'session.deleted', at: 1, data: { sessionTopic: topic, by: 'person' } }, owed)
  const inbox = {
    take(draft: unknown) {
      inputs.push(draft)
      if (!careful) end()
    },
    async settled() {
      await Promise.resolve()
      if (careful) end()
    },
  }
  let isOver = false
  const ended = endSessions({ core: { model }, inbox, until: waits.until } as unknown as OpenCore, 't-1').then(() => {
    isOver = true
  })
  // Past all pending microtasks
  const look = async () => {
    await new Promise(resolve => setImmediate(resolve))
    return isOver
  }
  return { inputs, timers, waits, step, look, ended }
}

test('ending sessions for an erase waits until the relay has each message', async () => {
  const { inputs, timers, step, look, ended } = coreWith()
  expect(inputs).toEqual([{ type: 'session.disconnect', data: { sessionTopic: topic }, tab: 't-1' }])
  expect(await look()).toBe(false)
  step(settled, queued)
  expect(await look()).toBe(false)
  step(taken)
  await ended
  expect(timers).toEqual([])
})

test('ending sessions for an erase waits for steps that are taken with care', async () => {
  const { timers, step, look, ended } = coreWith({ careful: true })
  expect(await look()).toBe(false)
  step(settled)
  await ended
  expect(timers).toEqual([])
})

test('a wait for what the model is already ends without a step', async () => {
  const model = emptyCoreModel()
  const { until } = createWaits({ model }, { after: () => () => undefined })
  let isOver = false
  void until(({ network }) => network.online === model.network.online, 1).then(() => (isOver = true))
  await new Promise(resolve => setImmediate(resolve))
  expect(isOver).toBe(true)
})

test('ending sessions for an erase waits no longer than its limit', async () => {
  const { timers, look, ended } = coreWith()
  expect(await look()).toBe(false)
  expect(timers.map(({ ms }) => ms)).toEqual([farewellMs])
  timers[0]?.run()
  await ended
})

test('ending sessions for an erase does not wait on an offline device', async () => {
  const { timers, ended } = coreWith({ online: false })
  await ended
  expect(timers).toEqual([])
})

test('ending sessions for an erase is over with the core', async () => {
  const { waits, look, ended } = coreWith()
  expect(await look()).toBe(false)
  waits.end()
  await ended
})
