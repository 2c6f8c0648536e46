import { createHash } from 'node:crypto'

/** One wallet of the listing, in the real directory's shape. */
export type ListedWallet = {
  id: string
  name: string
  homepage: string
  image_id: string
  order: number
  mobile_link: string | null
  desktop_link: string | null
  webapp_link: string | null
  link_mode: string | null
  app_store: string | null
  play_store: string | null
  chrome_store: string | null
  rdns: string | null
  rdns_web_wallet: string | null
  injected: { namespace: string; injected_id: string }[] | null
  chains: string[]
  categories: string[]
  description: string | null
  badge_type: 'certified' | 'none'
  supports_wc: boolean
}

/** Size of the listing: wallets for Solana, and some for Ethereum alone. */
export const listingSize = 480
export const ethereumOnly = 40

const solanaChains = [
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
]
const otherChains = ['eip155:1', 'eip155:137', 'eip155:8453', 'bip122:000000000019d6689c085ae165831e93']

/** Rows of the public directory: id, name, image, order, mobile link, rdns, certified. */
const published: [string, string, string, number, string, string | null, boolean][] = [
  [
    'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
    'Phantom',
    'b6ec7b81-bb4f-427d-e290-7631e6e50d00',
    210,
    'phantom://',
    'app.phantom',
    false,
  ],
  [
    '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
    'Solflare',
    '34c0e38d-66c4-470e-1aed-a6fabe2d1e00',
    220,
    'solflare://',
    'com.solflare.wallet',
    false,
  ],
  [
    '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
    'Backpack',
    '71ca9daf-a31e-4d2a-fd01-f5dc2dc66900',
    230,
    'backpack://',
    'app.backpack',
    false,
  ],
  [
    'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
    'MetaMask',
    'eebe4a7f-7166-402f-92e0-1f64ca2aa800',
    20,
    'metamask://',
    'io.metamask',
    true,
  ],
  [
    '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
    'Trust Wallet',
    '7677b54f-3486-46e2-4e37-bf8747814f00',
    40,
    'trust://',
    'com.trustwallet.app',
    true,
  ],
  [
    'fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa',
    'Coinbase Wallet',
    'a5ebc364-8f91-4200-fcc6-be81310a0000',
    90,
    'https://go.cb-w.com',
    'com.coinbase.wallet',
    false,
  ],
  [
    '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4',
    'Binance Wallet',
    'ebac7b39-688c-41e3-7912-a4fefba74600',
    10,
    'bnc://app.binance.com/cedefi/',
    'com.binance.wallet',
    true,
  ],
  [
    '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709',
    'OKX Wallet',
    '45f2f08e-fc0c-4d62-3e63-404e72170500',
    60,
    'okex://main',
    'com.okex.wallet',
    true,
  ],
  [
    '38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662',
    'Bitget Wallet',
    '2b569b7f-e6c6-4faa-8e5a-ecd4dec8cf00',
    80,
    'bitkeep://',
    'com.bitget.web3',
    true,
  ],
  [
    '0b415a746fb9ee99cce155c2ceca0c6f6061b1dbca2d722b3ba16381d0562150',
    'SafePal',
    '252753e7-b783-4e03-7f77-d39864530900',
    30,
    'safepalwallet://',
    null,
    true,
  ],
  [
    '1aedbcfc1f31aade56ca34c38b0a1607b41cccfa3de93c946ef3b4ba2dfab11c',
    'OneKey',
    '2067c771-93e8-4b32-b388-b2a0e1d4dc00',
    350,
    'onekey-wallet://',
    'so.onekey.app.wallet',
    false,
  ],
  [
    '20459438007b75f4f4acb98bf29aa3b800550309646d375da5fd4aac6c2a2c66',
    'TokenPocket',
    'cfe00608-cb9e-45e3-0d08-5ffc7f5ad200',
    70,
    'tpoutside://',
    'pro.tokenpocket',
    true,
  ],
  [
    '19177a98252e07ddfc9af2083ba8e07ef627cb6103467ffebb3f8f4205fd7927',
    'Ledger Live',
    'a7f416de-aa03-4c5e-3280-ab49269aef00',
    100,
    'ledgerlive://',
    null,
    true,
  ],
  [
    '225affb176778569276e484e1b92637ad061b01e13a048b35a9d280c3b58970f',
    'Safe',
    '3913df81-63c2-4413-d60b-8ff83cbed500',
    260,
    'safe://',
    null,
    true,
  ],
]

const injectedAs = (flag: string, ...namespaces: string[]): Pick<ListedWallet, 'injected'> => ({
  injected: namespaces.map(namespace => ({ namespace, injected_id: flag })),
})

/** Fields of published rows that other wallets have by their id's last digit. */
const details: Record<string, Partial<ListedWallet>> = {
  Phantom: {
    ...injectedAs('isPhantom', 'eip155', 'solana'),
    homepage: 'https://phantom.app/',
    link_mode: 'https://phantom.app',
    webapp_link: null,
    rdns_web_wallet: null,
    app_store: 'https://apps.apple.com/us/app/phantom-crypto-wallet/id1598432977',
    play_store: 'https://play.google.com/store/apps/details?id=app.phantom&hl=en',
    chrome_store: 'https://chrome.google.com/webstore/detail/phantom/bfnaelmomeimhlpmgjnjophhpkkoljpa',
    categories: ['b7c081de-c6d6-447e-ada6-a6f8e6e1480a'],
  },
  Solflare: injectedAs('isSolflare', 'solana'),
  Backpack: injectedAs('isBackpack', 'solana'),
  MetaMask: injectedAs('isMetaMask', 'eip155'),
  'Trust Wallet': injectedAs('isTrust', 'eip155', 'solana'),
  // Reached by its own browser alone
  'Coinbase Wallet': { ...injectedAs('isCoinbaseWallet', 'eip155', 'solana'), supports_wc: false },
}

/** Ids of invented categories beside the one published. */
const categories = [
  'b7c081de-c6d6-447e-ada6-a6f8e6e1480a',
  '5d1f0c6e-0b1a-4c52-9f6e-2f6c3b0d7a10',
  '0e9c4a7b-6a53-4d27-8c1f-7d2b90aa41f2',
]

/** First and second words of invented names; 24 × 20 pairs suffice. */
const firsts =
  'Amber Birch Cedar Copper Delta Ember Fern Granite Heron Indigo Juniper Kestrel Lumen Maple Nimbus Ochre Pebble Quartz Rowan Saffron Tidal Umber Violet Willow'.split(
    ' ',
  )
const seconds =
  'Anchor Basket Chest Drawer Envelope Folio Gate Hive Jar Keep Locker Nest Oak Pouch Quay Ridge Satchel Tower Vault Wharf'.split(
    ' ',
  )

/** The whole listing, ordered, the same each time: published rows and invented ones. */
export function listedWallets(): ListedWallet[] {
  const rows = published.map(([id, name, image_id, order, mobile_link, rdns, certified]) => ({
    ...wallet({ id, name, image_id, order, chains: [...otherChains.slice(0, 2), ...solanaChains] }),
    mobile_link,
    rdns,
    ...details[name],
    badge_type: certified ? ('certified' as const) : ('none' as const),
  }))
  const invented = Array.from({ length: listingSize - rows.length }, (_, n) => inventedWallet(n))
  const strangers = Array.from({ length: ethereumOnly }, (_, n) => ethereumWallet(n))
  return [...rows, ...invented, ...strangers].sort((a, b) => a.order - b.order)
}

/**
 * A wallet that cannot pay here; every second one is certified, every fourth takes no code, and the first rank near the
 * top of the list.
 */
function ethereumWallet(n: number): ListedWallet {
  const id = createHash('sha256').update(`ethereum wallet ${n}`).digest('hex')
  const row = { id, name: `Ether ${n + 1}`, image_id: `${id.slice(0, 8)}-0000-0000-0000-${id.slice(20, 32)}` }
  const badge_type = n % 2 === 0 ? ('certified' as const) : ('none' as const)
  const entry = wallet({ ...row, order: 15 + n * 25, chains: otherChains.slice(0, 3) })
  return { ...entry, injected: null, badge_type, supports_wc: n % 4 !== 1 }
}

function inventedWallet(n: number): ListedWallet {
  const [first, turn] = [n % firsts.length, Math.floor(n / firsts.length)]
  const name = `${firsts[first]} ${seconds[(first + turn) % seconds.length]}`
  const id = createHash('sha256').update(`listed wallet ${name}`).digest('hex')
  const image_id = `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20, 32)}`
  const chains = [...otherChains.slice(0, n % (otherChains.length + 1)), ...solanaChains.slice(0, 1 + (n % 3))]
  return wallet({ id, name, image_id, order: 400 + n * 10, chains })
}

function wallet(row: { id: string; name: string; image_id: string; order: number; chains: string[] }): ListedWallet {
  const word = row.name.toLowerCase().replaceAll(' ', '-')
  const digit = Number.parseInt(row.id.slice(-1), 16)
  return {
    ...row,
    homepage: `https://${word}.example/`,
    mobile_link: digit === 0 ? null : `${word}://`,
    desktop_link: null,
    webapp_link: digit % 4 === 1 ? `https://app.${word}.example` : null,
    link_mode: digit % 5 === 0 ? `https://${word}.example` : null,
    app_store: digit % 3 === 0 ? null : `https://apps.example/${word}`,
    play_store: digit % 3 === 1 ? null : `https://play.example/${word}`,
    chrome_store: digit % 2 === 0 ? `https://chrome.example/${word}` : null,
    rdns: digit % 2 === 0 ? `example.${word}` : null,
    rdns_web_wallet: digit % 4 === 1 ? `example.${word}.web` : null,
    injected: digit % 2 === 0 ? [{ namespace: 'solana', injected_id: `is${row.name.replaceAll(' ', '')}` }] : null,
    categories: digit % 2 === 0 ? [categories[digit % categories.length] as string] : [],
    description: `${row.name} is a wallet of the local listing.`,
    badge_type: digit % 8 === 3 ? 'certified' : 'none',
    supports_wc: true,
  }
}

/** Query of a page of the listing; lists are comma-joined on the wire. */
export type WalletQuery = {
  page: number
  entries: number
  include?: string[]
  exclude?: string[]
  chains?: string[]
  search?: string
  badge?: string
}

/** One page. `count` is taken after the filters and before paging. */
export function walletPage(all: ListedWallet[], query: WalletQuery): { count: number; data: ListedWallet[] } {
  const { page, entries, include, exclude, chains, badge } = query
  const search = query.search?.toLowerCase()
  const found = all.filter(
    one =>
      (!include || include.includes(one.id)) &&
      !exclude?.includes(one.id) &&
      (!chains || one.chains.some(chain => chains.includes(chain))) &&
      (!search || one.name.toLowerCase().includes(search)) &&
      (!badge || one.badge_type === badge),
  )
  return { count: found.length, data: found.slice((page - 1) * entries, page * entries) }
}
