/** Purchases by card: a provider's page, options and quotes. @see reference "HTTP APIs", §3.14 and §3.15 */
import {
  absentable,
  array,
  custom,
  looseObject,
  nullable,
  string,
  type ValueOf,
} from '../../../runtime/schema/schema.ts'
import { Fault } from '../../../runtime/failure.ts'
import { webLink } from '../listing.ts'
import { amount, answerReader, bareAddress, keptEntries, label, labelText, plainText, rawList } from './fields.ts'

/** An address to open; only https. */
export const readOnrampUrl = answerReader(
  looseObject({ url: custom<string>(value => webLink(value) !== undefined, 'an https address') }),
  ({ url }) => ({ url: webLink(url) ?? '' }),
)

const word = string({ grammar: /^[-_a-zA-Z0-9]{1,64}$/ })
const paymentShape = looseObject({
  id: word,
  payment_method_limits: array(looseObject({ id: word, min: amount, max: amount }), 0, 50),
})
const purchaseShape = looseObject({
  id: word,
  name: label,
  symbol: label,
  networks: array(
    looseObject({
      name: word,
      display_name: absentable(nullable(string({ most: 4096 }))),
      chain_id: word,
      contract_address: absentable(nullable(bareAddress)),
    }),
    0,
    50,
  ),
})

/** `min` and `max` of a payment method are decimal text in the payment currency. */
type OnrampOptions = {
  paymentCurrencies: PaymentCurrency[]
  purchaseCurrencies: PurchaseCurrency[]
  dropped: number
}
type PaymentCurrency = { id: string; limits: { id: string; min: string; max: string }[] }
type PurchaseCurrency = {
  id: string
  name: string
  symbol: string
  networks: { name: string; displayName: string; chainId: string; contractAddress: string }[]
}

export const readOnrampOptions = answerReader(
  looseObject({ paymentCurrencies: rawList(100), purchaseCurrencies: rawList(500) }),
  ({ paymentCurrencies, purchaseCurrencies }): OnrampOptions => {
    const payment = keptEntries(paymentCurrencies, paymentShape, keepPayment)
    const purchase = keptEntries(purchaseCurrencies, purchaseShape, keepPurchase)
    return {
      paymentCurrencies: payment.entries,
      purchaseCurrencies: purchase.entries,
      dropped: payment.dropped + purchase.dropped,
    }
  },
)

function keepPayment({ id, payment_method_limits: limits }: ValueOf<typeof paymentShape>): PaymentCurrency {
  return { id, limits: limits.map(one => ({ id: one.id, min: plainText(one.min), max: plainText(one.max) })) }
}

function keepPurchase({ id, name, symbol, networks }: ValueOf<typeof purchaseShape>): PurchaseCurrency {
  return {
    id,
    name: labelText(name),
    symbol: labelText(symbol),
    networks: networks.map(one => ({
      name: one.name,
      displayName: labelText(one.display_name) || one.name,
      chainId: one.chain_id,
      contractAddress: one.contract_address ?? '',
    })),
  }
}

const limits = [
  { id: 'card', min: '10.00', max: '7500.00' },
  { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
]
const evmNetworks = [
  {
    name: 'ethereum-mainnet',
    displayName: 'Ethereum',
    chainId: '1',
    contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  {
    name: 'polygon-mainnet',
    displayName: 'Polygon',
    chainId: '137',
    contractAddress: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
  },
]
/** Both currencies have this id in the reference, too. */
const defaultId = '2b92315d-eab7-5bef-84fa-089a131333f5'

/** Options in place of a failed call. The public service has no such route, so these are the usual ones. */
export const defaultOnrampOptions: OnrampOptions = {
  paymentCurrencies: [
    { id: 'USD', limits },
    { id: 'EUR', limits },
  ],
  purchaseCurrencies: [
    { id: defaultId, name: 'USD Coin', symbol: 'USDC', networks: evmNetworks },
    { id: defaultId, name: 'Ether', symbol: 'ETH', networks: evmNetworks },
  ],
  dropped: 0,
}

const money = looseObject({ amount, currency: word })
const quoteShape = looseObject({
  paymentTotal: money,
  paymentSubtotal: money,
  purchaseAmount: money,
  networkFee: money,
  quoteId: string({ least: 1, most: 200, grammar: /^[\x21-\x7e]+$/ }),
})
type Money = { amount: string; currency: string }

/** A quote, amounts as decimal text. One with `isPrice: false` repeats the typed amount and must not be shown as a price. */
type OnrampQuote = {
  isPrice: boolean
  quoteId: string
  paymentTotal: Money
  paymentSubtotal: Money
  purchaseAmount: Money
  networkFee: Money
}

export const readOnrampQuote = answerReader(quoteShape, (quote): { quote: OnrampQuote } => ({
  quote: {
    isPrice: true,
    quoteId: quote.quoteId,
    paymentTotal: keepMoney(quote.paymentTotal),
    paymentSubtotal: keepMoney(quote.paymentSubtotal),
    purchaseAmount: keepMoney(quote.purchaseAmount),
    networkFee: keepMoney(quote.networkFee),
  },
}))

function keepMoney({ amount, currency }: ValueOf<typeof money>): Money {
  return { amount: plainText(amount), currency }
}

/**
 * @returns a quote in place of a failed call; it knows no price
 * @throws Fault `bad_input` when the typed amount is no amount
 */
export function placeholderQuote(typed: string, currency: string): { quote: OnrampQuote } {
  if (amount.check(typed)) throw new Fault('bad_input', 'a quote expected an amount as decimal text, got another text')
  const same = { amount: typed, currency }
  return {
    quote: {
      isPrice: false,
      quoteId: 'mocked-quote-id',
      paymentTotal: same,
      paymentSubtotal: same,
      purchaseAmount: same,
      networkFee: same,
    },
  }
}
