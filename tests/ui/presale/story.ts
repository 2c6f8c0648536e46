/** A sale told in facts, which tests and the gallery fold into a store. */
import { device } from '../../../src/main/drivers/device.ts'
import type { AppFact } from '../../../src/events/app.ts'
import { fold } from '../../../src/events/coreFolds.ts'
import type { Command } from '../../../src/events/command.ts'
import type { Failure } from '../../../src/runtime/failure.ts'
import type { AccountedRow, Purchase } from '../../../src/events/subjects/sale/purchase.ts'
import type { NoticeChange } from '../../../src/events/subjects/sale/saleFacts.ts'
import type { SaleContent } from '../../../src/events/sale/content.ts'
import type { Terms } from '../../../src/events/sale/terms/termsShape.ts'
import type { Surroundings } from '../../../src/ui/react.tsx'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'

/** The terms of the reference's test vectors. */
export const terms: Terms = {
  format: 'mai-presale-terms/1',
  id: 'mai-presale-1',
  version: 1,
  cluster: { name: 'mainnet-beta', genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' },
  authority: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3',
  treasury: '8YiSCNNh1SEDn4C3LHuABytuVSdtkrYVL4GRfKLtWSDa',
  token: {
    symbol: 'MAI',
    mint: 'Fv6UVAGyoQT5x1ieEcUW3jU199m8HrHgxPDL4Zhi7obC',
    decimals: 9,
    program: 'spl-token',
  },
  unit: { symbol: 'USD', decimals: 12 },
  assets: [
    { symbol: 'SOL', kind: 'native', decimals: 9, creditsPerUnit: '160000' },
    {
      symbol: 'USDC',
      kind: 'spl',
      mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      decimals: 6,
      creditsPerUnit: '1000000',
    },
  ],
  start: 1798761600,
  end: 1801353600,
  stages: [
    { name: 'Stage 1', credits: '150000000000000000', price: '600000000' },
    { name: 'Stage 2', credits: '300000000000000000', price: '1200000000' },
    { name: 'Stage 3', credits: '375000000000000000', price: '1500000000' },
  ],
  softCap: '200000000000000000',
  minOrder: '10000000000000',
  maxBuyer: '25000000000000000',
  access: { mode: 'open' },
  referral: { bps: 300, pool: '15000000000000000' },
  vesting: { tgeAt: 1801958400, tgeBps: 2500, cliffSeconds: 0, periodSeconds: 2592000, periods: 3 },
  refund: { minUnits: { SOL: '1000000', USDC: '10000' }, withinDays: 14 },
  unsold: 'burn',
  legal: {
    url: 'https://example.org/mai/terms',
    sha256: 'c28f71df40f11fdae87fd0e5b98356e09f0ecfe5a6e0e33e9cb4634977755de0',
    blockedRegions: ['CU', 'IR', 'KP', 'SY', 'US'],
    acknowledge: ['terms', 'region', 'risk'],
  },
}
export const termsHash = '0c1754de9a252f451853f5a98ef2fb13586548be68a34302ea3f1eb9ee0c7a5f'
/** URL of the legal document. */
export const legalUrl = 'https://sale.example/terms.html'
/** The address that the authority's notices carry. */
export const noticeRef = '3dXfcvE5sUfpVhGYrMdnwe1Bs6PmZ6v5sEpCjq6rSuRt'
export const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
export const signature =
  '4kQmVh1XQKBdD3pXb9Y2w7Jc8sRfTn5uGzLePaWvMxYo6CiHtEqFrUjNg2S1kD8bA9mZy4V7xW3pQcJzXkZt7BZt7B'.slice(0, 88)

/** 14 January 2027, 09:41:08 UTC: 16 d 14 h 18 m 52 s before the end. */
export const noon = 1801353600_000 - (16 * 86_400 + 14 * 3600 + 18 * 60 + 52) * 1000

type Fact = AppFact extends infer F ? (F extends { at: number } ? Omit<F, 'at'> & { at?: number } : never) : never
/** A fact at `at`, by default `noon`. */
export function fact(one: Fact): AppFact {
  return { at: noon, ...one } as AppFact
}

const usd = (whole: bigint, cents = 0n) => whole * 10n ** 12n + cents * 10n ** 10n

/**
 * A sale after its reading: audited up to a checkpoint, with later payments on top, in USDC.
 * @param given position in US dollars; `chainTime` in ms
 */
export function saleAt(
  given: {
    audited?: bigint
    live?: bigint
    chainTime?: number
    paused?: boolean
    closed?: boolean
    result?: 'success' | 'failed'
    /** token base units sold up to the checkpoint */
    tokens?: string
    terms?: Terms
    changes?: NoticeChange[]
    content?: SaleContent
    /** hashes of announced plans of payouts */
    plans?: readonly string[]
    /** further figures of the checkpoint */
    counts?: { orders: number; buyers: number; refundsOwed: Record<string, string> }
  } = {},
): AppFact[] {
  const { audited = usd(262_840n), live = usd(23_572n, 50n), chainTime = noon, paused = false, closed = false } = given
  const published = given.terms ?? terms
  return [
    fact({ type: 'core.started', data: { life: 1, build: 'test', cause: 'start', storage: 'durable' } }),
    fact({ type: 'tab.attached', data: { life: 1 } }),
    fact({
      type: 'sale.termsRead',
      data: { terms: published, termsHash, presaleRef: '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr', noticeRef },
    }),
    fact({
      type: 'sale.noticesRead',
      data: {
        termsHash,
        paused,
        closed,
        changes: given.changes ?? [{ slot: 1, verb: 'terms', hash: termsHash }],
        checkpoint: {
          slot: 1000,
          time: 1798761600_000,
          balances: { SOL: '890880', USDC: '0' },
          raised: audited.toString(),
          pos: audited.toString(),
          ...(given.tokens === undefined ? {} : { tokens: given.tokens }),
        },
        ...(given.result === undefined ? {} : { result: given.result }),
        ...(given.plans === undefined ? {} : { plans: [...given.plans] }),
        ...(given.counts && { counts: given.counts }),
      },
    }),
    fact({ type: 'sale.legalRead', data: { sha256: published.legal.sha256, url: legalUrl } }),
    ...(given.content ? [fact({ type: 'sale.contentRead', data: { content: given.content } })] : []),
    fact({
      type: 'sale.read',
      data: { slot: 2000, chainTime, balances: { SOL: '890880', USDC: (live / 1_000_000n).toString() } },
    }),
  ]
}
/** The position in whole US dollars, all of it audited. */
export function saleAtPosition(dollars: bigint): AppFact[] {
  return saleAt({ audited: usd(dollars), live: 0n })
}

/** Phantom, installed and connected, by default with 12.481 SOL and 375 USDC. */
export function connected(amounts: Record<string, string> = { SOL: '12481000000', USDC: '375000000' }): AppFact[] {
  const wallet = { walletId: 'phantom', name: 'Phantom' }
  return [
    fact({ type: 'connection.requested', data: { attemptId: 'a1', connector: 'installed', wallet } }),
    fact({
      type: 'connection.made',
      data: {
        connectionId: 'c1',
        attemptId: 'a1',
        connector: 'installed',
        wallet,
        accounts: [buyer],
        features: ['signTransaction', 'signMessage'],
      },
    }),
    fact({ type: 'balance.read', data: { account: buyer, slot: 2000, amounts } }),
  ]
}

const orderId = 'o1'
const at = (seconds: number) => noon - 56_000 + seconds * 1000
/** An order for 2.5 SOL up to the named phase. */
export function orderUntil(
  last: 'drafted' | 'simulated' | 'asked' | 'signed' | 'sending' | 'seen' | 'confirmed' | 'finalised' | 'accounted',
): AppFact[] {
  const steps: [string, AppFact][] = [
    [
      'drafted',
      fact({
        type: 'order.drafted',
        at: at(-7),
        data: { orderId, account: buyer, connectionId: 'c1', walletName: 'Phantom', asset: 'SOL', units: '2500000000' },
      }),
    ],
    [
      '',
      fact({ type: 'order.quoted', at: at(-7), data: { orderId, quoted: '333333333333333', min: '333333333333332' } }),
    ],
    ['', fact({ type: 'order.accepted', at: at(-7), data: { orderId, termsHash, orderKey: '5b0e9d7c31f4a826' } })],
    [
      '',
      fact({
        type: 'order.built',
        at: at(-6),
        data: {
          orderId,
          bytesRef: 'b1',
          blockhash: 'x',
          validUntilHeight: 150,
          slot: 1,
          orderRef: 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT',
          memo: 'mai1',
          fee: '6000',
          transfer: { kind: 'transfer', from: buyer, to: terms.treasury, lamports: '2500000000', references: [] },
        },
      }),
    ],
    ['simulated', fact({ type: 'order.simulated', at: at(-6), data: { orderId, unitsConsumed: 9000 } })],
    ['asked', fact({ type: 'order.asked', at: at(-6), data: { orderId, askId: 'e1', means: 'sign' } })],
    ['signed', fact({ type: 'order.signed', at: at(0), data: { orderId, signature, bytesRef: 'b2' } })],
    ['sending', fact({ type: 'order.sending', at: at(1), data: { orderId } })],
    ['seen', fact({ type: 'order.seen', at: at(2), data: { orderId, slot: 2001 } })],
    ['confirmed', fact({ type: 'order.confirmed', at: at(4), data: { orderId, slot: 2001 } })],
    ['finalised', fact({ type: 'order.finalised', at: at(16), data: { orderId, slot: 2001 } })],
    ['accounted', fact({ type: 'order.accounted', at: at(600), data: { orderId, slot: 2001 } })],
  ]
  return steps.slice(0, steps.findIndex(([name]) => name === last) + 1).map(([, one]) => one)
}
/** Ends of an order without a payment. */
export function orderEnd(
  type: 'order.rejected' | 'order.simulationFailed' | 'order.gateRefused' | 'order.abandoned' | 'order.unknown',
  code: Failure['code'],
  facts?: Record<string, string | number>,
): AppFact {
  return fact({ type, data: { orderId, failure: { code, message: 'for developers', ...(facts ? { facts } : {}) } } })
}

/** A refused signature over an altered transaction, with the differences. */
export const amountAltered: AppFact = fact({
  type: 'order.gateRefused',
  data: {
    orderId,
    failure: { code: 'wallet_changed_tx', message: 'for developers' },
    differences: [
      { of: 'amount', field: 'transfer.lamports', expected: '2500000000', got: '9900000000' },
      { of: 'keys', field: 'transfer.references', expected: ['a', 'b'], got: [] },
      { of: 'amount', field: 'priorityFee', expected: '50000', got: '2500000' },
      { of: 'word', field: 'lookup tables', expected: '0', got: '1' },
    ],
  },
})

/** A landed transaction that differs from the agreed one. */
export const landedAltered: AppFact = fact({
  type: 'order.mismatched',
  at: at(-1),
  data: {
    orderId,
    signature: 'sig-altered',
    slot: 5000,
    failure: { code: 'wallet_changed_tx', message: 'for developers' },
    differences: [{ of: 'amount', field: 'transfer.lamports', expected: '2500000000', got: '9900000000' }],
  },
})

/** Earlier purchases of this wallet, as read from the chain. */
export const purchases: AppFact = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [
      {
        signature: 'sigUsdc',
        orderId: 'k2',
        slot: 900,
        paidAt: Date.UTC(2027, 0, 6, 14, 6),
        asset: 'USDC',
        units: '375000000',
        quoted: '312500000000000',
        status: 'final',
      },
      {
        signature: 'sigFailed',
        orderId: 'k1',
        slot: 890,
        paidAt: Date.UTC(2027, 0, 6, 14, 2),
        asset: 'SOL',
        units: '800000000',
        quoted: '106666666666667',
        status: 'failed',
      },
      {
        signature: 'sigSol',
        orderId: 'k0',
        slot: 880,
        paidAt: Date.UTC(2027, 0, 6, 13, 58),
        asset: 'SOL',
        units: '2500000000',
        quoted: '416666666666667',
        status: 'final',
      },
    ],
  },
})

/** The audited books' rows of an account, after its purchases were read. */
export function accountedBy(
  rows: readonly (Partial<AccountedRow> & Pick<AccountedRow, 'signature'>)[],
  { account = buyer, ...more }: { account?: string; bonus?: string; changed?: string[]; places?: string[] } = {},
): AppFact[] {
  const time = Date.UTC(2027, 0, 6, 14, 0)
  const usual = { slot: 880, paidAt: Date.UTC(2027, 0, 6, 13, 58), asset: 'SOL', units: '2500000000' }
  const given = { accepted: '2500000000', tokens: '416666666666667', status: 'accepted' as const }
  const known = rows.map(row => ({ ...usual, ...given, ...row }))
  return [
    fact({ type: 'purchase.read', data: { account, purchases: [] } }),
    fact({ type: 'purchase.accounted', data: { account, slot: 900, time, bonus: '0', rows: known, ...more } }),
  ]
}

/** A page over a store that folds at once, with a record of its commands. */
export function surroundings(facts: readonly AppFact[], clock: { now: number } = { now: noon }) {
  const store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
  const commands: Command[] = []
  const asked = { copied: [] as string[], recordings: 0, takeOvers: 0, erases: 0 }
  const answers = { ready: true, erase: true }
  const tell = (...more: AppFact[]) => {
    const core = structuredClone(store.model())
    for (const one of more) fold(core, one)
    store.attach({ life: 1, seq: store.folded(), model: core })
    for (const one of more) if (/^(?:tab|screen|toast|installed)\./.test(one.type)) store.dispatch(one as never)
  }
  const value: Surroundings = {
    store,
    config: {
      appName: 'MAI',
      termsUrl: 'https://example.org/terms',
      privacyUrl: 'https://example.org/privacy',
      solanaRpcUrl: 'http://127.0.0.1:8899',
      allWallets: 'SHOW',
      featured: [],
    },
    command: command => commands.push(command),
    dispatch: one => store.dispatch({ ...one, at: clock.now }),
    pairingUri: () => Promise.resolve(undefined),
    walletImage: () => Promise.resolve(undefined),
    picture: () => Promise.resolve(undefined),
    walletIcon: () => undefined,
    walletLink: async () => undefined,
    walletOpened: () => undefined,
    open: () => undefined,
    device,
    copy: text => {
      asked.copied.push(text)
      return Promise.resolve(true)
    },
    saveRecording: () => {
      asked.recordings += 1
      return Promise.resolve('report.replay.jsonl')
    },
    takeOver: () => {
      asked.takeOvers += 1
      return Promise.resolve()
    },
    erase: sure => {
      asked.erases += 1
      return Promise.resolve(answers.erase || sure === true)
    },
    ready: () => Promise.resolve(answers.ready),
    now: () => clock.now,
  }
  tell(...facts)
  return { value, store, commands, asked, answers, tell, clock }
}

/** A code for 2.5 SOL up to the named fact. */
export function invoiceUntil(last: 'opened' | 'named' | 'seen' | 'final', change: Partial<Purchase> = {}): AppFact[] {
  const invoiceId = 'i1'
  const payment = {
    signature,
    orderId: '5b0e9d7c31f4a826',
    slot: 2001,
    paidAt: noon,
    asset: 'SOL',
    units: '2500000000',
    quoted: '333333333333333',
    terms: termsHash.slice(0, 16),
    ...change,
  }
  const paid = (status: 'confirmed' | 'final') =>
    fact({ type: 'invoice.paid', data: { invoiceId, buyer, payment: { ...payment, status } } })
  const facts = {
    opened: fact({
      type: 'invoice.opened',
      data: {
        invoiceId,
        presaleRef: '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
        orderKey: '5b0e9d7c31f4a826',
        asset: 'SOL',
        units: '2500000000',
        quoted: '333333333333333',
        min: '333333333333332',
        termsHash,
      },
    }),
    named: fact({
      type: 'invoice.named',
      data: { invoiceId, reference: 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT' },
    }),
    seen: paid('confirmed'),
    final: paid('final'),
  }
  const names = Object.keys(facts) as (typeof last)[]
  return names.slice(0, names.indexOf(last) + 1).map(name => facts[name])
}
