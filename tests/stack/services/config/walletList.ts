import type { Context } from 'hono'
import { type ListedWallet, walletPage } from '../wallets.ts'

/** One page of the wallet list by the query's filters; a filter outside the grammar is a 400. */
export function walletList(c: Context, all: ListedWallet[]): Response {
  const numberOf = (name: string, fallback: number): number => Number(c.req.query(name) || fallback)
  const listOf = (name: string): string[] | undefined => c.req.query(name)?.split(',').filter(Boolean)
  const [page, entries] = [numberOf('page', 1), numberOf('entries', 40)]
  if (!Number.isInteger(page) || !Number.isInteger(entries) || page < 1 || entries < 1 || entries > 1000) {
    return c.text(
      `page and entries must be whole numbers from 1, got ${c.req.query('page')} and ${c.req.query('entries')}`,
      400,
    )
  }
  const badge = c.req.query('badge_type') ?? c.req.query('badge')
  if (badge !== undefined && badge !== 'certified' && badge !== 'none')
    return c.text(`badge_type must be certified or none, got ${badge}`, 400)
  const stranger = listOf('chains')?.find(chain => !/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(chain))
  if (stranger !== undefined) return c.text(`chains must be CAIP-2 ids, got ${stranger}`, 400)
  const optional = Object.entries({
    include: listOf('include'),
    exclude: listOf('exclude'),
    chains: listOf('chains'),
    search: c.req.query('search')?.trim(),
    badge,
  }).filter(([, value]) => value !== undefined && value.length > 0)
  return c.json(walletPage(all, { page, entries, ...Object.fromEntries(optional) }))
}
