/** The file with record and drivers answers 404, as after a deploy: a core begins all the same, and its page reads what fails. */
import { expect, test, vi } from 'vitest'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { createLocks } from './locks.ts'
import { openPage } from './page.ts'
import { install, live } from './world.ts'

vi.mock('../../../src/worker/host/deviceParts.ts', () => {
  throw new TypeError('404')
})

install()
const nowhere = 'http://127.0.0.1:9'
const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: ['ws://127.0.0.1:9'],
  solanaRpcUrl: nowhere,
  apiUrl: nowhere,
  configUrl: nowhere,
  termsUrl: nowhere,
  sale: { authority: '11111111111111111111111111111111', id: 'sale' },
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}

test('device away: a core works in memory and says that nothing is stored and that the terms cannot be read', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const { value: page, kill } = await live(() => openPage({ config, locks: createLocks() }))
  const { terms } = await page.until('the terms to fail', ({ sale }) => sale.terms.phase !== 'unread' && sale)
  expect(terms).toMatchObject({ failure: { code: 'reload_needed' } })
  expect(page.model().core.storage).toBe('memory')
  expect([page.died(), await page.core.ready()]).toEqual([undefined, false])
  await kill()
})
