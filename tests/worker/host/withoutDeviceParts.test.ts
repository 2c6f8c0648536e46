import { expect, test, vi } from 'vitest'
import type { Clock } from '../../../src/runtime/host/timer.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { withoutDeviceParts } from '../../../src/worker/host/withoutDeviceParts.ts'

test('without its device parts a core has timers, and fails every other effect for the cause', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const parts = withoutDeviceParts(new Fault('reload_needed', 'the file is gone'))
  const waits: (() => void)[] = []
  const clock: Clock = { now: () => 0, passed: () => 0, after: (_, run) => (waits.push(run), () => undefined) }
  const { table, absent } = parts.createDrivers({ clock } as Parameters<typeof parts.createDrivers>[0])
  expect([Object.keys(table).sort(), absent]).toEqual([
    ['timer.clear', 'timer.set'],
    { code: 'reload_needed', message: 'the file is gone' },
  ])
  const fired: unknown[] = []
  await table['timer.set']?.({ id: 'e', data: { timerId: 't', at: 0 } }, ({ data }) => fired.push(data.timerId))
  for (const run of waits) run()
  expect(fired).toEqual(['t'])
  await expect(parts.eraseLog('')).rejects.toThrow('the file is gone')
  expect(warn).toHaveBeenCalledOnce()
})
