import { expect, test, vi } from 'vitest'
import { Fault } from '../../../src/runtime/failure.ts'
import { deviceClock } from '../../../src/runtime/host/timer.ts'
import { withoutDeviceParts } from '../../../src/worker/host/withoutDeviceParts.ts'

type DriverPorts = Parameters<ReturnType<typeof withoutDeviceParts>['createDrivers']>[0]

test('a core whose part for device and network is gone works in memory, after all lives that its page knew', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const gone = withoutDeviceParts(new Fault('reload_needed', 'its file is gone'))
  await expect(gone.genesisHashAt('http://127.0.0.1', () => 1)).rejects.toMatchObject({ code: 'reload_needed' })
  const ports = { failed: () => undefined, taken: () => undefined, shrunk: () => undefined }
  const { journal, known, life, keys, bytes } = await gone.openRecord(undefined, ports, 4)
  expect([journal.storage, life, known.head.n, keys.isPartial]).toEqual(['memory', 5, 0, true])
  await expect(journal.flush('strict')).rejects.toMatchObject({ code: 'storage_down' })
  await expect(bytes.put(Uint8Array.of(1), 'o1')).rejects.toMatchObject({ code: 'reload_needed' })
  const drivers = gone.createDrivers({ clock: deviceClock() } as DriverPorts)
  expect(Object.keys(drivers.table)).toContain('timer.set')
  expect(drivers.absent).toMatchObject({ code: 'reload_needed' })
  expect(await drivers.ready()).toBe(false)
  drivers.stop()
  vi.restoreAllMocks()
})
