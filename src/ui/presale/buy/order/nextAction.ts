/** The buy button: its label names the first obstacle before a payment. */
import { type Connection, walletName } from '../../../../events/subjects/wallet/connection.ts'
import { leastCredits } from '../../../../events/sale/quote.ts'
import type { OrderIn } from '../../../../events/subjects/order/order.ts'
import type { Sale } from '../../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../../events/sale/terms/termsShape.ts'
import type { Lack } from '../afford.ts'
import { type DraftResult, nativeOf } from '../draft.ts'
import type { BuyBlock } from '../../sale/saleStatus.ts'
import type { SaleWords } from '../../saleWords.ts'

/**
 * Action of a press. `nothing` gives the reason in its label; `amount` leads to the field, `tick` to the missing box,
 * `sol` to the same worth of SOL; `repeat` places the same purchase again.
 */
export type Action = {
  does:
    | 'nothing'
    | 'reload'
    | 'takeOver'
    | 'goHome'
    | 'connect'
    | 'transfer'
    | 'amount'
    | 'tick'
    | 'sol'
    | 'pay'
    | 'continue'
    | 'accept'
    | 'again'
    | 'repeat'
    | 'more'
    | 'leave'
  label: string
  busy?: true
}

/** Actions of a press that leads to a payment. */
export const paying: readonly Action['does'][] = ['pay', 'continue', 'accept', 'repeat']

type Situation = {
  buyBlock: BuyBlock | undefined
  terms: Terms | undefined
  sale: Sale | null | undefined
  connection: Connection | undefined
  /** whether the connected account may buy here */
  access: 'yes' | 'no' | 'unread' | 'failed'
  asset: TermsAsset | undefined
  draft: DraftResult
  lack: Lack | undefined
  /** credits this wallet already bought */
  boughtCredits: bigint
  ticked: readonly string[]
  /** pressed, not yet answered by the core */
  placing: boolean
  /** a transfer is on its way */
  isSending?: boolean
}

/** @returns the next action without an open order */
export function nextAction(t: SaleWords, now: Situation): Action {
  const { button } = t.buy
  const { buyBlock, terms, sale, connection, asset } = now
  if (buyBlock) return blockedAction(buyBlock)
  if (!terms || !sale || !asset) return { does: 'nothing', label: button.loading, busy: true }
  const shut = shutLabel(t, terms, sale)
  if (shut) return nothing(shut)
  if (!connection || connection.phase === 'missing') return { does: 'connect', label: t.basics.connectWallet }
  if (now.isSending) return { does: 'transfer', label: button.showTransfer }
  if (connection.phase === 'restoring') {
    return { does: 'nothing', label: button.reconnecting(walletName(connection)), busy: true }
  }
  if (!connection.features.some(feature => feature !== 'signMessage')) {
    return nothing(button.cannotSign(walletName(connection)))
  }
  if (now.access === 'no') return nothing(button.notOnList)
  if (now.access === 'failed') return nothing(button.listUnread)
  if (now.access === 'unread') return { does: 'nothing', label: button.readingList, busy: true }
  return purchaseAction(t, { ...now, terms, sale, asset })
}

/** @returns the next action of a buyer who may pay, by the amount and the statements */
export function purchaseAction(
  t: SaleWords,
  now: Pick<Situation, 'draft' | 'lack' | 'boughtCredits' | 'ticked' | 'placing'> & {
    terms: Terms
    sale: Sale
    asset: TermsAsset
  },
): Action {
  const { figures } = t
  const { button } = t.buy
  const { terms, sale, asset, draft, lack } = now
  if (!draft.quote) return amount(button.enterAmount)
  const credits = BigInt(draft.quote.credits)
  const least = leastCredits(terms, asset, sale.remaining)
  if (credits < least) {
    const isUsual = least === BigInt(terms.minOrder)
    const rest = figures.paidNamed(least / BigInt(asset.creditsPerUnit), asset, terms)
    return amount(button.atLeast(isUsual ? figures.dollars(terms.minOrder) : rest))
  }
  if (credits + now.boughtCredits > BigInt(terms.maxBuyer)) {
    return amount(button.atMost(figures.dollars(terms.maxBuyer)))
  }
  if (lack?.isWhole && nativeOf(terms)) return { does: 'sol', label: button.payWithSol }
  if (lack) return amount(lack.label)
  if (now.placing) return { does: 'nothing', label: button.checking, busy: true }
  const wanted = terms.legal.acknowledge
  if (wanted.some(one => !now.ticked.includes(one))) return { does: 'tick', label: button.tick(wanted.length) }
  return { does: 'pay', label: button.pay(figures.paidNamed(draft.quote.units, asset, terms)) }
}

/**
 * @param now with the order's asset, and its quote as it is now
 * @returns the action of a proved expiry: the same purchase by one press, the new quote where it gives less, else the calculator
 */
export function repeatAction(t: SaleWords, { quote: agreed }: OrderIn<'expired'>, now: Situation): Action {
  const action = nextAction(t, now)
  if (action.busy) return action
  const { quote } = now.draft
  if (action.does !== 'pay' || !quote) return { does: 'again', label: t.basics.tryAgain }
  // A difference of one base unit is rounding
  const holds = (got: string, wanted: string) => BigInt(got) + 1n >= BigInt(wanted)
  if (holds(quote.tokens, agreed.quoted) && holds(quote.min, agreed.min))
    return { does: 'repeat', label: t.buy.button.payAgain }
  return { does: 'accept', label: t.buy.button.acceptQuote }
}

function nothing(label: string): Action {
  return { does: 'nothing', label }
}

function amount(label: string): Action {
  return { does: 'amount', label }
}

function blockedAction({ why, label, reloads }: BuyBlock): Action {
  if (reloads) return { does: 'reload', label }
  if (why === 'otherBuild') return { does: 'takeOver', label }
  if (why === 'away') return { does: 'goHome', label }
  return why === 'reading' || why === 'lost' ? { does: 'nothing', label, busy: true } : nothing(label)
}

function shutLabel(
  { buy: { button }, sale: texts, figures }: SaleWords,
  terms: Terms,
  { state }: Sale,
): string | undefined {
  switch (state) {
    case 'soon':
      return texts.opens(figures.momentOf(terms.start * 1000))
    case 'paused':
      return button.pausedByTeam
    case 'soldOut':
      return button.soldOut
    case 'ended':
    case 'succeeded':
    case 'failed':
      return button.saleEnded
    case 'live':
      return undefined
  }
}
