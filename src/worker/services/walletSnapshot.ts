/**
 * Wallets for Solana as the directory listed them on `date`, in the shape of its answer: shown when the service cannot be
 * reached and nothing is known. Only rows whose values the directory publishes.
 */
type Row = {
  id: string
  name: string
  homepage?: string
  image_id: string
  order: number
  mobile_link: string
  rdns: string | null
  badge_type?: 'certified'
}

const rows: readonly Row[] = [
  {
    id: '0b415a746fb9ee99cce155c2ceca0c6f6061b1dbca2d722b3ba16381d0562150',
    name: 'SafePal',
    image_id: '252753e7-b783-4e03-7f77-d39864530900',
    order: 30,
    mobile_link: 'safepalwallet://',
    rdns: null,
    badge_type: 'certified',
  },
  {
    id: '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
    name: 'Trust Wallet',
    homepage: 'https://trustwallet.com/',
    image_id: '7677b54f-3486-46e2-4e37-bf8747814f00',
    order: 40,
    mobile_link: 'trust://',
    rdns: 'com.trustwallet.app',
    badge_type: 'certified',
  },
  {
    id: '971e689d0a5be527bac79629b4ee9b925e82208e5168b733496a09c0faed0709',
    name: 'OKX Wallet',
    image_id: '45f2f08e-fc0c-4d62-3e63-404e72170500',
    order: 60,
    mobile_link: 'okex://main',
    rdns: 'com.okex.wallet',
    badge_type: 'certified',
  },
  {
    id: '20459438007b75f4f4acb98bf29aa3b800550309646d375da5fd4aac6c2a2c66',
    name: 'TokenPocket',
    image_id: 'cfe00608-cb9e-45e3-0d08-5ffc7f5ad200',
    order: 70,
    mobile_link: 'tpoutside://',
    rdns: 'pro.tokenpocket',
    badge_type: 'certified',
  },
  {
    id: '38f5d18bd8522c244bdd70cb4a68e0e718865155811c043f052fb9f1c51de662',
    name: 'Bitget Wallet',
    image_id: '2b569b7f-e6c6-4faa-8e5a-ecd4dec8cf00',
    order: 80,
    mobile_link: 'bitkeep://',
    rdns: 'com.bitget.web3',
    badge_type: 'certified',
  },
  {
    id: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
    name: 'Phantom',
    homepage: 'https://phantom.app/',
    image_id: 'b6ec7b81-bb4f-427d-e290-7631e6e50d00',
    order: 210,
    mobile_link: 'phantom://',
    rdns: 'app.phantom',
  },
  {
    id: '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
    name: 'Solflare',
    homepage: 'https://solflare.com/',
    image_id: '34c0e38d-66c4-470e-1aed-a6fabe2d1e00',
    order: 220,
    mobile_link: 'solflare://',
    rdns: 'com.solflare.wallet',
  },
  {
    id: '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
    name: 'Backpack',
    homepage: 'https://backpack.app/',
    image_id: '71ca9daf-a31e-4d2a-fd01-f5dc2dc66900',
    order: 230,
    mobile_link: 'backpack://',
    rdns: 'app.backpack',
  },
]

export const walletSnapshot = {
  date: '2026-11-25',
  count: rows.length,
  data: rows.map(row => ({
    homepage: null,
    desktop_link: null,
    webapp_link: null,
    link_mode: null,
    app_store: null,
    play_store: null,
    chrome_store: null,
    badge_type: 'none',
    supports_wc: true,
    chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ...row,
  })),
}
