import { describe, expect, test } from 'vitest'
import { listingUrl, readListing } from '../../../src/worker/services/listing.ts'

const host = { configUrl: 'https://api.example.org/base/', projectId: 'p 1' }
const everything = { page: 1, entries: 40, search: '', include: [], exclude: [] }
const phantom = {
  id: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
  name: 'Phantom',
  homepage: 'https://phantom.app/',
  image_id: 'b6ec7b81-bb4f-427d-e290-7631e6e50d00',
  order: 210,
  mobile_link: 'phantom://',
  desktop_link: null,
  webapp_link: null,
  app_store: 'https://apps.apple.com/us/app/phantom-crypto-wallet/id1598432977',
  rdns: 'app.phantom',
  chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  badge_type: 'certified',
}
const read = (data: unknown, chains?: string[]) =>
  readListing({ count: 480, data }, everything, chains ? { chains } : {})
const readOne = (change: object) => read([{ ...phantom, ...change }]).wallets[0]

describe('a request to the directory', () => {
  test('keeps the path of the service and leaves out what is empty', () => {
    const url = new URL(listingUrl(host, everything))
    expect(url.origin + url.pathname).toBe('https://api.example.org/base/getWallets')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      projectId: 'p 1',
      st: 'appkit',
      sv: 'html-solana-1.7.19',
      page: '1',
      entries: '40',
    })
  })

  test('joins lists and escapes a typed text', () => {
    const ask = { page: 2, entries: 100, search: ' a&b=c ', include: ['x', 'y'], exclude: ['z'] }
    const url = new URL(listingUrl({ ...host, chains: ['solana:a', 'solana:b'] }, ask))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      page: '2',
      include: 'x,y',
      exclude: 'z',
      chains: 'solana:a,solana:b',
      search: 'a&b=c',
    })
  })
})

test('directory: the badge selects certified wallets', () => {
  const url = new URL(listingUrl(host, { ...everything, certified: true }))
  expect(url.searchParams.get('badge_type')).toBe('certified')
})

test('directory: a wallet without the badge is left out of certified ones', () => {
  const body = { count: 2, data: [phantom, { ...phantom, id: 'other', badge_type: 'none' }] }
  const { wallets } = readListing(body, { ...everything, certified: true })
  expect(wallets.map(wallet => wallet.walletId)).toEqual([phantom.id])
})

test('directory: a wallet without an app link opens by its universal link, which is an https one', () => {
  expect(readOne({ link_mode: 'https://phantom.app' })?.mobileLink).toBe('phantom://')
  expect(readOne({ mobile_link: null, link_mode: 'https://phantom.app' })?.mobileLink).toBe('https://phantom.app/')
  expect(readOne({ mobile_link: null, link_mode: 'phantom://' })).not.toHaveProperty('mobileLink')
  const body = { count: 1, data: [{ ...phantom, link_mode: 'https://phantom.app' }] }
  const [wallet] = readListing(body, everything, { prefersUniversal: true }).wallets
  expect(wallet?.mobileLink).toBe('https://phantom.app/')
})

describe('an answer of the directory', () => {
  test('has wallets with the fields the page uses', () => {
    expect(read([phantom])).toEqual({
      count: 480,
      wallets: [
        {
          walletId: phantom.id,
          name: 'Phantom',
          imageId: phantom.image_id,
          homepage: phantom.homepage,
          mobileLink: 'phantom://',
          appStore: phantom.app_store,
          rdns: 'app.phantom',
          certified: true,
        },
      ],
    })
  })

  test.each([[null], ['x'], [{}], [{ data: {} }], [[]]])('without a list (%j) is a bad response', body => {
    expect(() => readListing(body, everything)).toThrow(expect.objectContaining({ code: 'bad_response' }))
  })

  test('leaves out malformed entries and keeps the rest', () => {
    const bad = [null, 7, {}, { ...phantom, id: '' }, { ...phantom, id: '../x' }, { ...phantom, name: ' \u200b ' }]
    expect(read([...bad, phantom]).wallets.map(wallet => wallet.name)).toEqual(['Phantom'])
  })

  test('counts a repeated entry once', () => {
    expect(read([phantom, { ...phantom, name: 'Other' }]).wallets).toHaveLength(1)
  })

  test('stands in the service’s order, entries without a place behind', () => {
    const entry = (id: string, order?: unknown) => ({ ...phantom, id, order })
    const { wallets } = read([entry('c'), entry('b', 20), entry('a', 10), entry('d', 'first')])
    expect(wallets.map(({ walletId }) => walletId)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('leaves out wallets that no code reaches, but on a phone those that open the page in their own browser', () => {
    expect(readOne({ supports_wc: false })).toBeUndefined()
    const readOnPhone = (entry: object) =>
      readListing({ count: 1, data: [entry] }, everything, { onPhone: true }).wallets[0]
    expect(readOnPhone({ ...phantom, supports_wc: false })).toEqual({ ...readOne({}), mobileLink: undefined })
    expect(readOnPhone({ ...phantom, id: 'another', supports_wc: false })).toBeUndefined()
    expect(readOnPhone(phantom)).toEqual(readOne({}))
    for (const supports_wc of [true, null, undefined, 'no']) expect(readOne({ supports_wc })).toBeDefined()
  })

  test('is cut to the requested number of entries', () => {
    const many = Array.from({ length: 90 }, (_, at) => ({ ...phantom, id: `w${at}` }))
    expect(read(many).wallets).toHaveLength(40)
  })

  test.each([
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['data:text/html,x'],
    ['vbscript:x'],
    ['file:///etc'],
    ['blob:https://x'],
    ['http://plain.example'],
    ['https://user:pass@x.example'],
    ['//x.example'],
    ['phantom://\u202ex'],
    [`https://x.example/${'a'.repeat(3000)}`],
    [7],
  ])('drops the link %j and keeps its wallet', link => {
    const wallet = readOne({ mobile_link: link, desktop_link: link, homepage: link })
    expect(wallet?.name).toBe('Phantom')
    expect(wallet).not.toHaveProperty('mobileLink')
    expect(wallet).not.toHaveProperty('desktopLink')
    expect(wallet).not.toHaveProperty('homepage')
  })

  test("keeps an app's own scheme, but only for opening an app", () => {
    const wallet = readOne({ mobile_link: 'bnc://app.Binance.com/cedefi/', homepage: 'bnc://x' })
    expect(wallet?.mobileLink).toBe('bnc://app.Binance.com/cedefi/')
    expect(wallet).not.toHaveProperty('homepage')
  })

  test('cleans and limits a name', () => {
    expect(readOne({ name: 'Pha\u202entom\u0000\n  X' })?.name).toBe('Phantom X')
    expect(readOne({ name: 'n'.repeat(10_000) })?.name).toHaveLength(60)
  })

  test('leaves out wallets of other networks', () => {
    expect(read([phantom], ['eip155:1']).wallets).toEqual([])
    expect(read([phantom], ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']).wallets).toHaveLength(1)
  })

  test('without a total has the number of its entries', () => {
    expect(readListing({ count: '9e9', data: [phantom] }, everything).count).toBe(1)
  })
})
