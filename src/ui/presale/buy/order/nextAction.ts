/** The buy button: its label names the first obstacle before a payment. */
import { type Connection, walletName } from '../../../../events/subjects/connection.ts'
import type { Sale } from '../../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../../events/sale/terms/termsShape.ts'
import type { Lack } from '../afford.ts'
import type { DraftResult } from '../draft.ts'
import { dollars, momentOf, paidNamed } from '../../sale/figures.ts'
import type { BuyBlock } from '../../sale/saleStatus.ts'

/** Action of a press. `nothing` gives the reason in its label; `amount` leads to the field, `tick` to the missing box. */
export type Action = {
  does:
    | 'nothing'
    | 'reload'
    | 'takeOver'
    | 'goHome'
    | 'connect'
    | 'amount'
    | 'tick'
    | 'pay'
    | 'continue'
    | 'accept'
    | 'again'
    | 'more'
    | 'leave'
  label: string
  busy?: true
}

export type Situation = {
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
}

const counts = ['', 'box', 'two boxes', 'three boxes', 'four boxes']

/** @returns the next action without an open order */
export function nextAction(now: Situation): Action {
  const { buyBlock, terms, sale, connection, asset, draft, lack } = now
  if (buyBlock) return halted(buyBlock)
  if (!terms || !sale || !asset) return { does: 'nothing', label: 'Loading the sale', busy: true }
  const shut = shutLabel(terms, sale)
  if (shut) return nothing(shut)
  if (!connection || connection.phase === 'missing') return { does: 'connect', label: 'Connect wallet' }
  if (connection.phase === 'restoring') {
    return { does: 'nothing', label: `Reconnecting ${walletName(connection)}`, busy: true }
  }
  if (!connection.features.some(feature => feature !== 'signMessage')) {
    return nothing(`${walletName(connection)} cannot sign payments`)
  }
  if (now.access === 'no') return nothing('This wallet is not on the sale’s list')
  if (now.access === 'failed') return nothing('The sale’s list cannot be read')
  if (now.access === 'unread') return { does: 'nothing', label: 'Reading the sale’s list', busy: true }
  if (!draft.quote) return amount('Enter an amount')
  const credits = BigInt(draft.quote.credits)
  if (credits < leastCredits(terms, sale, asset)) return amount(`At least ${dollars(terms.minOrder)}`)
  if (credits + now.boughtCredits > BigInt(terms.maxBuyer)) {
    return amount(`At most ${dollars(terms.maxBuyer)} per wallet`)
  }
  if (lack) return amount(lack.label)
  if (now.placing) return { does: 'nothing', label: 'Checking', busy: true }
  const wanted = terms.legal.acknowledge
  if (wanted.some(one => !now.ticked.includes(one))) return { does: 'tick', label: `Tick the ${counts[wanted.length]}` }
  return { does: 'pay', label: `Pay ${paidNamed(draft.quote.units, asset, terms)}` }
}

function nothing(label: string): Action {
  return { does: 'nothing', label }
}

function amount(label: string): Action {
  return { does: 'amount', label }
}

function halted({ why, label, reloads }: BuyBlock): Action {
  if (reloads) return { does: 'reload', label }
  if (why === 'otherBuild') return { does: 'takeOver', label }
  if (why === 'away') return { does: 'goHome', label }
  return why === 'reading' || why === 'lost' ? { does: 'nothing', label, busy: true } : nothing(label)
}

function shutLabel(terms: Terms, { state }: Sale): string | undefined {
  switch (state) {
    case 'soon':
      return `Opens ${momentOf(terms.start * 1000)}`
    case 'paused':
      return 'Paused by the team'
    case 'soldOut':
      return 'Sold out'
    case 'ended':
    case 'succeeded':
    case 'failed':
      return 'Sale ended'
    case 'live':
      return undefined
  }
}

/** The smallest order. Near the hard cap it shrinks to the rest, or the last tokens could never be sold. */
function leastCredits(terms: Terms, sale: Sale, asset: TermsAsset): bigint {
  const rate = BigInt(asset.creditsPerUnit)
  const left = (BigInt(sale.remaining) / rate) * rate
  const least = BigInt(terms.minOrder)
  return left > 0n && left < least ? left : least
}
