import { describe, expect, test } from 'vitest'
import type { InputData } from '../../../src/worker/core/context.ts'
import { createWorld, failing, type World } from '../world.ts'

type Options = NonNullable<InputData<'core.boot'>['features']>
const host: Options = { email: false, socials: [], onramp: [] }
const listed = [{ id: 'activity', isEnabled: false, config: [] }]
const problem = { code: 'APKT010', title: 'Rate Limited' } as const

function begun(features?: Options, featureRule?: 'host' | 'service'): World {
  const world = createWorld({ ...(features && { features }), ...(featureRule && { featureRule }) })
  world.boot()
  world.attach()
  return world
}

describe('features of the modal', () => {
  test('are the host’s and the defaults from the start, and nothing is asked for before the modal opens', () => {
    const world = begun(host)
    expect(world.model.project).toMatchObject({ phase: 'unread', features: { ...host, swaps: ['1inch'], send: true } })
    expect(world.ordered('project.read')).toEqual([])
    expect(world.said('project.resolved')).toMatchObject([{ by: 'boot', ignored: [] }])
    expect(world.said('project.resolved')[0]).not.toHaveProperty('warning')
  })

  test('of a log without a host’s options are unknown until the service is asked', () => {
    const world = begun()
    expect(world.model.project).toEqual({ phase: 'unread' })
    world.command('project.open', {})
    world.answer('project.read', 'project.read', { features: listed, dropped: 0 })
    expect(world.model.project).toMatchObject({ phase: 'read', features: { activity: false, analytics: true } })
  })

  test('are read once in a page’s life', () => {
    const world = begun(host)
    world.command('project.open', {})
    expect(world.command('project.open', {}).types).toEqual([])
    world.answer('project.read', 'project.read', { features: listed, dropped: 0 })
    expect(world.command('project.open', {}).types).toEqual([])
    expect(world.ordered('project.read')).toHaveLength(1)
  })

  test.each([
    ['host', { activity: true }, []],
    ['service', { activity: false }, ['history']],
  ] as const)('of which host and service tell apart follow the %s', (rule, features, ignored) => {
    const world = begun({ ...host, activity: true }, rule)
    world.command('project.open', {})
    world.answer('project.read', 'project.read', { features: listed, dropped: 0 })
    expect(world.model.project.features).toMatchObject(features)
    expect(world.said('project.resolved').at(-1)?.ignored).toEqual(ignored)
    expect(world.said('project.resolved').at(-1)?.warning ?? '').toContain(ignored[0] ?? '')
  })

  test('of a service that fails stay, with a warning and the error to show', () => {
    const world = begun(host)
    world.command('project.open', {})
    world.answer('project.read', 'project.failed', { ...failing('rate_limited'), problem })
    expect(world.model.project).toMatchObject({ phase: 'read', features: host, problem })
    expect(world.said('project.resolved').at(-1)).toMatchObject({
      by: 'failure',
      warning: 'Failed to fetch remote project configuration. Using local/default values.',
    })
  })

  test('in basic mode are off where the service decides them, and it is not asked', () => {
    const world = createWorld({ features: { activity: true, swaps: ['1inch'], send: false }, basic: true })
    world.boot()
    world.attach()
    world.command('project.open', {})
    expect(world.ordered('project.read')).toEqual([])
    const off = { email: false, socials: [], swaps: [], onramp: [], activity: false, reownBranding: false }
    expect(world.model.project.features).toMatchObject({ ...off, multiWallet: false, emailCapture: 'off', send: false })
    expect(world.said('project.resolved')).toMatchObject([{ by: 'boot', ignored: [] }])
  })

  test('of a part that is missing stay, too', () => {
    const world = begun(host)
    world.command('project.open', {})
    world.fail('project.read', 'reload_needed')
    expect(world.model.project).toMatchObject({ phase: 'read', features: host })
  })

  test.each([
    [{ ...host }, 0],
    [{ ...host, email: true }, 1],
    [{ ...host, socials: ['x'] as 'x'[] }, 1],
    [{ ...host, email: true, socials: ['x'] as 'x'[], pay: true }, 0],
  ])('with email or social login have the origins checked: %j', (features, asked) => {
    const world = begun(features)
    world.command('project.open', {})
    world.answer('project.read', 'project.read', { features: [], dropped: 0 })
    expect(world.ordered('project.readOrigins')).toHaveLength(asked)
    if (asked === 0) return
    world.answer('project.readOrigins', 'project.origins', { problem })
    expect(world.model.project.problem).toEqual(problem)
  })

  test('are asked for anew by a core that lost the reading, and after a reload by the next opening', () => {
    const world = begun(host)
    world.command('project.open', {})
    world.kill('lost')
    expect(world.ordered('project.read')).toHaveLength(1)
    world.answer('project.read', 'project.failed', { ...failing('rate_limited'), problem })
    world.kill('lost')
    expect(world.model.project).toMatchObject({ phase: 'read', problem })
    expect(world.ordered('project.read')).toEqual([])
    world.kill('start')
    expect(world.model.project).toMatchObject({ phase: 'unread', features: host })
    expect(world.model.project).not.toHaveProperty('problem')
    world.command('project.open', {})
    expect(world.ordered('project.read')).toHaveLength(1)
  })
})
