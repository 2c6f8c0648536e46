/** Rules of the Blockchain API's calls: how long an answer serves, and the answer on a network that the API does not serve. */
import type { ServiceAnswer, ServiceCall } from '../../../events/subjects/service/service.ts'

/** An answer without the name of its call. */
type Bare<C extends ServiceCall> = Omit<Extract<ServiceAnswer, { call: C }>, 'call'>
/**
 * `ms` is how long an answer serves again, a failure too with `rests`. `elsewhere` stands for the answer on a network that is
 * not served, or refuses the call there; a call without it needs no network. `toast` marks
 * either and a failure as shown; the page has its own words for the call, and these are for logs.
 */
type Rule<C extends ServiceCall> = {
  ms?: number
  rests?: true
  elsewhere?: Bare<C> | string
  toast?: string
}

const noSwaps = 'Network not supported for Swaps'
const none = { dropped: 0 }
const minute = 60_000

/** @see reference "HTTP APIs", §2.7 and §3 */
export const serviceRules: { readonly [C in ServiceCall]: Rule<C> } = {
  // As long as the service itself lets it be kept
  supportedChains: { ms: 1440 * minute },
  identity: { ms: 5 * minute, rests: true, elsewhere: { name: '', avatar: '' } },
  history: { ms: 15_000, elsewhere: { data: [], ...none } },
  balance: { ms: 30_000, rests: true, elsewhere: { balances: [], ...none }, toast: 'Token Balance Unavailable' },
  price: { ms: 15_000, elsewhere: { fungibles: [], ...none } },
  tokens: { elsewhere: { tokens: [], ...none } },
  quotes: { elsewhere: { quotes: [] } },
  allowance: { elsewhere: { allowance: '0' } },
  gasPrice: { elsewhere: 'Network not supported for Gas Price' },
  buildTransaction: { elsewhere: noSwaps },
  buildApprove: { elsewhere: noSwaps },
  lookupName: { elsewhere: { name: '', addresses: {}, attributes: [] } },
  reverseLookup: { ms: 5 * minute, elsewhere: { names: [], ...none } },
  suggestions: { elsewhere: { suggestions: [], ...none } },
  registerName: { elsewhere: { success: false } },
  onrampUrl: { elsewhere: { url: '' } },
  onrampOptions: { elsewhere: { paymentCurrencies: [], purchaseCurrencies: [], ...none } },
  onrampQuote: { elsewhere: {} },
  sessions: { elsewhere: { pcis: [], ...none } },
  revokeSession: { elsewhere: { success: false } },
}
