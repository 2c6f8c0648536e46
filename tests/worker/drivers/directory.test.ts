import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { createDirectoryDriver, listChains } from '../../../src/worker/drivers/directory.ts'
import { localNetwork, networks } from '../../../src/events/values/networks.ts'
import { createHttp } from '../../../src/worker/host/aloneTransport.ts'
import { readListing } from '../../../src/worker/services/listing.ts'
import { walletSnapshot } from '../../../src/worker/services/walletSnapshot.ts'
import { listedWallets } from '../../stack/services/wallets.ts'
import { answerOf, type SmallServer, serve } from './harness.ts'

let server: SmallServer | undefined
afterEach(async () => {
  await server?.close()
})

const [mainnet = '', devnet = ''] = networks.map(({ caip2 }) => caip2)
const ask = { page: 2, entries: 40, search: 'pha', include: [], exclude: ['x'] }
const drivers = (url: string) =>
  createDirectoryDriver({ configUrl: url, projectId: 'p', http: createHttp({ wait: async () => {} }) })

describe('the wallet directory', () => {
  test.each([
    [
      ['mainnet', 'devnet'],
      [mainnet, devnet],
    ],
    [['devnet', 'local'], [devnet]],
    [['local'], [mainnet]],
    [[], [mainnet]],
  ])('of a page with %j is asked for networks that it knows', (names, chains) => {
    const ids: Record<string, string> = { mainnet, devnet, local: localNetwork('1'.repeat(44)).caip2 }
    expect(listChains(names.map(name => ids[name] ?? ''))).toEqual(chains)
  })

  test('has its snapshot for a page without mainnet, too', async () => {
    const host = { configUrl: 'http://127.0.0.1:9', projectId: 'p', http: createHttp({ wait: async () => {} }) }
    const asked = { page: 1, entries: 4, search: '', include: [], exclude: [], bundled: true }
    const here = createDirectoryDriver({ ...host, chains: [devnet] })
    expect(await answerOf(here, 'directory.read', asked, 'directory.read')).toMatchObject({
      count: walletSnapshot.data.length,
    })
    const [, second] = walletSnapshot.data.map(({ id }) => id)
    const chosen = { ...asked, include: [second ?? '', 'another'] }
    expect(await answerOf(here, 'directory.read', chosen, 'directory.read')).toMatchObject({
      wallets: [{ walletId: second }],
    })
  })

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

  test('adds the host’s own wallets where their ids are named, checked like the service’s', async () => {
    const asked: string[] = []
    server = await serve((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://here').searchParams.get('include') ?? '')
      response.end(JSON.stringify({ count: 1, data: [{ id: 'listed', name: 'Listed' }] }))
    })
    const custom = [
      { id: 'own', name: 'Own', mobile_link: 'own://', homepage: 'javascript:alert(1)' },
      { id: 'other', name: 'Other', image_url: 'https://house.example/other.png' },
    ]
    const http = createHttp({ fetch })
    const driver = createDirectoryDriver({ configUrl: server.url, projectId: 'p', http, custom })
    const read = (include: string[]) =>
      answerOf(driver, 'directory.read', { page: 1, entries: 4, search: '', include, exclude: [] }, 'directory.read')
    const own = { walletId: 'own', name: 'Own', mobileLink: 'own://', certified: false }
    expect(await read(['listed', 'own'])).toMatchObject({ count: 2, wallets: [{ walletId: 'listed' }, own] })
    expect(await read(['own'])).toMatchObject({ wallets: [own] })
    // By this id the page knows the picture's own address
    expect(await read(['other'])).toMatchObject({ wallets: [{ walletId: 'other', imageId: 'custom-1' }] })
    expect(await read([])).toMatchObject({ wallets: [{ walletId: 'listed' }] })
    expect(asked).toEqual(['listed', ''])
  })

  test('gives the wallets of this build without a request: dated, for Solana, the first by their order', async () => {
    const asked = { page: 1, entries: 4, search: '', include: [], exclude: [walletSnapshot.data[0]?.id ?? ''] }
    const chains = ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
    const http = createHttp({ fetch: () => Promise.reject(new Error('no request was expected')) })
    const driver = createDirectoryDriver({ configUrl: 'http://127.0.0.1:9', projectId: 'p', chains, http })
    const answer = await answerOf(driver, 'directory.read', { ...asked, bundled: true as const }, 'directory.read')
    const names = (answer as { wallets: { name: string }[] }).wallets.map(({ name }) => name)
    expect(names).toEqual(['Phantom', 'Solflare', 'Backpack'])
    expect(walletSnapshot.date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(gzipSync(JSON.stringify(walletSnapshot)).length).toBeLessThan(6000)
  })

  test('reads every wallet of this build as the service’s own', () => {
    const { count, wallets } = readListing(walletSnapshot, { entries: 100 })
    expect([count, wallets.length]).toEqual([walletSnapshot.count, walletSnapshot.data.length])
    const fields = Object.keys(listedWallets()[0] ?? {})
    for (const row of walletSnapshot.data) for (const name of Object.keys(row)) expect(fields).toContain(name)
    const withoutOrder = walletSnapshot.data.filter(({ order }) => order === undefined).map(({ name }) => name)
    // Nothing published tells their place or their links
    expect(withoutOrder).toEqual(['Solflare', 'Backpack'])
  })
})
