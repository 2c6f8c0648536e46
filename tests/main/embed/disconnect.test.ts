import { beforeEach, expect, test, vi } from 'vitest'
import { disconnect } from '../../../src/main/embed/disconnect.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { connected, stage } from '../../ui/modalStage.ts'

let on: ReturnType<typeof stage>
let taken: Promise<void>
let store: () => void
const give = vi.fn((_: unknown) => ({ ref: 'r', taken }))
const run = () => disconnect({ store: on.store, started: Promise.resolve({ give }) })
beforeEach(() => {
  give.mockClear()
  taken = new Promise(resolve => (store = resolve))
  on = stage()
})

test('disconnecting without a connection asks for nothing', async () => {
  await run()
  expect(give).not.toHaveBeenCalled()
})

test('disconnecting is over when the connection has ended and the core has it on disk', async () => {
  on.facts(connected('Nib'))
  const told: string[] = []
  const over = run().then(() => told.push('over'))
  await expect.poll(() => give.mock.calls).toEqual([[{ type: 'connection.disconnect', data: { connectionId: 'c1' } }]])
  on.facts({ type: 'connection.ended', data: { connectionId: 'c1', by: 'person' } })
  await new Promise(resolve => setImmediate(resolve))
  told.push('shown')
  store()
  await over
  expect(told).toEqual(['shown', 'over'])
})

test('disconnecting fails when no core has the command', async () => {
  on.facts(connected('Nib'))
  taken = Promise.reject(new Fault('core_lost', 'gone'))
  await expect(run()).rejects.toMatchObject({ code: 'core_lost' })
})
