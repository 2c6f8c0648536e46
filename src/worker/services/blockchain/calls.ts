/** The calls of the Blockchain API. @see reference "HTTP APIs", §3 */
import type { ServiceAnswer, ServiceAsk, ServiceCall } from '../../../events/subjects/service/service.ts'
import { readBalances, readPrices } from './balances.ts'
import { type ApiCall, wholeText } from './call.ts'
import { readAllowance, readGasPrice, readQuotes, readSwap, readSwapApproval, readTokens } from './convert.ts'
import { readHistory } from './history.ts'
import { readIdentity, readSupportedChains } from './identity.ts'
import { readName, readNames, readRegistration, readSuggestions } from './names.ts'
import { defaultOnrampOptions, placeholderQuote, readOnrampOptions, readOnrampQuote, readOnrampUrl } from './onramp.ts'
import { readRevocation, readSessions } from './sessions.ts'

/** Parameters and answer of a call, without its name. */
type Asked<C extends ServiceCall> = Omit<Extract<ServiceAsk, { call: C }>, 'call'>
type Answered<C extends ServiceCall> = Omit<Extract<ServiceAnswer, { call: C }>, 'call'>

export const calls: { readonly [C in ServiceCall]: ApiCall<Asked<C>, Answered<C>> } = {
  /** CAIP-2 ids of the networks served. */
  supportedChains: {
    what: 'the supported chains',
    method: 'GET',
    path: () => ['supported-chains'],
    identified: 'sdk',
    read: readSupportedChains,
  },
  /** `sender` is the plain address of the active account. */
  identity: {
    what: 'the identity',
    method: 'GET',
    path: ({ address }) => ['identity', address],
    query: ({ sender }) => ({ sender }),
    identified: 'sdk',
    read: readIdentity,
  },
  /** `address` is plain; without `chainId` (CAIP-2) transactions of all chains. */
  history: {
    what: 'the history',
    method: 'GET',
    path: ({ address }) => ['account', address, 'history'],
    query: ({ cursor, chainId }) => ({ cursor, chainId }),
    identified: 'sdk',
    read: readHistory,
  },
  /** `forceUpdate` are CAIP-10 tokens to read anew; only Ethereum chains know it. */
  balance: {
    what: 'the balances',
    method: 'GET',
    path: ({ address }) => ['account', address, 'balance'],
    query: ({ chainId, forceUpdate }) => ({ currency: 'usd', chainId, forceUpdate: forceUpdate?.join(',') }),
    identified: 'sdk',
    read: readBalances,
  },
  /** The public service prices only the first token. */
  price: {
    what: 'the prices',
    method: 'POST',
    path: () => ['fungible', 'price'],
    body: ({ addresses }, { projectId }) => ({ currency: 'usd', addresses, projectId }),
    identified: 'none',
    read: readPrices,
  },
  tokens: {
    what: 'the tokens to swap',
    method: 'GET',
    path: () => ['convert', 'tokens'],
    query: ({ chainId }) => ({ chainId }),
    identified: 'sdk',
    read: readTokens,
  },
  /** `amount` is base units, `gasPrice` wei. */
  quotes: {
    what: 'the quotes of a swap',
    method: 'GET',
    path: () => ['convert', 'quotes'],
    query: ({ amount, userAddress, from, to, gasPrice }) => ({
      amount: wholeText(amount, 'amount'),
      userAddress,
      from,
      to,
      gasPrice: wholeText(gasPrice, 'gasPrice'),
    }),
    identified: 'sdk',
    read: readQuotes,
  },
  allowance: {
    what: 'the allowance',
    method: 'GET',
    path: () => ['convert', 'allowance'],
    query: ({ tokenAddress, userAddress }) => ({ tokenAddress, userAddress }),
    identified: 'sdk',
    read: readAllowance,
  },
  gasPrice: {
    what: 'the gas price',
    method: 'GET',
    path: () => ['convert', 'gas-price'],
    query: ({ chainId }) => ({ chainId }),
    identified: 'sdk',
    read: readGasPrice,
  },
  /** `disableEstimate` leaves the estimate of gas out; slippage is 1 %. */
  buildTransaction: {
    what: 'the transaction of a swap',
    method: 'POST',
    path: () => ['convert', 'build-transaction'],
    body: ({ amount, from, to, userAddress, disableEstimate }, { projectId }) => ({
      amount: wholeText(amount, 'amount'),
      eip155: { slippage: 1 },
      projectId,
      from,
      to,
      userAddress,
      disableEstimate,
    }),
    identified: 'none',
    read: readSwap,
  },
  buildApprove: {
    what: 'the approval of a swap',
    method: 'GET',
    path: () => ['convert', 'build-approve'],
    query: ({ userAddress, from, to }) => ({ userAddress, from, to }),
    identified: 'sdk',
    read: readSwapApproval,
  },
  lookupName: {
    what: 'the name',
    method: 'GET',
    path: ({ name }) => ['profile', 'account', name],
    query: () => ({ apiVersion: '2' }),
    identified: 'sdk',
    read: readName,
  },
  /** `sender` is the plain address of the active account. */
  reverseLookup: {
    what: 'the names of an address',
    method: 'GET',
    path: ({ address }) => ['profile', 'reverse', address],
    query: ({ sender }) => ({ sender, apiVersion: '2' }),
    identified: 'sdk',
    read: readNames,
  },
  /** `name` is the bare label, `zone` such as `reown.id`. */
  suggestions: {
    what: 'the suggestions of names',
    method: 'GET',
    path: ({ name }) => ['profile', 'suggestions', name],
    query: ({ zone }) => ({ zone }),
    identified: 'sdk',
    read: readSuggestions,
  },
  /** `coinType` follows ENSIP-11; `message` is the signed JSON text. */
  registerName: {
    what: 'the registration of a name',
    method: 'POST',
    isOnce: true,
    path: () => ['profile', 'account'],
    body: ({ coinType, address, message, signature }) => ({ coin_type: coinType, address, message, signature }),
    identified: 'none',
    read: readRegistration,
  },
  /** Preset amounts are whole numbers: the service refuses others. */
  onrampUrl: {
    what: 'the address of the on-ramp',
    method: 'POST',
    path: () => ['generators', 'onrampurl'],
    body: ({ destinationWallets, defaultNetwork, partnerUserId, presetCryptoAmount, presetFiatAmount }) => ({
      destinationWallets,
      defaultNetwork,
      partnerUserId,
      defaultExperience: 'buy',
      presetCryptoAmount: numberOf(presetCryptoAmount, 'presetCryptoAmount'),
      presetFiatAmount: numberOf(presetFiatAmount, 'presetFiatAmount'),
    }),
    identified: 'project',
    read: readOnrampUrl,
  },
  onrampOptions: {
    what: 'the options of the on-ramp',
    method: 'GET',
    path: () => ['onramp', 'options'],
    identified: 'sdk',
    fallback: () => defaultOnrampOptions,
    read: readOnrampOptions,
  },
  /** `amount` is decimal text in the payment currency, `network` the symbol of the purchase. */
  onrampQuote: {
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
    fallback: ({ amount, paymentCurrency }) => placeholderQuote(amount, paymentCurrency.id),
    read: readOnrampQuote,
  },
  /** `account` is CAIP-10. */
  sessions: {
    what: 'the smart sessions',
    method: 'GET',
    path: ({ account }) => ['sessions', account],
    identified: 'sdk',
    read: readSessions,
  },
  revokeSession: {
    what: 'the end of a smart session',
    method: 'POST',
    isOnce: true,
    path: ({ account }) => ['sessions', account, 'revoke'],
    body: ({ pci, signature }) => ({ pci, signature }),
    identified: 'project',
    empty: { success: true },
    read: readRevocation,
  },
}

/** Beyond 2^53 - 1 a number would be another one. */
function numberOf(text: string | undefined, name: string): number | undefined {
  return text === undefined ? undefined : Number(wholeText(text, name, 15))
}
