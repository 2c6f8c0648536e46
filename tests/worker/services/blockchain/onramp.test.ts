import { expect, test } from 'vitest'
import {
  placeholderQuote,
  readOnrampOptions,
  readOnrampQuote,
  readOnrampUrl,
} from '../../../../src/worker/services/blockchain/onramp.ts'
import { examples, usd } from './examples.ts'

const refused = (path: string) =>
  expect.objectContaining({ code: 'bad_response', message: expect.stringContaining(`, ${path}: expected `) })

test.each(['http://pay.example.com', 'javascript:alert(1)', 'https://user:pass@pay.example.com', '', 7])(
  'on-ramp: the page %j is refused',
  url => {
    expect(() => readOnrampUrl({ url }, 'the on-ramp', undefined)).toThrow(refused('url'))
  },
)

test('on-ramp: the page is kept as the browser would open it', () => {
  expect(readOnrampUrl({ url: 'https:pay.example.com' }, 'the on-ramp', undefined)).toEqual({
    url: 'https://pay.example.com/',
  })
})

test('on-ramp: malformed currencies are dropped and counted', () => {
  const negative = { ...usd, payment_method_limits: [{ id: 'card', min: -1, max: '1' }] }
  const body = { paymentCurrencies: [usd, negative, { id: 'EUR' }], purchaseCurrencies: [{ id: 'c1' }, null] }
  const { paymentCurrencies, purchaseCurrencies, dropped } = readOnrampOptions(body, 'the options', undefined)
  expect([paymentCurrencies.map(({ id }) => id), purchaseCurrencies, dropped]).toEqual([['USD'], [], 4])
})

test.each([
  ['a negative total', { paymentTotal: { amount: '-1', currency: 'USD' } }, 'paymentTotal.amount'],
  ['no fee', { networkFee: undefined }, 'networkFee'],
  ['another spelling of its amounts', { purchaseAmount: { value: '1', currency: 'USDC' } }, 'purchaseAmount.amount'],
  ['no id', { quoteId: '' }, 'quoteId'],
])('on-ramp: a quote with %s is refused', (_name, change, path) => {
  const body = { ...JSON.parse(examples.onrampQuote.body), ...change }
  expect(() => readOnrampQuote(body, 'the quote', undefined)).toThrow(refused(path))
})

test('on-ramp: only an answer of the service is a price, even under the id of the placeholder', () => {
  const body = { ...JSON.parse(examples.onrampQuote.body), quoteId: 'mocked-quote-id', isPrice: false }
  expect(readOnrampQuote(body, 'the quote', undefined).quote.isPrice).toBe(true)
  expect(placeholderQuote('100', 'EUR').quote.isPrice).toBe(false)
  expect(() => placeholderQuote('much', 'EUR')).toThrow(expect.objectContaining({ code: 'bad_input' }))
})
