/**
 * Asks and answers of the Blockchain API, by the name of their call. A recording blanks amounts and prices, as no decision reads
 * them. An amount in an ask is a personal text, because asks are compared.
 */
import {
  choice,
  flag,
  id,
  integer,
  isSo,
  list,
  longText,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  text,
  variants,
} from '../../../runtime/schema/registry.ts'
import { chosenName, instant, maybeAmount, shownAmount, shownInstant } from '../../schema/scales.ts'
import { nullable } from '../../../runtime/schema/schema.ts'

const chain = openField(chosenName)
const open = openField(id)
const address = personal(id)
const amount = measure(shownAmount)
const maybe = measure(maybeAmount)
const label = personal(text)
const dropped = openField(integer)
const words = list(open)

/** A call with its parameters. */
export const serviceAsk = /* @__PURE__ */ askField()
/** The kept part of a call's answer. */
export const serviceAnswer = /* @__PURE__ */ answerField()

// Made by functions, so that bundles without use for the definitions drop them

/*#__NO_SIDE_EFFECTS__*/
function askField() {
  /** `address` is plain, tokens and `userAddress` are CAIP-10, `amount` is base units. */
  return variants('call', {
    supportedChains: {},
    identity: { address, sender: optional(address) },
    history: { address, chainId: optional(chain), cursor: optional(label) },
    balance: { address, chainId: chain, forceUpdate: optional(list(address)) },
    price: { addresses: list(address) },
    tokens: { chainId: chain },
    quotes: { amount: address, userAddress: address, from: address, to: address, gasPrice: address },
    allowance: { tokenAddress: address, userAddress: address },
    gasPrice: { chainId: chain },
    buildTransaction: {
      amount: address,
      userAddress: address,
      from: address,
      to: address,
      disableEstimate: optional(openField(isSo)),
    },
    buildApprove: { userAddress: address, from: address, to: address },
    lookupName: { name: address },
    reverseLookup: { address, sender: optional(address) },
    suggestions: { name: address, zone: open },
    registerName: { coinType: openField(integer), address, message: personal(longText), signature: personal(longText) },
    onrampUrl: {
      destinationWallets: list(shape({ address, blockchains: optional(words), assets: optional(words) })),
      defaultNetwork: optional(open),
      partnerUserId: address,
      presetCryptoAmount: optional(address),
      presetFiatAmount: optional(address),
    },
    onrampOptions: {},
    onrampQuote: {
      purchaseCurrency: shape({ id: open, symbol: open }),
      paymentCurrency: shape({ id: open }),
      amount: address,
      network: open,
    },
    sessions: { account: address },
    revokeSession: { account: address, pci: address, signature: personal(longText) },
  })
}

/** One table: what each call answers. */
/*#__NO_SIDE_EFFECTS__*/
function answerField() {
  const token = shape({ name: label, symbol: label, iconUrl: label })
  const transfer = shape({
    direction: openField(choice(['in', 'out', 'self'])),
    quantity: amount,
    value: maybe,
    price: maybe,
    token: optional(token),
    nft: optional(shape({ name: label, imageUrl: label, isSpam: openField(flag) })),
  })
  const transaction = shape({
    id: address,
    operation: open,
    hash: address,
    minedAt: measure(shownInstant),
    sentFrom: label,
    sentTo: label,
    status: openField(choice(['confirmed', 'failed', 'pending'])),
    chain: openField(nullable(text)),
    isSpam: openField(flag),
    transfers: list(transfer),
  })
  const held = shape({
    name: label,
    symbol: label,
    chainId: chain,
    asset: variants('kind', { native: {}, token: { address } }),
    value: maybe,
    price: amount,
    decimals: openField(integer),
    quantity: amount,
    iconUrl: label,
  })
  const fungible = shape({
    address: label,
    name: label,
    symbol: label,
    iconUrl: label,
    price: amount,
    decimals: optional(openField(integer)),
  })
  const openText = openField(text)
  const swapToken = shape({
    name: label,
    symbol: label,
    address: label,
    decimals: openField(integer),
    logoUrl: label,
  })
  const quote = shape({
    id: openField(nullable(text)),
    fromAmount: amount,
    fromAccount: address,
    toAmount: amount,
    toAccount: address,
  })
  const tx = { from: address, to: address, data: personal(longText), gas: maybe, gasPrice: maybe }
  /** addresses by coin type, and pairs of a name and its value */
  const nameRecord = { name: label, addresses: map(address), attributes: list(list(label)) }
  const limit = shape({ id: open, min: openText, max: openText })
  const network = shape({ name: open, displayName: openText, chainId: open, contractAddress: openText })
  const purchase = shape({ id: open, name: openText, symbol: openText, networks: list(network) })
  const money = shape({ amount, currency: open })
  const success = { success: openField(flag) }

  return variants('call', {
    supportedChains: { http: list(chain), ws: list(chain), dropped },
    identity: { name: label, avatar: label },
    history: { data: list(transaction), dropped, next: optional(label) },
    balance: { balances: list(held), dropped },
    price: { fungibles: list(fungible), dropped },
    tokens: { tokens: list(swapToken), dropped },
    quotes: { quotes: list(quote) },
    allowance: { allowance: amount },
    gasPrice: { standard: amount, fast: amount, instant: amount },
    buildTransaction: { tx: shape({ ...tx, amount }) },
    buildApprove: { tx: shape({ ...tx, value: amount }) },
    lookupName: nameRecord,
    reverseLookup: { names: list(shape(nameRecord)), dropped },
    suggestions: { suggestions: list(shape({ name: label, registered: openField(flag) })), dropped },
    registerName: success,
    onrampUrl: { url: label },
    onrampOptions: {
      paymentCurrencies: list(shape({ id: open, limits: list(limit) })),
      purchaseCurrencies: list(purchase),
      dropped,
    },
    /** absent where there is none to be had; without `isPrice` it repeats the typed amount and is not a price */
    onrampQuote: {
      quote: optional(
        shape({
          isPrice: openField(flag),
          quoteId: open,
          paymentTotal: money,
          paymentSubtotal: money,
          purchaseAmount: money,
          networkFee: money,
        }),
      ),
    },
    sessions: {
      pcis: list(
        shape({
          pci: address,
          project: shape({ name: label, url: label, iconUrl: label }),
          expiresAt: openField(instant),
          createdAt: openField(instant),
          revokedAt: optional(openField(instant)),
          permissions: words,
          policies: words,
        }),
      ),
      dropped,
    },
    revokeSession: success,
  })
}
