import { describe, expect, test } from 'vitest'
import { emptyModel } from '../../../../src/events/emptyModel.ts'
import type { ListingView } from '../../../../src/events/subjects/service/listingState.ts'
import { connectorTypes } from '../../../../src/events/subjects/service/project.ts'
import { countLabel, homepageOf } from '../../../../src/ui/connect/list/directory.ts'
import { walletRows } from '../../../../src/ui/connect/list/rows.ts'
import { walletTiles } from '../../../../src/ui/connect/list/tiles.ts'
import { listed } from '../../modalStage.ts'

const installed = (...names: string[]) =>
  names.map((name, index) => ({
    walletKey: `key${index}`,
    name,
    features: [],
    chains: [],
    twin: names.indexOf(name) !== names.lastIndexOf(name),
  }))
const ref = (name: string, walletId = `id-${name}`) => ({ walletId, name })
function listing(featured: string[], all: string[], count = all.length): ListingView {
  const { listing } = emptyModel()
  return {
    ...listing,
    featured: featured.map(name => listed(name)),
    all: { phase: 'idle', pages: all.length > 0 ? 1 : 0, count, wallets: all.map(name => listed(name)) },
  }
}
const none = listing([], [])
const drawn = (...parts: Parameters<typeof walletRows>) =>
  walletRows(...parts).map(row => `${row.kind} ${row.wallet.name}`)

describe('the rows of Connect', () => {
  test('are the code before anything is known', () => {
    expect(drawn([], [], none)).toEqual(['walletConnect WalletConnect'])
  })

  test('the code, then recent, installed, featured, and recommended up to four rows', () => {
    expect(drawn([], [ref('Rainbow')], listing(['Trust'], ['OKX', 'Bitget', 'Zerion']))).toEqual([
      'walletConnect WalletConnect',
      'recent Rainbow',
      'featured Trust',
      'recommended OKX',
    ])
    expect(
      drawn(installed('Phantom', 'Backpack'), [ref('Rainbow')], listing(['Trust', 'Solflare'], ['OKX', 'Bitget'])),
    ).toEqual([
      'walletConnect WalletConnect',
      'recent Rainbow',
      'installed Phantom',
      'installed Backpack',
      'featured Trust',
      'featured Solflare',
    ])
  })

  const cases: [string, Parameters<typeof walletRows>, string[]][] = [
    ['a recent wallet that is installed', [installed('Phantom'), [ref('phantom')], none], ['installed Phantom']],
    [
      'a featured wallet that is installed, whatever the case of its name',
      [installed('PHANTOM'), [], listing(['Phantom'], [])],
      ['installed PHANTOM'],
    ],
    [
      'a featured wallet that was used last',
      [[], [ref('Trust', 'id-Trust')], listing(['Trust'], [])],
      ['recent Trust'],
    ],
    [
      'a directory wallet with the id of a recent one under another name',
      [[], [ref('Trust Wallet', 'id-Trust')], listing([], ['Trust'])],
      ['recent Trust Wallet'],
    ],
    [
      'a directory wallet that is featured',
      [[], [], listing(['Trust'], ['Trust', 'OKX'])],
      ['featured Trust', 'recommended OKX'],
    ],
    [
      'two recent wallets that came by the plain code under one name',
      [[], [ref('Phantom', 'walletConnect'), ref('Phantom')], none],
      ['recent Phantom'],
    ],
    ['a recent wallet that calls itself WalletConnect', [[], [ref('WalletConnect', 'walletConnect')], none], []],
  ]
  test.each(cases)('%s is shown once', (_, parts, expected) => {
    expect(drawn(...parts)).toEqual(['walletConnect WalletConnect', ...expected])
  })

  test('show both of two announcements under one name, both marked, and without the directory’s picture', () => {
    const known = listing([], [])
    known.featured = [listed('Phantom', { imageId: 'picture' })]
    const rows = walletRows(installed('Phantom', 'Phantom'), [], known)
    expect(rows.map(row => [row.twin, row.imageId])).toEqual([
      [undefined, undefined],
      [true, undefined],
      [true, undefined],
    ])
    expect(walletRows(installed('Phantom'), [], known)[1]?.imageId).toBe('picture')
  })

  test('stop at four with recommended wallets, but not at installed and featured ones', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']
    expect(walletRows([], [], listing([], names))).toHaveLength(4)
    expect(drawn(installed(...names), [], listing(['X'], ['Y'])).at(-1)).toBe('featured X')
  })

  test('follow the host’s order', () => {
    const shown = listing(['Trust', 'Own'], ['OKX', 'Bitget'])
    const inOrder = (order: Parameters<typeof walletRows>[4]) =>
      drawn(installed('Phantom', 'House'), [ref('Rainbow')], shown, false, order)
    expect(
      inOrder({
        types: [...new Set(['custom' as const, 'injected' as const, ...connectorTypes])],
        custom: ['id-Own'],
        external: [],
      }),
    ).toEqual([
      'featured Own',
      'installed Phantom',
      'installed House',
      'walletConnect WalletConnect',
      'recent Rainbow',
      'featured Trust',
    ])
    const names = inOrder({
      types: [...new Set(['external' as const, 'custom' as const, ...connectorTypes])],
      custom: [],
      external: ['House'],
    })
    expect(names.slice(0, 4)).toEqual([
      'installed House',
      'walletConnect WalletConnect',
      'recent Rainbow',
      'installed Phantom',
    ])
  })

  test('leave out a recent extension that is gone, unless the directory has its name, and recent wallets that the host excludes', () => {
    const gone = ref('Quill', 'Quill')
    expect(drawn([], [gone], none)).toEqual(['walletConnect WalletConnect'])
    expect(drawn([], [gone], listing([], ['Quill']))).toEqual(['walletConnect WalletConnect', 'recent Quill'])
    const excluding = { ...none, excluded: ['rainbow'] }
    expect(drawn([], [ref('Rainbow'), ref('Trust')], excluding)).toEqual([
      'walletConnect WalletConnect',
      'recent Trust',
    ])
  })

  test.each([
    ['Coinbase Wallet', 'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa'],
    ['Coinbase Wallet', 'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8'],
    ['Binance Wallet', '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25'],
    ['Phantom', 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393'],
  ])('have %s once, whatever the name the directory gives its id', (name, walletId) => {
    const other = listed('Base', { walletId, imageId: 'picture' })
    const known: ListingView = { ...none, featured: [other] }
    const rows = walletRows(installed(name), [ref('Base', walletId)], known).slice(1)
    expect(rows.map(row => row.wallet.name)).toEqual([name])
    expect(rows[0]?.imageId).toBe('picture')
    const [tile, ...others] = walletTiles(installed(name), [other])
    expect([tile?.wallet.name, tile?.imageId, others]).toEqual([name, 'picture', []])
    // Another installed wallet leaves it in the list
    expect(walletRows(installed('Quill'), [], known).map(row => row.wallet.name)).toContain('Base')
    expect(walletTiles(installed('Quill'), [other])).toHaveLength(2)
  })

  test('take a recent wallet’s picture from the directory', () => {
    const known = listing([], [])
    known.featured = [listed('Trust', { imageId: 'picture' })]
    expect(walletRows([], [ref('Trust', 'walletConnect')], known)[1]?.imageId).toBe('picture')
  })
})

test.each([
  [0, 0, '0'],
  [7, 2, '9'],
  [8, 2, '10+'],
  [479, 0, '470+'],
  [480, 4, '480+'],
])('count %i wallets and %i featured ones as %s', (count, featured, label) => {
  const names = Array.from({ length: featured }, (_, index) => `F${index}`)
  expect(countLabel(listing(names, ['any'], count), 'en')).toBe(label)
})
test.each([
  ['en', '1,230+'],
  ['de', '1.230+'],
  ['ar', '1,230+'],
] as const)('count thousands with the separators of %s', (language, label) => {
  expect(countLabel(listing([], ['any'], 1234), language)).toBe(label)
})
test('have no count before the directory answers', () => {
  expect(countLabel(none, 'en')).toBeUndefined()
})

test.each([
  ['https://phantom.example', 'https://phantom.example'],
  ['javascript:alert(1)', undefined],
  ['http://phantom.example', undefined],
])('link a home page at %s to %s', (homepage, expected) => {
  expect(homepageOf(listed('Phantom', { homepage }))).toBe(expected)
})

describe('the service’s first wallets', () => {
  const first = (names: string[], count: number, bundled?: true): ListingView => {
    const top = { count, wallets: names.map(name => listed(name)), ...(bundled && { bundled }) }
    return { ...listing(['Trust'], []), top }
  }

  test('stand behind the featured ones, and the service’s count is the list’s', () => {
    expect(drawn([], [], first(['OKX', 'Bitget'], 478))).toEqual([
      'walletConnect WalletConnect',
      'featured Trust',
      'recommended OKX',
      'recommended Bitget',
    ])
    expect(countLabel(first(['OKX'], 478), 'en')).toBe('470+')
  })

  test('that came with the build have no count', () => {
    expect(countLabel(first(['OKX'], 8, true), 'en')).toBeUndefined()
  })
})

describe('a wallet', () => {
  const tileNames = (wallets: ReturnType<typeof listed>[], phone = false) =>
    walletTiles([], wallets, '', phone).map(({ wallet }) => wallet.name)

  test.each([
    ['an id', [listed('One', { walletId: 'same' }), listed('Two', { walletId: 'same' })]],
    ['a name', [listed('One'), listed(' ONE ', { walletId: 'other' })]],
    ['a reversed host name', [listed('One', { rdns: 'io.One' }), listed('Two', { rdns: 'io.one' })]],
    ['a known other name', [listed('Trust'), listed('Trust Wallet')]],
    [
      'a known other host name',
      [listed('One', { rdns: 'io.metamask' }), listed('Two', { rdns: 'io.metamask.mobile' })],
    ],
  ])('that shares %s with another is shown once', (_, wallets) => {
    expect(tileNames(wallets)).toHaveLength(1)
  })

  test('without a link is shown elsewhere than on a phone, except those that open this page themselves', () => {
    const wallets = [
      listed('Link', { mobileLink: 'link://' }),
      listed('Code'),
      listed('Phantom', { walletId: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393' }),
    ]
    expect(tileNames(wallets, true)).toEqual(['Link', 'Phantom'])
    expect(tileNames(wallets)).toEqual(['Link', 'Code', 'Phantom'])
    const known: ListingView = { ...none, top: { count: 3, wallets } }
    expect(walletRows([], [], known, true).map(({ wallet }) => wallet.name)).toEqual(['Link', 'Phantom'])
  })

  test('that the host excludes is not offered, though it is installed', () => {
    const known: ListingView = { ...none, excluded: ['BACKPACK '] }
    expect(drawn(installed('Backpack', 'Own'), [], known)).toEqual(['walletConnect WalletConnect', 'installed Own'])
  })

  test('that the host excludes is not listed under another id, by its reversed host name or name', () => {
    const twins = [
      listed('Old Trust', { rdns: 'com.Trust' }),
      listed('TRUST'),
      listed('Phantom', { rdns: 'app.phantom' }),
    ]
    const known: ListingView = { ...none, top: { count: 3, wallets: twins }, excluded: ['Trust', 'com.trust'] }
    expect(drawn([], [], known)).toEqual(['walletConnect WalletConnect', 'recommended Phantom'])
  })
})

describe('the tiles of All wallets', () => {
  test('begin with those in this page, each wallet once', () => {
    const tiles = walletTiles(installed('Backpack', 'Own'), [
      listed('Phantom', { certified: true }),
      listed('Backpack', { imageId: 'picture', certified: true }),
      listed('Phantom'),
    ])
    expect(tiles.map(tile => [tile.wallet.name, tile.walletKey, tile.certified])).toEqual([
      ['Backpack', 'key0', false],
      ['Own', 'key1', false],
      ['Phantom', undefined, true],
    ])
    expect(tiles[0]?.imageId).toBe('picture')
  })

  test('in a search have of this page only wallets with the text in their names', () => {
    const tiles = walletTiles(installed('Backpack', 'Own'), [listed('Packet')], 'PACK')
    expect(tiles.map(tile => tile.wallet.name)).toEqual(['Backpack', 'Packet'])
  })
})
