import { afterEach, describe, expect, test } from 'vitest'
import { createDirectoryDriver } from '../../../src/worker/drivers/directory.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { answerOf, type SmallServer, serve } from './harness.ts'

let server: SmallServer | undefined
afterEach(async () => {
  await server?.close()
})

const ask = { page: 2, entries: 40, search: 'pha', include: [], exclude: ['x'] }
const drivers = (url: string) =>
  createDirectoryDriver({ configUrl: url, projectId: 'p', http: createHttp({ wait: async () => {} }) })

describe('the wallet directory', () => {
  test('answers a page with its number and search', async () => {
    server = await serve((_, response) => response.end(JSON.stringify({ count: 1, data: [{ id: 'w', name: 'W' }] })))
    expect(await answerOf(drivers(server.url), 'directory.read', ask, 'directory.read')).toEqual({
      page: 2,
      search: 'pha',
      count: 1,
      wallets: [{ walletId: 'w', name: 'W', certified: false }],
    })
    expect(server.requests[0]?.path).toContain('search=pha')
  })

  test('answers a refusal for that page', async () => {
    server = await serve((_, response) => {
      response.statusCode = 401
      response.end()
    })
    expect(await answerOf(drivers(server.url), 'directory.read', ask, 'directory.failed')).toMatchObject({
      page: 2,
      search: 'pha',
      failure: { code: 'unauthorized' },
    })
  })
})
