/** The calls of the Blockchain API. @see reference "HTTP APIs", §2.7 and §3 */
import { readBalances, readPrices } from './balances.ts'
import type { ApiCall } from './call.ts'
import { readAllowance, readSwapApproval, readGasPrice, readQuotes, readSwap, readTokens } from './convert.ts'
import type { AnswerReader } from './fields.ts'
import { readHistory } from './history.ts'
import { readIdentity, readSupportedChains } from './identity.ts'
import { readName, readNames, readRegistration, readSuggestions, unknownName } from './names.ts'
import { defaultOnrampOptions, placeholderQuote, readOnrampOptions, readOnrampQuote, readOnrampUrl } from './onramp.ts'
import { readRevocation, readSessions } from './sessions.ts'

/** An answer as its reader keeps it. */
type Kept<R> = R extends AnswerReader<never, infer A> ? A : never
/** Calls whose answer depends on nothing but its body. */
type Plain = Record<never, never>
/** `from` and `to` are CAIP-10 tokens, `userAddress` the CAIP-10 account, `amount` base units. */
type Swap = { amount: string; userAddress: string; from: string; to: string }
/** A currency as the options of the on-ramp list it. */
type Currency = { readonly id: string }

const noSwaps = { error: 'Network not supported for Swaps' } as const
const seconds = 1000
const minutes = 60 * seconds

/** CAIP-2 ids of the networks served, for the life of the page. */
const supportedChains: ApiCall<Plain, Kept<typeof readSupportedChains>> = {
  what: 'the supported chains',
  method: 'GET',
  path: () => ['supported-chains'],
  identified: 'sdk',
  cache: { ms: Number.POSITIVE_INFINITY, key: () => '', isVoid: ({ http }) => http.length === 0 },
  read: readSupportedChains,
}

/** `sender` is the plain address of the active account. */
const identity: ApiCall<{ address: string; sender?: string }, Kept<typeof readIdentity>> = {
  what: 'the identity',
  method: 'GET',
  path: ({ address }) => ['identity', address],
  query: ({ sender }) => ({ sender }),
  identified: 'sdk',
  unsupported: { answer: { name: '', avatar: '' } },
  cache: { ms: 5 * minutes, key: ({ address }) => address, failures: true },
  read: readIdentity,
}

/** `address` is plain; without `chainId` (CAIP-2) transactions of all chains. */
const history: ApiCall<{ address: string; chainId?: string; cursor?: string }, Kept<typeof readHistory>> = {
  what: 'the history',
  method: 'GET',
  path: ({ address }) => ['account', address, 'history'],
  query: ({ cursor, chainId }) => ({ cursor, chainId }),
  identified: 'sdk',
  unsupported: { answer: { data: [], dropped: 0 } },
  cache: {
    ms: 15 * seconds,
    key: ({ address, chainId = '', cursor = '' }) => JSON.stringify([address, chainId, cursor]),
  },
  read: readHistory,
}

/** `forceUpdate` are CAIP-10 tokens to read anew; only Ethereum chains know it. A failed call rests as long as the cache. */
const balance: ApiCall<
  { address: string; chainId: string; forceUpdate?: readonly string[] },
  Kept<typeof readBalances>
> = {
  what: 'the balances',
  method: 'GET',
  path: ({ address }) => ['account', address, 'balance'],
  query: ({ chainId, forceUpdate }) => ({ currency: 'usd', chainId, forceUpdate: forceUpdate?.join(',') }),
  identified: 'sdk',
  unsupported: { answer: { balances: [], dropped: 0 }, toast: 'Token Balance Unavailable' },
  cache: { ms: 30 * seconds, key: ({ chainId, address }) => `${chainId}:${address}`, failures: true },
  read: readBalances,
}

/** CAIP-10 tokens. The public service prices only the first one. */
const price: ApiCall<{ addresses: readonly string[] }, Kept<typeof readPrices>> = {
  what: 'the prices',
  method: 'POST',
  path: () => ['fungible', 'price'],
  body: ({ addresses }, { projectId }) => ({ currency: 'usd', addresses, projectId }),
  identified: 'none',
  contentType: 'application/json',
  unsupported: { answer: { fungibles: [], dropped: 0 } },
  cache: { ms: 15 * seconds, key: ({ addresses }) => [...new Set(addresses)].sort().join(',') },
  read: readPrices,
}

const tokens: ApiCall<{ chainId: string }, Kept<typeof readTokens>> = {
  what: 'the tokens to swap',
  method: 'GET',
  path: () => ['convert', 'tokens'],
  query: ({ chainId }) => ({ chainId }),
  identified: 'sdk',
  unsupported: { answer: { tokens: [], dropped: 0 } },
  read: readTokens,
}

/** `gasPrice` is wei. */
const quotes: ApiCall<Swap & { gasPrice: string }, Kept<typeof readQuotes>> = {
  what: 'the quotes of a swap',
  method: 'GET',
  path: () => ['convert', 'quotes'],
  query: ({ amount, userAddress, from, to, gasPrice }) => ({ amount, userAddress, from, to, gasPrice }),
  identified: 'sdk',
  contentType: 'application/json',
  unsupported: { answer: { quotes: [] } },
  read: readQuotes,
}

const allowance: ApiCall<{ tokenAddress: string; userAddress: string }, Kept<typeof readAllowance>> = {
  what: 'the allowance',
  method: 'GET',
  path: () => ['convert', 'allowance'],
  query: ({ tokenAddress, userAddress }) => ({ tokenAddress, userAddress }),
  identified: 'sdk',
  unsupported: { answer: { allowance: '0' } },
  read: readAllowance,
}

const gasPrice: ApiCall<{ chainId: string }, Kept<typeof readGasPrice>> = {
  what: 'the gas price',
  method: 'GET',
  path: () => ['convert', 'gas-price'],
  query: ({ chainId }) => ({ chainId }),
  identified: 'sdk',
  unsupported: { error: 'Network not supported for Gas Price' },
  read: readGasPrice,
}

/** `disableEstimate` leaves the estimate of gas out; slippage is 1 %. */
const buildTransaction: ApiCall<Swap & { disableEstimate?: boolean }, Kept<typeof readSwap>> = {
  what: 'the transaction of a swap',
  method: 'POST',
  path: () => ['convert', 'build-transaction'],
  body: ({ amount, from, to, userAddress, disableEstimate }, { projectId }) => ({
    amount,
    eip155: { slippage: 1 },
    projectId,
    from,
    to,
    userAddress,
    disableEstimate,
  }),
  identified: 'none',
  contentType: 'application/json',
  unsupported: noSwaps,
  read: readSwap,
}

const buildApprove: ApiCall<Omit<Swap, 'amount'>, Kept<typeof readSwapApproval>> = {
  what: 'the approval of a swap',
  method: 'GET',
  path: () => ['convert', 'build-approve'],
  query: ({ userAddress, from, to }) => ({ userAddress, from, to }),
  identified: 'sdk',
  unsupported: noSwaps,
  read: readSwapApproval,
}

const lookupName: ApiCall<{ name: string }, Kept<typeof readName>> = {
  what: 'the name',
  method: 'GET',
  path: ({ name }) => ['profile', 'account', name],
  query: () => ({ apiVersion: '2' }),
  identified: 'sdk',
  unsupported: { answer: unknownName },
  read: readName,
}

/** `sender` is the plain address of the active account. */
const reverseLookup: ApiCall<{ address: string; sender?: string }, Kept<typeof readNames>> = {
  what: 'the names of an address',
  method: 'GET',
  path: ({ address }) => ['profile', 'reverse', address],
  query: ({ sender }) => ({ sender, apiVersion: '2' }),
  identified: 'sdk',
  unsupported: { answer: { names: [], dropped: 0 } },
  cache: { ms: 5 * minutes, key: ({ address }) => address },
  read: readNames,
}

/** `name` is the bare label, `zone` such as `reown.id`. */
const suggestions: ApiCall<{ name: string; zone: string }, Kept<typeof readSuggestions>> = {
  what: 'the suggestions of names',
  method: 'GET',
  path: ({ name }) => ['profile', 'suggestions', name],
  query: ({ zone }) => ({ zone }),
  identified: 'sdk',
  unsupported: { answer: { suggestions: [], dropped: 0 } },
  read: readSuggestions,
}

/** `coinType` follows ENSIP-11; `message` is the signed JSON text. */
const registerName: ApiCall<
  { coinType: number; address: string; message: string; signature: string },
  Kept<typeof readRegistration>
> = {
  what: 'the registration of a name',
  method: 'POST',
  path: () => ['profile', 'account'],
  body: ({ coinType, address, message, signature }) => ({ coin_type: coinType, address, message, signature }),
  identified: 'none',
  contentType: 'application/json',
  unsupported: { answer: { success: false } },
  read: readRegistration,
}

type OnrampPage = {
  destinationWallets: readonly { address: string; blockchains?: readonly string[]; assets?: readonly string[] }[]
  defaultNetwork?: string
  partnerUserId: string
  presetCryptoAmount?: number
  presetFiatAmount?: number
}

/** Preset amounts are whole numbers: the service refuses others. */
const onrampUrl: ApiCall<OnrampPage, Kept<typeof readOnrampUrl>> = {
  what: 'the address of the on-ramp',
  method: 'POST',
  path: () => ['generators', 'onrampurl'],
  body: ({ destinationWallets, defaultNetwork, partnerUserId, presetCryptoAmount, presetFiatAmount }) => ({
    destinationWallets,
    defaultNetwork,
    partnerUserId,
    defaultExperience: 'buy',
    presetCryptoAmount,
    presetFiatAmount,
  }),
  identified: 'project',
  unsupported: { answer: { url: '' } },
  read: readOnrampUrl,
}

const onrampOptions: ApiCall<Plain, Kept<typeof readOnrampOptions>> = {
  what: 'the options of the on-ramp',
  method: 'GET',
  path: () => ['onramp', 'options'],
  identified: 'sdk',
  unsupported: { answer: { paymentCurrencies: [], purchaseCurrencies: [], dropped: 0 } },
  fallback: () => defaultOnrampOptions,
  read: readOnrampOptions,
}

type QuoteAsk = {
  purchaseCurrency: Currency & { readonly symbol: string }
  paymentCurrency: Currency
  amount: string
  network: string
}

/** `amount` is decimal text in the payment currency, `network` the symbol of the purchase. */
const onrampQuote: ApiCall<QuoteAsk, Kept<typeof readOnrampQuote> | null> = {
  what: 'the quote of the on-ramp',
  method: 'POST',
  path: () => ['onramp', 'quote'],
  body: ({ purchaseCurrency, paymentCurrency, amount, network }) => ({
    purchaseCurrency,
    paymentCurrency,
    amount,
    network,
  }),
  identified: 'project',
  unsupported: { answer: null },
  fallback: ({ amount, paymentCurrency }) => placeholderQuote(amount, paymentCurrency.id),
  read: readOnrampQuote,
}

/** `account` is CAIP-10. */
const sessions: ApiCall<{ account: string }, Kept<typeof readSessions>> = {
  what: 'the smart sessions',
  method: 'GET',
  path: ({ account }) => ['sessions', account],
  identified: 'sdk',
  unsupported: { answer: { pcis: [], dropped: 0 } },
  read: readSessions,
}

const revokeSession: ApiCall<{ account: string; pci: string; signature: string }, Kept<typeof readRevocation>> = {
  what: 'the end of a smart session',
  method: 'POST',
  path: ({ account }) => ['sessions', account, 'revoke'],
  body: ({ pci, signature }) => ({ pci, signature }),
  identified: 'project',
  unsupported: { answer: { success: false } },
  empty: { success: true },
  read: readRevocation,
}

export const calls = {
  supportedChains,
  identity,
  history,
  balance,
  price,
  tokens,
  quotes,
  allowance,
  gasPrice,
  buildTransaction,
  buildApprove,
  lookupName,
  reverseLookup,
  suggestions,
  registerName,
  onrampUrl,
  onrampOptions,
  onrampQuote,
  sessions,
  revokeSession,
} as const
