/** The account's screens in each of their states, as facts, for the gallery of the modal. */
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import type { ServiceAnswer } from '../../src/events/subjects/service/service.ts'
import { networks } from '../../src/events/values/networks.ts'
import {
  account,
  announced,
  connected,
  connectedTorch,
  type GalleryState,
  opened,
  type Stage,
  start,
} from './modalStage.ts'
import { holding, recipient } from './sendStates.ts'

type Transaction = Extract<ServiceAnswer, { call: 'history' }>['data'][number]

const [mainnet] = networks
const ask = { call: 'history', address: account, chainId: mainnet?.caip2 ?? '' } as const
const dayMs = 86_400_000
const shown = (name: 'Transactions' | 'ProfileWallets'): PageFact => ({
  type: 'screen.shown',
  data: { screen: { name } },
})

const token = (symbol: string) => ({ name: symbol, symbol, iconUrl: '' })
const transfer = (direction: 'in' | 'out', quantity: string, symbol: string) => ({
  direction,
  quantity,
  value: null,
  price: null,
  token: token(symbol),
})
const transaction = (id: number, days: number, over: Partial<Transaction>): Transaction => ({
  id: `t${id}`,
  operation: 'send',
  hash: `hash${id}`,
  minedAt: start - days * dayMs,
  sentFrom: account,
  sentTo: recipient,
  status: 'confirmed',
  chain: ask.chainId,
  isSpam: false,
  transfers: [transfer('out', '2.5', 'SOL')],
  ...over,
})
const transactions = [
  transaction(1, 0, { status: 'pending' }),
  transaction(2, 6, { operation: 'receive', transfers: [transfer('in', '0.8', 'SOL')] }),
  transaction(3, 9, { operation: 'trade', transfers: [transfer('out', '1', 'SOL'), transfer('in', '160', 'USDC')] }),
  transaction(4, 30, { status: 'failed', transfers: [] }),
  transaction(5, 31, { operation: 'unheard of', transfers: [] }),
]

/** The history of an account that holds something. */
const listed = (on: Stage, data: Transaction[]) => {
  holding(on)
  on.facts(
    { type: 'service.asked', data: { callId: 'h1', ask } },
    { type: 'service.answered', data: { callId: 'h1', answer: { call: 'history', data, dropped: 0 } } },
  )
}

/** No list of networks, or one without this network: empty answers stand in. */
const standsIn = (on: Stage, code: 'unreachable' | 'unsupported') => {
  const failure = { code, message: 'no list of networks' } as const
  const balances: ServiceAnswer = { call: 'balance', balances: [], dropped: 0 }
  const history: ServiceAnswer = { call: 'history', data: [], dropped: 0 }
  holding(on)
  on.facts(
    { type: 'service.asked', data: { callId: 's2', ask: { ...ask, call: 'balance' } } },
    { type: 'service.answered', data: { callId: 's2', answer: balances, failure } },
    { type: 'service.asked', data: { callId: 'h1', ask } },
    { type: 'service.answered', data: { callId: 'h1', answer: history, failure } },
  )
  on.page(opened('Account'))
}

const lost = { code: 'unreachable', message: 'no answer' } as const
const here: CoreSideFact = {
  type: 'network.identified',
  data: { genesisHash: mainnet?.genesisHash ?? '', caip2: ask.chainId },
}
const identity = 'picture-and-name'
/** The account of an installed wallet that was connected in an earlier visit, with these wallets in this one. */
const restored =
  (standing: CoreSideFact | undefined, ...wallets: PageFact[]): GalleryState =>
  on => {
    const made = connected()
    on.facts(here, { ...made, data: { ...made.data, identity } } as CoreSideFact)
    on.facts({ type: 'connection.restoring', data: { connectionId: 'c1' } }, ...(standing ? [standing] : []))
    on.page(opened('Account'), ...wallets)
  }
const missing: CoreSideFact = { type: 'connection.missing', data: { connectionId: 'c1', failure: lost } }
const withIdentity = (identity: string): PageFact => {
  const { type, data } = announced('Phantom')
  return { type, data: { ...data, identity } } as PageFact
}
/** The account of a wallet whose origin was judged. */
const judged =
  (...said: Parameters<typeof connectedTorch>): GalleryState =>
  on => {
    on.facts(here, ...connectedTorch(...said))
    on.page(opened('Account'))
  }

export const accountStates: Record<string, GalleryState> = {
  accountReading: on => {
    on.facts(here, connected())
    on.page(opened('Account'), announced('Phantom'))
  },
  accountNoSol: on => {
    on.facts(here, connected(), { type: 'balance.read', data: { account, slot: 5, amounts: { SOL: '0' } } })
    on.page(opened('Account'), announced('Phantom'))
  },
  accountOld: on => {
    on.facts(here, connected(), { type: 'balance.read', data: { account, slot: 5, amounts: { SOL: '12481234567' } } })
    on.clock.now += 7_200_000
    on.facts({ type: 'balance.failed', data: { account, failure: lost } })
    on.page(opened('Account'), announced('Phantom'))
  },
  accountRestoring: restored(undefined),
  accountNotHere: restored(missing),
  accountShared: restored(missing, announced('Phantom', 'k1', true), announced('Phantom', 'k2', true)),
  accountOtherLook: restored(missing, withIdentity('another')),
  accountNoAccess: restored(missing, withIdentity(identity)),
  accountAway: on => {
    on.facts(here, ...connectedTorch(), missing)
    on.page(opened('Account'))
  },
  accountAwayOffline: on => {
    accountStates.accountAway?.(on)
    on.facts({ type: 'network.offline', data: {} })
  },
  accountFraud: judged({ validation: 'THREAT' }),
  accountNoPage: judged({ validation: 'INVALID', peer: { name: 'Torch', url: '', description: '', icons: [] } }),
  accountFromLink: judged({ validation: 'VALID', transport: 'link' }),
  accountFromOtherLink: judged({ validation: 'INVALID', transport: 'link' }),
  accountLooksOnly: on => {
    const account = { receive: false, send: false, activity: false }
    on.page({ type: 'tab.featured', data: { features: {}, account } })
    holding(on)
    on.page(opened('Account'))
  },
  accountTokens: on => {
    holding(on)
    on.page(opened('Account'))
  },
  accountActivity: on => {
    listed(on, transactions)
    on.page(opened('Account'), { type: 'screen.tabChosen', data: { tab: 'activity' } })
  },
  activity: on => {
    listed(on, transactions)
    on.page(opened('Account'), shown('Transactions'))
  },
  activityReading: on => {
    holding(on)
    on.facts({ type: 'service.asked', data: { callId: 'h1', ask } })
    on.page(opened('Account'), shown('Transactions'))
  },
  activityNone: on => {
    listed(on, [])
    on.page(opened('Account'), shown('Transactions'))
  },
  activityFailed: on => {
    holding(on)
    const failure = { code: 'unreachable', message: 'no answer' } as const
    on.facts(
      { type: 'service.asked', data: { callId: 'h1', ask } },
      { type: 'service.failed', data: { callId: 'h1', failure } },
    )
    on.page(opened('Account'), shown('Transactions'))
  },
  activityElsewhere: on => {
    on.facts(connected(), { type: 'network.identified', data: { genesisHash: account, caip2: 'solana:local' } })
    on.page(opened('Account'), shown('Transactions'))
  },
  tokensEmpty: on => {
    holding(on)
    on.facts(
      { type: 'service.asked', data: { callId: 's2', ask: { ...ask, call: 'balance' } } },
      { type: 'service.answered', data: { callId: 's2', answer: { call: 'balance', balances: [], dropped: 0 } } },
    )
    on.page(opened('Account'))
  },
  tokensFailed: on => standsIn(on, 'unreachable'),
  tokensElsewhere: on => standsIn(on, 'unsupported'),
  activityUnlisted: on => {
    standsIn(on, 'unreachable')
    on.page(shown('Transactions'))
  },
  activityNotServed: on => {
    standsIn(on, 'unsupported')
    on.page(shown('Transactions'))
  },
  wallets: on => {
    const second = 'So11111111111111111111111111111111111111112'
    on.page(announced('Phantom'), announced('Backpack'), opened('Account'), shown('ProfileWallets'))
    on.facts({ type: 'network.identified', data: { genesisHash: mainnet?.genesisHash ?? '', caip2: ask.chainId } })
    on.facts(connected('Backpack', 'c3'), { type: 'connection.ended', data: { connectionId: 'c3', by: 'person' } })
    on.facts(connected('Solflare', 'c2'), connected())
    on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [account, second] } })
  },
  walletsNone: on => on.page(opened('Account'), shown('ProfileWallets')),
  walletsLeaving: on => accountStates.wallets?.(on),
  walletsSharing: on => {
    on.page(announced('Phantom'), opened('Account'), shown('ProfileWallets'))
    on.facts(here, connected('Solflare', 'c2'), connected())
    on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c2', accounts: [] } })
    const labels = [{ account, label: 'Savings of the whole family' }]
    on.facts({ type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [account], labels } })
  },
  activityOffline: on => {
    holding(on)
    on.facts({ type: 'network.offline', data: {} })
    on.page(opened('Account'), shown('Transactions'))
  },
}
