/** Swaps: tokens, quotes, allowance, gas, calldata. Amounts are base units as decimal text. @see reference "HTTP APIs", §3.6–3.9 */
import {
  absentable,
  array,
  custom,
  looseObject,
  nullable,
  string,
  type ValueOf,
  wholeNumber,
} from '../../../runtime/schema/schema.ts'
import { webLink } from '../listing.ts'
import { accountId, answerReader, keptEntries, label, labelText, plainText, rawList, units } from './fields.ts'

const tokenShape = looseObject({
  name: label,
  symbol: label,
  address: accountId,
  decimals: wholeNumber(0, 77),
  logoUri: absentable(nullable(string({ most: 4096 }))),
})

/** Tokens that can be swapped; `address` is CAIP-10, `logoUrl` is '' unless it is https. */
export const readTokens = answerReader(looseObject({ tokens: rawList(2000) }), ({ tokens }) => {
  const { entries, dropped } = keptEntries(tokens, tokenShape, keepToken, ({ address }) => address)
  return { tokens: entries, dropped }
})

function keepToken({ name, symbol, address, decimals, logoUri }: ValueOf<typeof tokenShape>) {
  return { name: labelText(name), symbol: labelText(symbol), address, decimals, logoUrl: webLink(logoUri) ?? '' }
}

const quoteShape = looseObject({
  id: absentable(nullable(string({ most: 200, grammar: /^[\x20-\x7e]*$/ }))),
  fromAmount: units,
  fromAccount: accountId,
  toAmount: units,
  toAccount: accountId,
})

/** All quotes or a failure: the first one decides, so a malformed one must not move the second to its place. */
export const readQuotes = answerReader(looseObject({ quotes: array(quoteShape, 0, 20) }), ({ quotes }) => ({
  quotes: quotes.map(({ id, fromAmount, fromAccount, toAmount, toAccount }) => ({
    id: id ?? null,
    fromAmount: plainText(fromAmount),
    fromAccount,
    toAmount: plainText(toAmount),
    toAccount,
  })),
}))

export const readAllowance = answerReader(looseObject({ allowance: units }), ({ allowance }) => ({
  allowance: plainText(allowance),
}))

/** wei per unit of gas */
export const readGasPrice = answerReader(looseObject({ standard: units, fast: units, instant: units }), prices => ({
  standard: plainText(prices.standard),
  fast: plainText(prices.fast),
  instant: plainText(prices.instant),
}))

const calldata = custom<string>(
  value =>
    typeof value === 'string' && value.length <= 65_536 && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value),
  'hex of whole bytes',
)
const txFields = {
  from: accountId,
  to: accountId,
  data: calldata,
  eip155: absentable(nullable(looseObject({ gas: absentable(units), gasPrice: absentable(units) }))),
}

/** `from` and `to` are CAIP-10; `amount` is base units of the destination token. */
export const readSwap = answerReader(looseObject({ tx: looseObject({ ...txFields, amount: units }) }), ({ tx }) => ({
  tx: { ...keepTx(tx), amount: plainText(tx.amount) },
}))

/** `from` repeats the source token, not the account; `value` is wei. */
export const readSwapApproval = answerReader(
  looseObject({ tx: looseObject({ ...txFields, value: units }) }),
  ({ tx }) => ({
    tx: { ...keepTx(tx), value: plainText(tx.value) },
  }),
)

const txShape = looseObject(txFields)

function keepTx({ from, to, data, eip155 }: ValueOf<typeof txShape>) {
  const { gas, gasPrice } = eip155 ?? {}
  return {
    from,
    to,
    data,
    gas: gas === undefined ? null : plainText(gas),
    gasPrice: gasPrice === undefined ? null : plainText(gasPrice),
  }
}
