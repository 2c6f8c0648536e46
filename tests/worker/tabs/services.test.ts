/** Calls of services through the whole product: a page's command, its core, the local services, and the recording of it. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { strict } from '../../../src/main/replay/strict.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { askKey, type ServiceAsk, type ServiceEntry } from '../../../src/events/subjects/service/service.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { fixtureEvmAccount } from '../../stack/services/fixtures.ts'
import { type Stack, startStack } from '../../stack/start.ts'
import { createLocks } from './locks.ts'
import { chainOf, configFor, openPage, type TestPage } from './page.ts'
import { emptyDisk, install } from './world.ts'

let stack: Stack
let page: TestPage
beforeAll(async () => {
  install()
  Object.assign(globalThis, { location: { origin: 'http://127.0.0.1' } })
  stack = await startStack({
    clock: 'manual',
    seed: 'services',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
}, 60_000)
afterAll(() => stack?.close())
beforeEach(async () => {
  emptyDisk()
  stack.services.control({ reset: true })
  const features = { email: true, socials: [] }
  page = await openPage({ config: { ...configFor(stack), features }, locks: createLocks() })
  await chainOf(page)
})

async function call(ask: ServiceAsk): Promise<ServiceEntry> {
  await page.command({ type: 'service.ask', data: { ask } })
  return page.until(`the end of ${ask.call}`, ({ service }) => {
    const entry = service[askKey(ask)]
    return entry && !entry.isAsked && entry
  })
}
const requests = (route: string) => stack.services.state().requests[route] ?? 0

test('services: an answer reaches the page, is asked for once while fresh, and its recording runs again', async () => {
  const address = stack.solana.info.treasury
  const { network } = page.model()
  const chainId = network.phase === 'identified' ? network.caip2 : ''
  stack.solana.give(address, { sol: '3' })
  const before = requests('/v1/account/*/balance')
  const { answer } = await call({ call: 'balance', address, chainId })
  expect(answer).toMatchObject({ call: 'balance', dropped: 0 })
  await page.command({ type: 'service.ask', data: { ask: { call: 'balance', address, chainId } } })
  await page.until('the second answer', () => page.facts.some(({ type }) => type === 'service.reused'))
  expect(requests('/v1/account/*/balance')).toBe(before + 1)

  stack.services.control({ fail: { '/v1/identity/*': { status: 403 } } })
  const { failure } = await call({ call: 'identity', address: fixtureEvmAccount })
  expect(failure).toMatchObject({ code: 'unauthorized', message: 'the identity: HTTP status code: 403' })

  const recording = await readRecording(await page.core.recording([]), sha256Hex)
  expect(strict(recording, recording.header.coreBuild)).toMatchObject({ ok: true })
})

test('services: the project is read by the first opening, which nothing waits for', async () => {
  expect(page.model().project).toMatchObject({ phase: 'unread', features: { email: true } })
  const before = requests('/appkit/v1/config')
  stack.services.control({ fail: { '/projects/v1/origins': { status: 429 } } })
  await page.command({ type: 'project.open', data: {} })
  const problem = await page.until('the refusal', ({ project }) => project.problem)
  expect(problem).toEqual({ code: 'APKT010', title: 'Rate Limited' })
  await page.command({ type: 'project.open', data: {} })
  expect(requests('/appkit/v1/config')).toBe(before + 1)
})
