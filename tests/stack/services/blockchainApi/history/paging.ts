/** How a namespace's history is cut into pages; pages count from 1. */
type Paging = {
  size: number
  cursorOf(page: number): string
  /** undefined for a cursor this service did not make */
  pageOf(cursor: string): number | undefined
}

const isPage = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text)
const prefix = 'local-services/history/cursor/of-the-page-with-the-number/'

/** Solana: pages of 100, the cursor is the next page's number. EVM: pages of 50, the cursor is opaque. */
export const pagings: Record<'solana' | 'eip155', Paging> = {
  solana: {
    size: 100,
    cursorOf: String,
    pageOf: cursor => (isPage(cursor) ? Number(cursor) : undefined),
  },
  eip155: {
    size: 50,
    cursorOf: page => Buffer.from(`${prefix}${page}`).toString('base64url'),
    pageOf(cursor) {
      const text = Buffer.from(cursor, 'base64url').toString()
      const page = text.slice(prefix.length)
      return text.startsWith(prefix) && isPage(page) ? Number(page) : undefined
    },
  },
}

/** One page of a whole history. A full Solana page names a next one even if it is empty, as the real service does. */
export function pageOf<T>(all: T[], page: number, paging: Paging): { data: T[]; next: string | null } {
  const data = all.slice((page - 1) * paging.size, page * paging.size)
  return { data, next: data.length === paging.size ? paging.cursorOf(page + 1) : null }
}
