/** When a kind of transaction can happen: before the start, while the sale is open, paused, sold out, or closed. */
type When = 'before' | 'open' | 'paused' | 'full' | 'closed'

/**
 * `rows`: its statuses in the ledger, one a row; none for a transaction that is no payment. `most`: how many a sale has at most.
 * `allowlist`: only a sale with a list has it.
 */
type Kind = { rows: readonly string[]; when: When; most?: number; allowlist?: true }

const accepted = (): Kind => ({ rows: ['accepted'], when: 'open' })
const open = (...rows: string[]): Kind => ({ rows, when: 'open' })

/** Every kind of transaction that meets a sale. */
export const FILLED_KINDS = {
  sol: accepted(),
  usdc: accepted(),
  /** by the token program's Transfer, which checks no decimals */
  uncheckedToken: accepted(),
  /** by Solana Pay: no mark of the buyer, no compute budget */
  phone: accepted(),
  /** with instructions that wallets add */
  extraInstructions: accepted(),
  /** with a referrer who has an accepted order */
  referred: accepted(),
  ownReferrer: accepted(),
  /** with a referrer who never bought */
  strangeReferrer: accepted(),

  /** more than one buyer may pay */
  overRoom: { ...open('partial'), most: 2 },
  /** more than the sale has left */
  lastPart: { rows: ['partial'], when: 'full', most: 1 },
  early: { rows: ['early'], when: 'before' },
  late: { rows: ['late'], when: 'closed' },
  paused: { rows: ['paused'], when: 'paused' },
  notAllowed: { ...open('not_allowed'), allowlist: true },
  duplicate: open('duplicate'),
  soldOut: { rows: ['sold_out'], when: 'full' },
  buyerCap: open('buyer_cap'),
  underMin: open('under_min'),
  priceProtect: open('price_protect'),
  unknownTerms: open('unknown_terms'),

  noMemo: open('no_memo'),
  /** with a memo that is no order */
  otherMemo: open('no_memo'),
  twoOrders: open('malformed'),
  twoPayments: open('malformed', 'malformed'),
  bothAssets: open('malformed', 'malformed'),
  brokenMemo: open('malformed'),
  wrongUnits: open('mismatch'),
  wrongAsset: open('mismatch'),
  delegated: open('delegated'),
  /** the rent of a closed token account goes to the treasury */
  closedAccount: open('inner'),
  /** a transfer inside the token program's batch instruction */
  batched: open('inner'),

  funding: { ...open('funding'), most: 3 },
  outflow: { ...open('outflow'), most: 3 },
  failed: open(),
  /** a token that the terms do not list */
  unlistedToken: { ...open(), most: 12 },
  /** no payment, with the marks of the sale and of somebody else's orders */
  spam: { ...open(), most: 20 },
  noticeOutOfTurn: { ...open(), most: 3 },
  foreignNotice: { ...open(), most: 3 },
} as const satisfies Record<string, Kind>

export type FilledKind = keyof typeof FILLED_KINDS

/** One transaction of a filled sale. `payer` paid its fee. */
export type FilledOrder = { kind: FilledKind; signature: string; payer: string }
