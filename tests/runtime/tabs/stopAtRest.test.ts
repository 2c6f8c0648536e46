import { expect, test } from 'vitest'
import type { CoreModel } from '../../../src/events/app.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { openOrder } from '../../../src/events/subjects/order/order.ts'
import { type Stoppable, stopAtRest } from '../../../src/runtime/tabs/stopAtRest.ts'

/** A core whose last commit does this. */
function make(commit: (model: CoreModel) => unknown) {
  const events: string[] = []
  const model = emptyCoreModel()
  const core = {
    inbox: { settled: async () => void events.push('settled') },
    journal: {
      storage: 'durable',
      async flush(durability: string) {
        events.push(durability)
        await commit(model)
      },
    },
    stop: () => void events.push('stopped'),
  } as unknown as Stoppable
  return { core, events, model, isBusy: () => openOrder(model) !== undefined }
}
const order = { orderId: 'o1', phase: 'drafted' } as never

test('stop at rest: a core stops once all that it took is strictly on disk', async () => {
  const { core, events, isBusy } = make(() => undefined)
  expect(await stopAtRest(core, isBusy)).toBe(true)
  expect(events).toEqual(['settled', 'strict', 'stopped'])
})

test.each<[string, (model: CoreModel) => unknown]>([
  ['an order that is placed during the last commit', model => (model.order.o1 = order)],
  ['a disk that refuses the last commit', () => Promise.reject(new Error('no'))],
])('stop at rest: %s keeps the core going', async (_name, commit) => {
  const { core, events, isBusy } = make(commit)
  expect(await stopAtRest(core, isBusy)).toBe(false)
  expect(events).toEqual(['settled', 'strict'])
})

test('stop at rest: an open order keeps the core going', async () => {
  const { core, events, model, isBusy } = make(() => undefined)
  model.order.o1 = order
  expect(await stopAtRest(core, isBusy)).toBe(false)
  expect(events).toEqual([])
})
