/** A transfer in each of its states, as facts: for tests and for the gallery of the modal. */
import type { CoreSideFact, PageFact } from '../../src/events/app.ts'
import { networks } from '../../src/events/values/networks.ts'
import { account, connected, type GalleryState, opened, type Stage, start } from './modalStage.ts'

const [mainnet] = networks
const { genesisHash = '', caip2 = '' } = mainnet ?? {}
export const recipient = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
export const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
export const bonk = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB263t51PCBD3'
export const orderKey = '00ff00ff00ff00ff'
const token = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

type Data<T extends CoreSideFact['type']> = Extract<CoreSideFact, { type: T }>['data']

/** The wallet holds 12.481 SOL and two tokens, one of which a service knows. */
export function holding(on: Stage, amounts: Record<string, string> = { SOL: '12481234567' }): void {
  const ask = { call: 'balance', address: account, chainId: caip2 } as const
  const named = (symbol: string, name: string, price: string, value: string, asset: object) =>
    ({ name, symbol, chainId: caip2, asset, value, price, decimals: 9, quantity: '1', iconUrl: '' }) as never
  const balances = [
    named('SOL', 'Solana', '160', '1996.96', { kind: 'native' }),
    named('USDC', 'USD Coin', '1', '375', { kind: 'token', address: usdc }),
  ]
  on.facts(
    connected(),
    { type: 'network.identified', data: { genesisHash, caip2 } },
    { type: 'service.asked', data: { callId: 's1', ask } },
    { type: 'service.answered', data: { callId: 's1', answer: { call: 'balance', balances, dropped: 0 } } },
    {
      type: 'balance.read',
      data: {
        account,
        slot: 5,
        amounts,
        tokens: [
          { mint: usdc, program: token, decimals: 6, account: 'at1', amount: '375000000' },
          { mint: bonk, program: token, decimals: 5, account: 'at2', amount: '120000000000', frozen: true },
        ],
      },
    },
  )
}

export const drafted = (change: Partial<Extract<PageFact, { type: 'screen.sendDrafted' }>['data']> = {}): PageFact => ({
  type: 'screen.sendDrafted',
  data: { account, madeAt: start, asset: 'SOL', amount: '1.5', recipient, ...change },
})
export const shown = (
  name: 'WalletSend' | 'WalletSendSelectToken' | 'WalletSendPreview' | 'WalletSendConfirmed',
): PageFact => ({ type: 'screen.shown', data: { screen: { name } } })

const orderId = 'o1'
type Send = NonNullable<Data<'order.drafted'>['send']>

/** Facts of a requested transfer. */
export function requested(send: Partial<Send> = {}, asset = 'SOL', units = '1500000000'): CoreSideFact[] {
  return [
    {
      type: 'order.drafted',
      data: {
        orderId,
        account,
        connectionId: 'c1',
        walletName: 'Phantom',
        asset,
        units,
        send: { to: recipient, confirmed: [], decimals: 9, ...send },
      },
    },
    { type: 'order.quoted', data: { orderId, quoted: '0', min: '0' } },
    { type: 'order.accepted', data: { orderId, termsHash: '', orderKey } },
  ]
}

/** It is built and waits for its press. @param rent of the recipient's token account, which it creates */
export function built(rent?: string): CoreSideFact[] {
  return [
    {
      type: 'order.built',
      data: {
        orderId,
        bytesRef: 'b1',
        blockhash: 'h1',
        validUntilHeight: 150,
        slot: 9,
        orderRef: 'r1',
        memo: '',
        fee: '7000',
        transfer: {
          kind: 'transfer',
          from: account,
          to: recipient,
          lamports: '1500000000',
          references: ['r1'],
        } as never,
        ...(rent !== undefined && { creates: { owner: recipient, rent }, unused: true }),
      },
    },
    { type: 'order.simulated', data: { orderId, unitsConsumed: 9000 } },
    { type: 'order.pressAwaited', data: { orderId } },
  ]
}

export const asked: CoreSideFact = { type: 'order.asked', data: { orderId, askId: 'e1', means: 'sign' } }
const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
export const sent: CoreSideFact[] = [
  { type: 'order.signed', data: { orderId, signature, bytesRef: 'b2' } },
  { type: 'order.sending', data: { orderId } },
]
export const landed: CoreSideFact[] = [
  { type: 'order.seen', data: { orderId, slot: 20 } },
  { type: 'order.confirmed', data: { orderId, slot: 20 } },
]
export const final: CoreSideFact = { type: 'order.finalised', data: { orderId, slot: 20 } }
type Failure = Data<'order.abandoned'>['failure']
export const refused = (failure: Partial<Failure> & { code: Failure['code'] }): CoreSideFact => ({
  type: 'order.simulationFailed',
  data: { orderId, failure: { message: 'm', ...failure } },
})
const ended = (type: 'order.rejected' | 'order.unknown', code: Failure['code']): CoreSideFact => ({
  type,
  data: { orderId, failure: { code, message: 'm' } },
})
export const rejected = ended('order.rejected', 'user_rejected')
export const unanswered = ended('order.unknown', 'wallet_gone')
export const expired: CoreSideFact = { type: 'order.expired', data: { orderId, height: 900, providers: 2 } }
export const failedOnChain: CoreSideFact = {
  type: 'order.failedOnChain',
  data: { orderId, slot: 20, failure: { code: 'on_chain_error', message: 'm' } },
}

/** Opens the form over the account, with what is written in it. */
export function openForm(on: Stage, draft?: Parameters<typeof drafted>[0]): void {
  if (draft) on.page(drafted(draft))
  on.page(opened('Account'), shown('WalletSend'))
}

/** @returns a state whose transfer has these facts, on its last screen */
const stands =
  (...facts: CoreSideFact[]) =>
  (on: Stage) => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested(), ...built(), ...facts)
    on.page(shown('WalletSendPreview'), shown('WalletSendConfirmed'))
  }

/** States to look at, by name. */
export const sendStates: Record<string, GalleryState> = {
  sendEmpty: on => {
    holding(on)
    openForm(on)
  },
  sendReady: on => {
    holding(on)
    openForm(on, {})
  },
  sendShort: on => {
    holding(on)
    openForm(on, { amount: '14', recipient: '' })
  },
  sendWrong: on => {
    holding(on)
    openForm(on, { amount: '1.2345678901234', recipient: 'not an address' })
  },
  sendRefused: on => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested(), refused({ code: 'bad_input', facts: { rule: 'RECIPIENT_TOKEN_ACCOUNT' } }))
  },
  sendAlike: on => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested(), refused({ code: 'bad_input', facts: { rule: 'RECIPIENT_LOOKS_ALIKE' } }))
  },
  sendChecking: on => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested())
  },
  sendOffline: on => {
    holding(on)
    openForm(on, {})
    on.facts({ type: 'network.offline', data: {} })
  },
  sendOnWay: on => {
    stands(asked, ...sent)(on)
    openForm(on, { orderKey: '11ff00ff00ff00ff' })
  },
  sendTokens: on => {
    sendStates.sendEmpty?.(on)
    on.page(shown('WalletSendSelectToken'))
  },
  sendTokensReading: on => {
    on.facts(connected())
    openForm(on)
    on.page(shown('WalletSendSelectToken'))
  },
  sendTokensFailed: on => {
    on.facts(connected(), {
      type: 'balance.failed',
      data: { account, failure: { code: 'unreachable', message: 'm' } },
    })
    openForm(on)
    on.page(shown('WalletSendSelectToken'))
  },
  sendReview: on => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested(), ...built())
    on.page(shown('WalletSendPreview'))
  },
  sendReviewToken: on => {
    holding(on)
    openForm(on, { orderKey, asset: usdc, amount: '20' })
    on.facts(...requested({ mint: usdc, program: token, decimals: 6, source: 'at1' }, usdc, '20000000'))
    on.facts(...built('2039280'))
    on.page(shown('WalletSendPreview'))
  },
  sendReviewGone: on => {
    sendStates.sendReview?.(on)
    on.facts({ type: 'order.abandoned', data: { orderId, failure: { code: 'user_rejected', message: 'm' } } })
  },
  sendApprove: stands(asked),
  sendSending: stands(asked, ...sent),
  sendConfirmed: stands(asked, ...sent, ...landed),
  sendFinal: stands(asked, ...sent, ...landed, final),
  sendDeclined: stands(asked, rejected),
  sendUnknown: stands(asked, unanswered),
  sendExpired: stands(asked, ...sent, expired),
  sendFailed: stands(asked, ...sent, failedOnChain),
  sendAskedAgain: stands(),
  sendSeen: stands(asked, ...sent, landed[0] as CoreSideFact),
  sendMayArrive: stands(asked, ...sent, { ...unanswered, data: { ...unanswered.data } } as CoreSideFact),
  sendNotSent: stands(refused({ code: 'insufficient_sol', facts: { short: '250006000' } })),
  sendChanged: stands(asked, ended('order.rejected', 'wallet_changed_tx')),
  sendNotSeen: stands(asked, ...sent, { ...expired, data: { ...expired.data, providers: 1 } } as CoreSideFact),
  sendAltered: stands(asked, {
    type: 'order.mismatched',
    data: {
      orderId,
      signature,
      slot: 20,
      failure: { code: 'wallet_changed_tx', message: 'm' },
      differences: [{ of: 'amount', field: 'transfer.lamports', expected: '1500000000', got: '9900000000' }],
    },
  }),
  sendStillChecking: on => {
    holding(on)
    openForm(on, { orderKey })
    on.facts(...requested())
    on.page(shown('WalletSendConfirmed'))
  },
  sendPutAway: on => {
    holding(on)
    on.page(opened('Account'), shown('WalletSendConfirmed'))
  },
  sendUnread: on => {
    holding(on)
    on.facts({ type: 'balance.failed', data: { account, failure: { code: 'unreachable', message: 'm' } } })
    openForm(on, {})
  },
  sendOwn: on => {
    holding(on)
    openForm(on, { recipient: account })
  },
  sendNoAmount: on => {
    holding(on)
    openForm(on, { amount: '' })
  },
  sendNoRecipient: on => {
    holding(on)
    openForm(on, { recipient: '' })
  },
  sendNoNumber: on => {
    holding(on)
    openForm(on, { amount: '1e9' })
  },
  sendTokenShort: on => {
    holding(on)
    openForm(on, { asset: usdc, amount: '400' })
  },
  sendTooMuch: on => {
    holding(on)
    openForm(on, { amount: '99999999999999999999999' })
  },
  sendNamedAlike: on => {
    sendStates.sendFinal?.(on)
    openForm(on, { recipient: `${recipient.slice(0, 6)}z${recipient.slice(7)}` })
  },
  sendPurchaseOnWay: on => {
    holding(on)
    const [draft, ...rest] = requested()
    const { send: _, ...purchase } = (draft as Extract<CoreSideFact, { type: 'order.drafted' }>).data
    on.facts({ type: 'order.drafted', data: purchase }, ...rest)
    openForm(on, { orderKey: '11ff00ff00ff00ff' })
  },
  sendTokensNone: on => sendStates.sendTokens?.(on),
}
