/** The page's pictures of four kinds, from the local services. */
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { createImages, type Images } from '../../src/main/drivers/images.ts'
import type { Fault } from '../stack/services/faults.ts'
import { projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services images')
const imagesHere = () => createImages({ configUrl: here.services.url, projectId, online: () => true })
let images: Images
let types: string[]
beforeEach(() => {
  types = []
  images = imagesHere()
  vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => `blob:${types.push((blob as Blob).type)}`)
})
afterEach(() => vi.restoreAllMocks())

test.each([
  ['wallet', 'phantom', 'image/png'],
  ['wallet', 'jpeg-1', 'image/jpeg'],
  ['wallet', 'webp-1', 'image/webp'],
  ['wallet', 'gif-1', 'image/gif'],
  ['wallet', 'avif-1', 'image/avif'],
  ['network', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'image/png'],
  ['connector', 'walletConnect', 'image/png'],
  ['currency', 'USD', 'image/png'],
  ['token', 'USDC', 'image/png'],
] as const)('pictures: %s %s comes as a blob of %s', async (of, name, type) => {
  expect(await images.picture(of, name)).toBe('blob:1')
  expect(types).toEqual([type])
})

test.each([
  ['wallet', 'svg-1'],
  ['currency', 'XXX'],
  ['token', 'UNKNOWN'],
] as const)('pictures: %s %s is none', async (of, name) => {
  expect(await images.picture(of, name)).toBeUndefined()
})

const routes = [
  ['wallet', 'phantom', '/getWalletImage'],
  ['network', 'eip155:1', '/public/getAssetImage'],
  ['currency', 'USD', '/public/getCurrencyImage'],
  ['token', 'USDC', '/public/getTokenImage'],
] as const
const faults: Fault[] = [
  { status: 403 },
  { status: 401 },
  { status: 429 },
  { status: 500 },
  { status: 503 },
  { truncated: true },
  { malformed: true },
  { empty: true },
  { html: true },
  { oversized: 3_000_000 },
]

test.each(routes)('pictures: %s %s that fails is none, and comes with the next ask', async (of, name, pattern) => {
  for (const fault of faults) {
    images = imagesHere()
    here.services.control({ fail: { [pattern]: { ...fault, times: 1 } } })
    expect(await images.picture(of, name), JSON.stringify(fault)).toBeUndefined()
  }
  expect(types).toEqual([])
  expect(await images.picture(of, name)).toBe('blob:1')
})
