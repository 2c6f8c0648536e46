import type { Context } from 'hono'
import { isFixture } from '../../fixtures.ts'
import type { World } from '../../world.ts'
import { namespaceOfAddress } from '../addresses.ts'
import { refused } from '../errors.ts'
import { servedIds } from '../networks.ts'
import { chainHistory } from './chainHistory.ts'
import type { HistoryEntry } from './entry.ts'
import { fixtureHistory } from './fixtureHistory.ts'

const pageSize = 100

/** `GET /v1/account/{address}/history`: pages of 100, newest first; the cursor is the next page's number. */
export function accountHistory(c: Context, world: World): Response {
  const address = c.req.param('address') ?? ''
  const { cursor = '1', chainId } = c.req.query()
  const namespace = namespaceOfAddress(address)
  if (chainId !== undefined && !servedIds(world).includes(chainId))
    return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
  if (!namespace || (chainId ?? `${namespace}:`).split(':')[0] !== namespace)
    return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  if (!/^[1-9]\d{0,5}$/.test(cursor)) return refused(c, 400, '', `Invalid cursor: ${cursor}`)
  if (namespace === 'eip155') return c.json({ data: [], next: null })

  const chain = chainId ?? 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const view = { address, chain, url: c.req.url, nowMs: world.now() }
  const fixtures = isFixture(world, address) ? fixtureHistory(view) : []
  const all = [...chainHistory(world, view), ...fixtures].sort((a, b) => minedAt(b) - minedAt(a))
  const page = Number(cursor)
  const data = all.slice((page - 1) * pageSize, page * pageSize)
  return c.json({ data, next: data.length === pageSize ? String(page + 1) : null })
}

const minedAt = ({ metadata }: HistoryEntry): number => Date.parse(metadata.minedAt)
