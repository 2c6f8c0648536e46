/**
 * Wallets for Solana as the directory is known to list them, `date` the day of their last check, in the shape of its answer: shown
 * when the service cannot be reached and nothing is known. Only wallets that a published source names for Solana, and only values
 * that the directory publishes.
 */
type Row = {
  id: string
  name: string
  image_id: string
  homepage?: string
  link_mode?: string
  order?: number
  mobile_link?: string
  rdns?: string
  badge_type?: 'certified'
}

const rows: readonly Row[] = [
  {
    id: '4622a2b2d6af1c9844944291e5e7351a6aa24cd7b23099efac1b2fd875da31a0',
    name: 'Trust Wallet',
    image_id: '7677b54f-3486-46e2-4e37-bf8747814f00',
    order: 40,
    mobile_link: 'trust://',
    rdns: 'com.trustwallet.app',
    badge_type: 'certified',
  },
  {
    id: 'a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393',
    name: 'Phantom',
    image_id: 'b6ec7b81-bb4f-427d-e290-7631e6e50d00',
    homepage: 'https://phantom.app/',
    link_mode: 'https://phantom.app',
    order: 210,
    mobile_link: 'phantom://',
    rdns: 'app.phantom',
  },
  {
    id: '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79',
    name: 'Solflare',
    image_id: '34c0e38d-66c4-470e-1aed-a6fabe2d1e00',
  },
  {
    id: '2bd8c14e035c2d48f184aaa168559e86b0e3433228d3c4075900a221785019b0',
    name: 'Backpack',
    image_id: '71ca9daf-a31e-4d2a-fd01-f5dc2dc66900',
  },
]

export const walletSnapshot = {
  date: '2026-11-25',
  count: rows.length,
  data: rows.map(row => ({ badge_type: 'none', chains: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'], ...row })),
}
