/** Situations of the presale page, told in facts: one for each status of a sale, and many of a buyer. */
import type { AppFact } from '../../../src/events/app.ts'
import { CONTENT } from '../../stack/solana/presale/content.ts'
import {
  accountedBy,
  buyer,
  connected,
  fact,
  noon,
  amountAltered,
  invoiceUntil,
  orderEnd,
  orderUntil,
  purchases,
  saleAt,
  saleAtPosition,
  signature,
  terms,
} from './story.ts'

const failure = { code: 'unreachable', message: 'the network expected an answer, none came' } as const
const usd = (dollars: bigint) => dollars * 10n ** 12n
const content = {
  tokenomics: CONTENT.tokenomics,
  roadmap: CONTENT.roadmap,
  questions: CONTENT.questions,
  links: [{ name: 'Privacy', url: 'https://sale.example/privacy.html' }],
}
/** The story's order, landed after the end. */
const latePayment = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [
      {
        signature,
        orderId: '5b0e9d7c31f4a826',
        slot: 2001,
        paidAt: (terms.end + 60) * 1000,
        asset: 'SOL',
        units: '2500000000',
        quoted: '333333333333333',
        status: 'final',
      },
    ],
  },
})
const unaudited = () =>
  saleAt().map(one => {
    if (one.type !== 'sale.noticesRead') return one
    const { checkpoint: _, ...data } = one.data
    return { ...one, data }
  })
const [tokenPlan, refundPlan] = ['5'.repeat(64), '6'.repeat(64)] as const
const plans = [tokenPlan]
/** The audited books count the account's purchases, and the first part of them came with a refund. */
const counted = accountedBy(
  [
    {
      signature: 'sigUsdc',
      slot: 900,
      paidAt: Date.UTC(2027, 0, 6, 14, 6),
      asset: 'USDC',
      units: '375000000',
      accepted: '375000000',
      tokens: '312500000000000',
    },
    { signature: 'sigSol' },
  ],
  { bonus: '4687500000000' },
)
const paidAt = (terms.vesting.tgeAt + 3600) * 1000
const [delivery, refund] = ['2', '3'].map(last => `${signature.slice(0, -1)}${last}`) as [string, string]
/** The first part came, and a refund that no published plan explains; the second part is planned. */
const paid = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [],
    payouts: [
      { signature: delivery, slot: 9000, paidAt, tokens: '183463541666666', status: 'final' },
      { signature: refund, slot: 8000, paidAt: paidAt - 3e6, asset: 'SOL', units: '937500000', status: 'final' },
    ],
    batches: [{ signature: delivery, plan: tokenPlan, batch: 4 }],
    planned: [
      { plan: tokenPlan, batch: 4, tranche: 0, tokens: '183463541666666' },
      { plan: tokenPlan, batch: 9, tranche: 1, tokens: '183463541666667' },
    ],
  },
})
/** One of two planned refunds came. */
const refunded = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [],
    payouts: [
      {
        signature: refund,
        slot: 8000,
        paidAt: (terms.end + 86_400) * 1000,
        asset: 'SOL',
        units: '2500000000',
        status: 'final',
      },
    ],
    batches: [{ signature: refund, plan: refundPlan, batch: 1 }],
    planned: [
      { plan: refundPlan, batch: 1, asset: 'SOL', units: '2500000000' },
      { plan: refundPlan, batch: 7, asset: 'USDC', units: '375000000' },
    ],
  },
})
/** A sale that missed its soft cap. */
const missed = (days: number, more: { plans?: readonly string[] } = {}) =>
  saleAt({
    audited: usd(120_000n),
    live: 0n,
    chainTime: (terms.end + days * 86_400) * 1000,
    result: 'failed',
    ...more,
  })
const succeeded = (days: number, more: { plans?: readonly string[] } = {}) =>
  saleAt({ live: 0n, chainTime: (terms.end + days * 86_400) * 1000, result: 'success', ...more })
/** The whole first refund is that of the first purchase. */
const repaid = [
  ...accountedBy([{ signature: 'sigSol' }], { places: ['12'] }),
  {
    ...refunded,
    data: { ...refunded.data, refunds: [{ plan: refundPlan, batch: 1, places: [], accepted: ['12'] }] },
  } as AppFact,
]
const books = {
  raised: usd(262_840n).toString(),
  pos: usd(262_840n).toString(),
  tokens: `344033333${'3'.repeat(9)}`,
  orders: 1846,
  buyers: 1204,
  refundsOwed: { SOL: '2500000000', USDC: '375000000' },
  balances: { SOL: '1000000000', USDC: '5000000' },
  hash: `9c1f${'ab'.repeat(28)}e07a`,
}
const { orders, buyers, refundsOwed } = books
const verified = fact({
  type: 'ledger.computed',
  data: {
    ...books,
    slot: 1100,
    time: noon,
    transactions: 2_050,
    outcome: 'open',
    published: { ...books, slot: 1000 },
    publishedTime: noon - 86_400_000,
    recomputed: { ...books, slot: 1000 },
    outflows: { SOL: '1500005000', USDC: '0' },
  },
})
const feedLine = (last: string, asset: string, units: string, quoted: string, age: number) => ({
  signature: `${signature.slice(0, -1)}${last}`,
  slot: 2000 - age,
  paidAt: noon - age * 60_000,
  asset,
  units,
  quoted,
})
const feedRead = fact({
  type: 'sale.feedRead',
  data: {
    lines: [
      feedLine('4', 'SOL', '2500000000', '333333333333333', 2),
      feedLine('5', 'USDC', '375000000', '312500000000000', 9),
      feedLine('6', 'SOL', '12000000000', '1600000000000000', 47),
    ],
    other: 2,
  },
})
const feedRefused = fact({
  type: 'sale.feedFailed',
  data: { failure: { code: 'rpc_lying', message: '' } },
})
const situations: Readonly<Record<string, AppFact[]>> = {
  live: saleAt(),
  connected: [...saleAt(), ...connected(), purchases],
  buyer: [...saleAt(), ...connected(), purchases, ...orderUntil('confirmed')],
  soon: saleAt({ audited: 0n, live: 0n, chainTime: (terms.start - 90_000) * 1000 }),
  paused: saleAt({ paused: true }),
  soldOut: saleAtPosition(825_000n),
  ended: saleAt({ chainTime: (terms.end + 60) * 1000 }),
  success: [...succeeded(1), ...connected(), purchases, ...counted],
  failed: [...missed(0.05), ...connected(), purchases],
  refunding: [...missed(2, { plans: [refundPlan] }), ...connected(), purchases, refunded],
  distributing: [...succeeded(8, { plans }), ...connected(), purchases, ...counted, paid],
  done: succeeded(207, { plans }),
  refundsDue: missed(20, { plans: [refundPlan] }),
  repaid: [...missed(2, { plans: [refundPlan] }), ...connected(), purchases, ...repaid],
  published: saleAt({ tokens: books.tokens, counts: { orders, buyers, refundsOwed } }),
  verified: [...saleAt(), verified],
  feed: [...saleAt(), feedRead],
  feedRefused: [...saleAt(), feedRefused],
  code: [...saleAt(), ...invoiceUntil('named')],
  codePaid: [...saleAt(), ...invoiceUntil('seen')],
  boundary: [...saleAtPosition(149_900n), ...connected()],
  nearcap: [...saleAtPosition(824_990n), ...connected()],
  poor: [...saleAt(), ...connected({ SOL: '2250000000' })],
  sending: [...saleAt(), ...connected(), ...orderUntil('sending')],
  press: [...saleAt(), ...connected(), ...orderUntil('asked')],
  final: [...saleAt(), ...connected(), purchases, ...orderUntil('finalised')],
  late: [
    ...saleAt({ chainTime: (terms.end + 120) * 1000, content }),
    ...connected(),
    purchases,
    ...orderUntil('finalised'),
    latePayment,
  ],
  doubt: [...saleAt({ audited: usd(140_000n), live: usd(30_000n), content }), ...connected()],
  unaudited: [...unaudited(), ...connected()],
  content: saleAt({ content }),
  legal: [
    ...saleAt(),
    ...connected(),
    fact({ type: 'sale.legalFailed', data: { failure: { code: 'terms_invalid', message: '' } } }),
  ],
  rejected: [...saleAt(), ...connected(), ...orderUntil('asked'), orderEnd('order.rejected', 'user_rejected')],
  expired: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('sending'),
    fact({ type: 'order.expired', data: { orderId: 'o1', height: 151 } }),
  ],
  moved: [
    ...saleAtPosition(150_300n),
    ...connected(),
    ...orderUntil('signed'),
    orderEnd('order.gateRefused', 'stale_quote'),
  ],
  changed: [...saleAt(), ...connected(), ...orderUntil('asked'), amountAltered],
  gone: [...saleAt(), ...connected(), ...orderUntil('asked'), orderEnd('order.unknown', 'wallet_gone')],
  reading: [],
  refused: [fact({ type: 'sale.termsRefused', data: { failure: { code: 'terms_invalid', message: '' } } })],
  stale: [
    ...saleAt({ chainTime: noon - 125_000 }).map(one => ({ ...one, at: noon - 125_000 })),
    fact({ type: 'sale.unreachable', data: { failure, retryAt: noon + 8_000 } }),
  ],
  elsewhere: [fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })],
  elsewhereOrder: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('asked'),
    fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } }),
  ],
  oneTab: [...saleAt(), fact({ type: 'tab.elsewhere', data: { why: 'oneTab' } })],
  otherBuild: [...saleAt(), fact({ type: 'tab.otherBuild', data: { open: true } })],
  otherBuildOrder: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('asked'),
    fact({ type: 'tab.otherBuild', data: { open: true } }),
  ],
  memory: [
    ...saleAt(),
    fact({ type: 'core.started', data: { life: 1, build: '', cause: 'start', storage: 'memory' } }),
  ],
}

export const situationNames = Object.keys(situations)

/** @returns the facts of a situation, and the moment at which a device with the right clock shows them */
export function situationOf(name: string): { facts: AppFact[]; now: number } {
  const facts = situations[name] ?? []
  const [reading] = facts.filter(one => one.type === 'sale.read').slice(-1)
  if (reading?.type !== 'sale.read' || reading.at !== noon) return { facts, now: noon }
  const now = reading.data.chainTime
  return { facts: facts.map(one => (one.type === 'sale.read' ? { ...one, at: now } : one)), now }
}
