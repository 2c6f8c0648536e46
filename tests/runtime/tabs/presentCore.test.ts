import { expect, test } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { type Attached, coreCalls, type PageHello, type PagePort } from '../../../src/events/wire.ts'
import type { Calls } from '../../../src/worker/host/calls/calls.ts'
import { createPresentCore } from '../../../src/runtime/tabs/presentCore.ts'

const hello = { tab: 't-1' } as PageHello
const port = {} as PagePort

test('present core: an attach whose core is lost goes to the next core', async () => {
  const { calls, serve } = createPresentCore(coreCalls, () => undefined)
  let lose = (_cause: Fault) => undefined as void
  const lost = { attach: () => new Promise((_, reject) => (lose = reject)) } as unknown as Calls
  const next = { attach: async () => ({ life: 2 }) as Attached, ready: async () => true } as unknown as Calls
  serve(lost)
  const attaching = calls.attach(hello, port)
  await Promise.resolve()
  serve(next)
  lose(new Fault('core_lost', 'the leading tab is gone'))
  expect(await attaching).toEqual({ life: 2 })
  expect(await (calls as Calls).ready()).toBe(true)
})

test('present core: an attach that its own core refuses fails', async () => {
  const { calls, serve } = createPresentCore(coreCalls, () => undefined)
  serve({ attach: () => Promise.reject(new Fault('bad_input', 'no')) } as unknown as Calls)
  await expect(calls.attach(hello, port)).rejects.toMatchObject({ code: 'bad_input' })
  await expect((calls as Calls).ready()).rejects.toMatchObject({ code: 'core_lost' })
})
