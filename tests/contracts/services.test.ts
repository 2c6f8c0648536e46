import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ethereumOnly } from '../stack/services/wallets.ts'
import { type ServicesStack, startServices } from '../stack/services/services.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const project = `projectId=${'0'.repeat(32)}&st=appkit&sv=html-solana-1.7.19`

let services: ServicesStack
beforeAll(async () => {
  services = await startServices()
})
afterAll(() => services.close())

type Page = { count: number; data: { id: string; name: string; image_id: string; chains: string[]; order: number }[] }
const get = (path: string) => fetch(`${services.url}${path}`)
const wallets = async (query: string): Promise<Page> =>
  (await get(`/getWallets?${project}&${query}`)).json() as Promise<Page>
const control = (body: unknown) => fetch(`${services.url}/control`, { method: 'POST', body: JSON.stringify(body) })

describe('the wallet listing', () => {
  test('480 wallets for Solana, in order, each id and name once, and a page behind the end is empty', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(page => wallets(`page=${page}&entries=40&chains=${solana}`)),
    )
    const all = pages.flatMap(page => page.data)
    expect(pages[0]?.count).toBe(480)
    expect(new Set(all.map(one => one.id)).size).toBe(480)
    expect(new Set(all.map(one => one.name)).size).toBe(480)
    expect(all.map(one => one.order)).toEqual(all.map(one => one.order).sort((a, b) => a - b))
    expect(await wallets(`page=13&entries=40&chains=${solana}`)).toEqual({ count: 480, data: [] })
    expect((await wallets('page=1&entries=40')).count).toBe(480 + ethereumOnly)
  })
  test('it is the same listing each time', async () => {
    const other = await startServices()
    const text = async (url: string) => (await fetch(`${url}/getWallets?${project}&page=1&entries=480`)).text()
    const [here, there] = [await text(services.url), await text(other.url)]
    expect(createHash('sha256').update(here).digest('hex')).toBe(createHash('sha256').update(there).digest('hex'))
    await other.close()
  })
  test('include, exclude, search and badge narrow it down', async () => {
    const phantom = 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'
    expect((await wallets(`page=1&entries=4&include=${phantom}&exclude=`)).data.map(one => one.name)).toEqual([
      'Phantom',
    ])
    expect((await wallets(`page=1&entries=4&exclude=${phantom}`)).count).toBe(479 + ethereumOnly)
    expect((await wallets('page=1&entries=100&search=SOLF')).data.map(one => one.name)).toEqual(['Solflare'])
    expect((await wallets('page=1&entries=1&badge_type=certified')).count).toBeLessThan(480)
  })
  test('a badge or a chain outside the grammar is 400', async () => {
    expect((await get(`/getWallets?${project}&badge_type=gold`)).status).toBe(400)
    expect((await get(`/getWallets?${project}&chains=solana`)).status).toBe(400)
  })
  test('a missing project id is 400, a malformed one 403, a page that is no number 400', async () => {
    expect((await get('/getWallets?page=1&entries=4')).status).toBe(400)
    expect((await get('/getWallets?projectId=short')).status).toBe(403)
    expect((await get(`/getWallets?${project}&page=x`)).status).toBe(400)
  })
})

describe('images, config and analytics', () => {
  test('an image is a PNG of 64 × 64 pixels that depends on its id only', async () => {
    const read = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer())
    const png = await read('/getWalletImage/one')
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 64])
    const data = png.indexOf('IDAT') + 4
    expect(inflateSync(png.subarray(data, data + png.readUInt32BE(data - 8))).length).toBe(65 * 64)
    expect(png.equals(await read('/public/getAssetImage/one'))).toBe(true)
    expect(png.equals(await read('/getWalletImage/two'))).toBe(false)
  })
  test('the project config leaves every feature to the page', async () => {
    const { features } = (await (await get(`/appkit/v1/config?${project}`)).json()) as {
      features: { config: unknown }[]
    }
    expect(features.length).toBe(6)
    expect(features.every(one => one.config === null)).toBe(true)
  })
  test('analytics events are counted whatever their content type; so are invalid ones', async () => {
    const body = JSON.stringify({ props: { type: 'track', event: 'MODAL_OPEN' } })
    expect((await fetch(`${services.url}/e?${project}`, { method: 'POST', body })).status).toBe(202)
    expect((await fetch(`${services.url}/e?${project}`, { method: 'POST', body: '{' })).status).toBe(202)
    expect(services.state()).toMatchObject({ events: { MODAL_OPEN: 1 }, malformedEvents: 1 })
  })
  test('a page of another origin may read every answer, refusals included', async () => {
    for (const path of ['/getWalletImage/x', '/getWallets', '/nothing']) {
      expect((await get(path)).headers.get('access-control-allow-origin')).toBe('*')
    }
    const headers = {
      origin: 'http://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'solana-client',
    }
    const preflight = await fetch(`${services.url}/e`, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('solana-client')
  })
})

describe('faults', () => {
  test('a path fails a set number of times and then works again', async () => {
    await control({ fail: { '/getWallets': { status: 503, times: 1 }, '/getWalletImage': { html: true, times: 1 } } })
    expect((await get(`/getWallets?${project}`)).status).toBe(503)
    expect((await get(`/getWallets?${project}`)).status).toBe(200)
    expect((await get('/getWalletImage/x')).headers.get('content-type')).toContain('text/html')
    expect((await get('/getWalletImage/x')).headers.get('content-type')).toBe('image/png')
  })
  test('an invalid control body is refused with a sentence', async () => {
    const answer = await control({ fail: { '/getWallets': { status: 'no' } } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: 'services control: /getWallets expected status as a number, got "no"',
    })
  })
})
