/** One entry of an account's history, as the wire has it. */
export type HistoryEntry = {
  id: string
  metadata: {
    operationType: string
    hash: string
    /** ISO 8601 */
    minedAt: string
    sentFrom: string
    sentTo: string
    status: 'confirmed' | 'failed' | 'pending'
    nonce: number
    application: { name: string | null; iconUrl: string | null } | null
    /** CAIP-2 */
    chain: string | null
  }
  transfers: Transfer[]
}

export type Transfer = {
  fungible_info: { name: string; symbol: string; icon: { url: string } } | null
  nft_info: {
    name: string
    content: { preview: { url: string; content_type: string } | null; detail: null }
    flags: { is_spam: boolean }
  } | null
  direction: 'in' | 'out' | 'self'
  quantity: { numeric: string }
  value: number | null
  price: number | null
}

/** Surroundings of a history: the request's chain, URL and currency, and the clock. */
export type HistoryView = { address: string; chain: string; url: string; nowMs: number; currency: string }
