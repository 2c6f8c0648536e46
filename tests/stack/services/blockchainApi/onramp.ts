import type { Context } from 'hono'
import { bodyRecord } from '../json.ts'
import { uuidOf } from '../uuid.ts'
import { mismatch, unreadable } from './errors.ts'

const networks = [
  {
    name: 'ethereum-mainnet',
    display_name: 'Ethereum',
    chain_id: '1',
    contract_address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  {
    name: 'polygon-mainnet',
    display_name: 'Polygon',
    chain_id: '137',
    contract_address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
  },
]

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]

/** `GET /v1/onramp/options`, in the form the client reads; the real service has no such route. */
export function onrampOptions(c: Context): Response {
  return c.json({
    paymentCurrencies: ['USD', 'EUR', 'GBP'].map(id => ({ id, payment_method_limits: limits })),
    purchaseCurrencies: [
      { id: '2b92315d-eab7-5bef-84fa-089a131333f5', name: 'USD Coin', symbol: 'USDC', networks },
      { id: 'd85dce9b-5b73-5c3c-8978-522ce1d1c1b4', name: 'Ether', symbol: 'ETH', networks },
    ],
  })
}

/** `POST /v1/onramp/quote`: a fee of 1.5 % and 0.25 of the payment currency for the network. */
export async function onrampQuote(c: Context): Promise<Response> {
  const body = await bodyRecord(c)
  if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
  const payment = (body.paymentCurrency as { id?: unknown } | undefined)?.id
  const purchase = (body.purchaseCurrency as { symbol?: unknown } | undefined)?.symbol
  const { amount } = body
  if (typeof payment !== 'string' || typeof purchase !== 'string' || typeof amount !== 'string') return mismatch(c)
  if (!/^\d{1,9}(?:\.\d{1,2})?$/.test(amount)) return unreadable(c, `Invalid amount: ${amount}`)
  const [whole = '0', part = ''] = amount.split('.')
  const subtotal = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  const paid = (cents: bigint) => ({
    amount: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`,
    currency: payment,
  })
  return c.json({
    paymentTotal: paid(subtotal + (subtotal * 15n) / 1000n + 25n),
    paymentSubtotal: paid(subtotal),
    purchaseAmount: { ...paid(subtotal), currency: purchase },
    networkFee: paid(25n),
    quoteId: uuidOf(`quote ${payment} ${purchase} ${amount}`),
  })
}

/** `POST /v1/generators/onrampurl`: the address of a payment page. */
export async function onrampUrl(c: Context): Promise<Response> {
  const body = await bodyRecord(c)
  if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
  const { destinationWallets, partnerUserId, defaultNetwork, defaultExperience } = body
  if (!Array.isArray(destinationWallets) || !destinationWallets.every(isWallet) || typeof partnerUserId !== 'string')
    return unreadable(c, 'Failed to parse the on-ramp parameters')
  const url = new URL('https://pay.coinbase.com/buy/select-asset?appId=local')
  url.searchParams.set('destinationWallets', JSON.stringify(destinationWallets))
  url.searchParams.set('partnerUserId', partnerUserId)
  for (const [name, value] of Object.entries({ defaultNetwork, defaultExperience }))
    if (typeof value === 'string') url.searchParams.set(name, value)
  for (const name of ['presetCryptoAmount', 'presetFiatAmount'] as const) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (!Number.isSafeInteger(value)) return unreadable(c, `${name} must be a whole number`)
    url.searchParams.set(name, String(value))
  }
  return c.json({ url: url.href })
}

function isWallet(value: unknown): boolean {
  return typeof (value as { address?: unknown } | null)?.address === 'string'
}
