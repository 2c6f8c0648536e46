/** The wallet list and the analytics events, from the command through core and driver to the local services. */
import { expect, test } from 'vitest'
import type { EffectType } from '../../src/events/effect.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import { createDirectoryDriver } from '../../src/worker/drivers/directory.ts'
import { createPulseDriver } from '../../src/worker/drivers/pulse.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import type { InputType } from '../../src/worker/core/context.ts'
import type { Fault } from '../stack/services/faults.ts'
import { listFaults, listPaths } from '../worker/drivers/listFaults.ts'
import { createWorld } from '../worker/world.ts'
import { mainnet, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('lists through the core')
/** Longer than any pause after a failure, ms. */
const restMs = 2 * 3_600_000
/** A silent service is given up then, ms. */
const silentMs = 300

/** A core of a host with analytics, and its way to the local services; waits between retries are left out. */
function coreWith() {
  const world = createWorld({ projectId, analytics: { consent: 'given', tracks: true, reports: true } })
  world.boot()
  world.attach()
  const { url } = here.services
  const terms = { consent: 'given' as const }
  const analytics = { url, pageUrl: 'https://shop.example/', terms, options: { networks: [] } }
  const done = new Set<string>()
  /** Carries out the effects to the services until there are none. @param silent whether the service is, so that little time serves */
  const settle = async (silent = false) => {
    const timeoutMs = silent ? silentMs : 60_000
    const soon: typeof fetch = (input, init) =>
      fetch(input, {
        ...init,
        signal: AbortSignal.any([init?.signal ?? AbortSignal.timeout(timeoutMs), AbortSignal.timeout(timeoutMs)]),
      })
    const http = createHttp({ wait: async () => {}, timeoutMs })
    const drivers: Partial<Record<EffectType, Drive>> = {
      ...createDirectoryDriver({ configUrl: url, projectId, chains: [mainnet], http }),
      ...createPulseDriver({ analytics, configUrl: url, projectId, http }, soon),
    }
    for (;;) {
      const open = (Object.keys(listPaths) as (keyof typeof listPaths)[])
        .flatMap(type => world.ordered<EffectType>(type))
        .find(({ id }) => !done.has(id))
      if (!open) return
      done.add(open.id)
      await drivers[open.type]?.(open, ({ type, data }) => {
        world.input(type as InputType, data as never, { to: open.id })
      })
    }
  }
  return { world, settle }
}

const fail = (type: keyof typeof listPaths, fault: Fault) =>
  here.services.control({ fail: { [listPaths[type]]: fault } })
const silent = { hold: true } as const
const silence = expect.stringMatching(/^(?:timeout|unreachable)$/) as string

test('the wallet list fails in every way, and is read', async () => {
  const { world, settle } = coreWith()
  const read = async (isSilent?: boolean) => {
    world.wait(restMs)
    world.command('listing.read', { page: 1, search: '' })
    await settle(isSilent)
  }
  for (const [fault, code] of listFaults) {
    fail('directory.read', fault)
    await read()
    expect(world.model.listing.all, JSON.stringify(fault)).toMatchObject({ phase: 'failed', failure: { code } })
  }
  fail('directory.read', silent)
  await read(true)
  expect(world.model.listing.all).toMatchObject({ phase: 'failed', failure: { code: silence } })
  here.services.control({ reset: true })
  await read()
  expect(world.said('listing.failed')).toHaveLength(listFaults.length + 1)
  expect(world.model.listing.all).toMatchObject({ pages: 1 })
  // One of 40 takes no code
  expect(world.model.listing.all.wallets).toHaveLength(39)
})

test('events fail in every way, and are sent', async () => {
  const { world, settle } = coreWith()
  const send = async (isSilent?: boolean) => {
    world.wait(restMs)
    world.command('analytics.track', { event: 'MODAL_OPEN', connected: false })
    world.fire('analytics:send')
    await settle(isSilent)
  }
  // The switch is read before the first
  await send()
  world.fire('analytics:send')
  await settle()
  expect(world.said('analytics.sent')).toHaveLength(1)
  let [sent, failed] = [1, 0]
  for (const [fault, code, sends] of listFaults) {
    fail('pulse.send', fault)
    await send()
    if (sends) sent += 1
    else failed += 1
    expect([world.said('analytics.sent').length, world.said('analytics.failed').length]).toEqual([sent, failed])
    if (!sends) expect(world.said('analytics.failed').at(-1)).toMatchObject({ failure: { code } })
  }
  fail('pulse.send', silent)
  await send(true)
  expect(world.said('analytics.failed').at(-1)).toMatchObject({ failure: { code: silence } })
  here.services.control({ reset: true })
  await send()
  expect(world.model.analytics?.waiting).toEqual([])
})

test('the analytics switch fails in every way, which counts as off, and is read', async () => {
  const { world, settle } = coreWith()
  const life = async (isSilent?: boolean) => {
    world.kill('start')
    world.attach()
    world.command('analytics.track', { event: 'MODAL_OPEN', connected: false })
    world.fire('analytics:send')
    await settle(isSilent)
    return world.said('analytics.switched').at(-1)?.isOn
  }
  for (const [fault] of listFaults) {
    fail('pulse.readSwitch', fault)
    expect(await life(), JSON.stringify(fault)).toBe(false)
  }
  fail('pulse.readSwitch', silent)
  expect(await life(true)).toBe(false)
  here.services.control({ reset: true })
  expect(await life()).toBe(true)
  expect(world.said('analytics.switched')).toHaveLength(listFaults.length + 2)
})
