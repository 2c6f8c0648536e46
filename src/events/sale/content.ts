/** Texts and tables published for display beside the terms. They have no hash, and no decision depends on them. */

/** One part of the supply; `tokens` are whole tokens in decimal text. */
type SupplyRow = { name: string; tokens: string }
export type SaleContent = {
  tokenomics?: { note?: string; rows: SupplyRow[] }
  questions: { question: string; answer: string }[]
  /** addresses are https, or of a file beside the terms */
  links: { name: string; url: string }[]
}

/** @returns whether a value has the shape of content; the reader of the published file checks its words */
export function isContentLike(value: unknown): value is SaleContent {
  const { tokenomics, questions, links } = (value ?? {}) as { [K in keyof SaleContent]: unknown }
  const { note, rows } = (tokenomics ?? { rows: [] }) as { note?: unknown; rows?: unknown }
  return (
    areOf(questions, 'question', 'answer') &&
    areOf(links, 'name', 'url') &&
    (tokenomics === undefined || (typeof tokenomics === 'object' && tokenomics !== null)) &&
    (note === undefined || typeof note === 'string') &&
    areOf(rows, 'name', 'tokens') &&
    (rows as { tokens: string }[]).every(({ tokens }) => /^[0-9]{1,21}$/.test(tokens))
  )
}

/** A list of objects, each with these texts. */
function areOf(value: unknown, ...names: string[]): boolean {
  const isOne = (one: unknown) =>
    typeof one === 'object' && one !== null && names.every(name => typeof Reflect.get(one, name) === 'string')
  return Array.isArray(value) && value.every(isOne)
}
