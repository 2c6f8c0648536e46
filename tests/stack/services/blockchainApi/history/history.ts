import type { Context } from 'hono'
import { fixtureEvmAccount, isFixture } from '../../fixtures.ts'
import { isCurrency } from '../../prices.ts'
import type { World } from '../../world.ts'
import { namespaceOfAddress } from '../addresses.ts'
import { refused } from '../errors.ts'
import { servedIds } from '../networks.ts'
import { chainHistory } from './chainHistory.ts'
import type { HistoryEntry, HistoryView } from './entry.ts'
import { evmFixtureHistory, fixtureHistory } from './fixtureHistory.ts'
import { pageOf, pagings } from './paging.ts'

const defaultChains = { solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', eip155: 'eip155:1' }

/** `GET /v1/account/{address}/history`, newest first. */
export function accountHistory(c: Context, world: World): Response {
  const address = c.req.param('address') ?? ''
  const { cursor, chainId, currency = 'usd' } = c.req.query()
  const namespace = namespaceOfAddress(address)
  if (!isCurrency(currency)) return refused(c, 400, 'currency', `Unsupported currency: ${currency}`)
  if (chainId !== undefined && !servedIds(world).includes(chainId))
    return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
  if (!namespace || (chainId ?? `${namespace}:`).split(':')[0] !== namespace)
    return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  const paging = pagings[namespace]
  const page = cursor === undefined ? 1 : paging.pageOf(cursor)
  if (page === undefined) return refused(c, 400, '', `Invalid cursor: ${cursor}`)

  const chain = chainId ?? defaultChains[namespace]
  const view = { address, chain, url: c.req.url, nowMs: world.now(), currency }
  const all = namespace === 'solana' ? solanaHistory(world, view) : evmHistory(view)
  return c.json(pageOf(all, page, paging))
}

function solanaHistory(world: World, view: HistoryView): HistoryEntry[] {
  const fixtures = isFixture(world, view.address) ? fixtureHistory(view) : []
  return [...chainHistory(world, view), ...fixtures].sort((a, b) => minedAt(b) - minedAt(a))
}

const evmHistory = (view: HistoryView): HistoryEntry[] =>
  view.address.toLowerCase() === fixtureEvmAccount ? evmFixtureHistory(view) : []

const minedAt = ({ metadata }: HistoryEntry): number => Date.parse(metadata.minedAt)
