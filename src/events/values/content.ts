/** What is published to be shown beside the terms. Nobody hashes it and nothing is decided by it. */

/** One part of the supply; `tokens` are whole tokens in decimal text. */
export type SupplyRow = { name: string; tokens: string }
export type SaleContent = {
  tokenomics?: { note?: string; rows: SupplyRow[] }
  questions: { question: string; answer: string }[]
  /** addresses are https, or of a file beside the terms */
  links: { name: string; url: string }[]
}
