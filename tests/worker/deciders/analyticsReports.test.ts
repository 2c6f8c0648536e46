/** Reports of services and of the project's configuration. */
import { expect, test } from 'vitest'
import { createWorld, type World } from '../world.ts'

/** A core for a host with analytics, and a page that is looked at. */
function watched(): World {
  const world = createWorld({ analytics: { consent: 'given', tracks: true, reports: true } })
  world.boot()
  world.attach()
  return world
}

test.each([
  ['bad_response', undefined, 'DATA_PARSING_ERROR'],
  ['bad_response', 404, 'API_ERROR'],
  ['unauthorized', 401, 'API_ERROR'],
  ['timeout', undefined, undefined],
] as const)('a service that fails as %s with the status %s, as %s, once in a row', (code, status, event) => {
  const world = watched()
  const reports = () => world.said('analytics.queued').filter(one => one.errorType !== undefined)
  const failure = { code, message: 'the service failed', ...(status && { facts: { status } }) }
  for (let times = 0; times < 2; times += 1) {
    world.command('service.ask', { ask: { call: 'supportedChains' } })
    world.answer('service.call', 'service.refused', { failure, reasons: ['no'] })
  }
  expect(reports()).toMatchObject(event ? [{ event, errorMessage: 'the service failed' }] : [])
  expect(JSON.stringify(reports())).not.toContain('"no"')
})

test.each([
  ['a refusal', { code: 'unauthorized', facts: { status: 403 } }, 'APKT002', ['API_ERROR']],
  ['another status', { code: 'bad_response', facts: { status: 404 } }, undefined, ['API_ERROR']],
  ['another shape', { code: 'bad_response' }, undefined, ['DATA_PARSING_ERROR']],
  ['a network that is away', { code: 'unreachable' }, undefined, []],
] as const)('a project’s configuration that fails by %s', (_name, failed, code, events) => {
  const world = watched()
  world.command('project.open', {})
  const problem = code && { problem: { code, title: 'Invalid App Configuration' } }
  world.answer('project.read', 'project.failed', { failure: { ...failed, message: 'it failed' }, ...problem })
  const [first, ...more] = world.said('analytics.queued')
  expect([first, ...more].flatMap(one => one?.event ?? [])).toEqual(events)
  if (first) expect(first.errorMessage).toBe(code ? 'APKT002: Invalid App Configuration' : 'it failed')
})
