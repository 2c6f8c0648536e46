/** The project configuration service, its images, and the analytics. */
import { describe, expect, test } from 'vitest'
import { readPicture } from '../../src/main/drivers/pictures/picture.ts'
import { project, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services config')
const { ask } = here

describe('project configuration', () => {
  const features = async () => (await ask(`/appkit/v1/config?${project}`)).body

  test('features are those set: without config, with a list, disabled, or none', async () => {
    const set = [
      { id: 'swap', isEnabled: true, config: null },
      { id: 'social_login', isEnabled: true, config: ['email', 'google'] },
      { id: 'onramp', isEnabled: false, config: [] },
      { id: 'activity', isEnabled: true },
    ]
    await here.control({ set: { features: set } })
    expect(await features()).toEqual({ features: set })
    await here.control({ set: { features: [] } })
    expect(await features()).toEqual({ features: [] })
    await here.control({ reset: true })
    expect(await features()).toMatchObject({ features: [{ id: 'social_login', config: null }, {}, {}, {}, {}, {}] })
  })
  test('origins and the analytics switch are those set', async () => {
    const origins = async () => (await ask(`/projects/v1/origins?${project}`)).body
    expect(await origins()).toEqual({ allowedOrigins: ['http://localhost:*', 'http://127.0.0.1:*'] })
    expect((await ask('/getAnalyticsConfig')).body).toEqual({ isAnalyticsEnabled: true })
    await here.control({ set: { origins: ['https://*.shop.example'], analytics: false } })
    expect(await origins()).toEqual({ allowedOrigins: ['https://*.shop.example'] })
    expect((await ask('/getAnalyticsConfig')).body).toEqual({ isAnalyticsEnabled: false })
  })
  test.each(['/appkit/v1/config', '/projects/v1/origins', '/getWallets'])(
    '%s: no project id is 400, a malformed one and a refused origin are 403 in plain text',
    async path => {
      expect(await ask(path)).toMatchObject({ status: 400, text: 'projectId must be 32 characters long' })
      expect(await ask(`${path}?projectId=short`)).toMatchObject({ status: 403, text: 'Forbidden' })
      await here.control({ set: { refusedOrigins: ['https://shop.example'] } })
      const headers = { origin: 'https://shop.example' }
      expect(await ask(`${path}?${project}`, { headers })).toMatchObject({
        status: 403,
        text: 'Unauthorized: origin not allowed',
      })
      expect((await ask(`${path}?${project}`)).status).toBe(200)
    },
  )
})

test('wallet list: the published entry of Phantom has every field', async () => {
  const { body } = await ask(`/getWallets?${project}&page=1&entries=1&search=phantom`)
  expect(body).toEqual({
    count: 1,
    data: [
      {
        id: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
        name: 'Phantom',
        homepage: 'https://phantom.app/',
        image_id: 'b6ec7b81-bb4f-427d-e290-7631e6e50d00',
        order: 210,
        mobile_link: 'phantom://',
        desktop_link: null,
        link_mode: 'https://phantom.app',
        webapp_link: null,
        rdns: 'app.phantom',
        rdns_web_wallet: null,
        app_store: 'https://apps.apple.com/us/app/phantom-crypto-wallet/id1598432977',
        play_store: 'https://play.google.com/store/apps/details?id=app.phantom&hl=en',
        chrome_store: 'https://chrome.google.com/webstore/detail/phantom/bfnaelmomeimhlpmgjnjophhpkkoljpa',
        injected: [
          { namespace: 'eip155', injected_id: 'isPhantom' },
          { namespace: 'solana', injected_id: 'isPhantom' },
        ],
        chains: expect.arrayContaining(['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']) as string[],
        categories: ['b7c081de-c6d6-447e-ada6-a6f8e6e1480a'],
        description: expect.any(String) as string,
        badge_type: 'none',
        supports_wc: true,
      },
    ],
  })
})

test('wallet list: optional fields are filled in some entries and null in others', async () => {
  const { body } = await ask(`/getWallets?${project}&page=1&entries=520`)
  const entries = (body as { data: Record<string, unknown>[] }).data
  const optional = ['link_mode', 'webapp_link', 'rdns', 'rdns_web_wallet', 'app_store', 'play_store', 'chrome_store']
  for (const field of [...optional, 'injected', 'mobile_link']) {
    expect(entries.some(entry => entry[field] === null)).toBe(true)
    expect(entries.some(entry => typeof entry[field] === 'string' || Array.isArray(entry[field]))).toBe(true)
  }
  expect(new Set(entries.map(entry => entry.supports_wc))).toEqual(new Set([true, false]))
})

describe('images', () => {
  const read = async (path: string) => {
    const answer = await fetch(`${here.services.url}${path}`)
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }
  }

  test.each(['/getWalletImage/', '/public/getAssetImage/', '/public/getCurrencyImage/', '/public/getTokenImage/'])(
    '%s answers a JPEG, WebP, GIF, AVIF or SVG for an id that begins so',
    async route => {
      for (const format of ['jpeg', 'webp', 'gif', 'avif']) {
        const { status, type, bytes } = await read(`${route}${format}-1`)
        expect([status, type, readPicture(bytes)?.type]).toEqual([200, `image/${format}`, `image/${format}`])
      }
      const svg = await read(`${route}svg-1`)
      expect([svg.type, Buffer.from(svg.bytes.slice(0, 4)).toString()]).toEqual(['image/svg+xml', '<svg'])
    },
  )
  test('currencies and tokens are known by name, others are 404', async () => {
    for (const path of ['/public/getCurrencyImage/USD', '/public/getCurrencyImage/EUR', '/public/getTokenImage/USDC'])
      expect(await read(path)).toMatchObject({ status: 200, type: 'image/png' })
    expect((await read('/public/getCurrencyImage/XYZ')).status).toBe(404)
    expect((await read('/public/getTokenImage/NOPE')).status).toBe(404)
  })
})

describe('analytics', () => {
  const event = (name: string) => ({ eventId: 'e1', props: { type: 'track', event: name, properties: {} } })
  const send = (name: string) => ask(`/e?${project}`, { body: event(name) })

  test('events are answered 202 with an empty record and kept whole, the last 200 of them', async () => {
    expect(await send('MODAL_OPEN')).toMatchObject({ status: 202, body: {} })
    expect(here.services.state().lastEvents.at(-1)).toEqual(event('MODAL_OPEN'))
    for (let n = 0; n < 205; n++) await send(`EVENT_${n}`)
    const { lastEvents, events } = here.services.state()
    expect(lastEvents).toHaveLength(200)
    expect([lastEvents[0], lastEvents[199]]).toEqual([event('EVENT_5'), event('EVENT_204')])
    expect(events).toMatchObject({ MODAL_OPEN: 1, EVENT_0: 1 })
  })
  test('an invalid project id is 400, a refused origin 403; neither event counts', async () => {
    await here.control({ set: { refusedOrigins: ['https://shop.example'] } })
    expect((await ask('/e', { body: event('REFUSED') })).status).toBe(400)
    expect((await ask('/e?projectId=short', { body: event('REFUSED') })).status).toBe(400)
    const headers = { origin: 'https://shop.example' }
    expect((await ask(`/e?${project}`, { body: event('REFUSED'), headers })).status).toBe(403)
    expect(here.services.state().events).not.toHaveProperty('REFUSED')
  })
})

test('control: settings and fields that do not exist are refused with a sentence', async () => {
  const refusal = async (body: unknown) => (await ask('/control', { body })).body
  expect(await refusal({ set: { clock: 'soon' } })).toEqual({
    error: 'services control: expected clock as chain, machine or Unix ms, got "soon"',
  })
  expect(await refusal({ set: { features: [{ id: 1 }] } })).toEqual({
    error: 'services control: expected features as a list of {id, isEnabled, config?}, got [{"id":1}]',
  })
  expect(await refusal({ release: 'now' })).toEqual({ error: 'services control expected release as a path or true' })
  expect(await refusal({ stop: true })).toEqual({
    error: 'services control knows reset, set, fail, release; got stop',
  })
})
