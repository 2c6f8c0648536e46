import type { Context } from 'hono'
import { fixtureEvmAccount } from '../fixtures.ts'
import type { World } from '../world.ts'
import { namespaceOfAddress } from './addresses.ts'
import { refused } from './errors.ts'

const dayMs = 86_400_000
const resolvedBeforeMs = 3_600_000

/** `GET /v1/identity/{address}`: name and avatar of an EVM account; a Solana account has neither. */
export function identity(c: Context, { now }: World): Response {
  const address = c.req.param('address') ?? ''
  const namespace = namespaceOfAddress(address)
  if (!namespace) return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  if (namespace === 'solana') {
    c.header('cache-control', 'public, max-age=3600, s-maxage=3600')
    return c.json({ name: null, avatar: null, resolvedAt: null })
  }
  const left = (dayMs - resolvedBeforeMs) / 1000
  c.header('cache-control', `public, max-age=${left}, s-maxage=${left}`)
  const isNamed = address.toLowerCase() === fixtureEvmAccount
  return c.json({
    name: isNamed ? 'alice.eth' : null,
    avatar: isNamed ? new URL('/getWalletImage/alice', c.req.url).href : null,
    resolvedAt: new Date(now() - resolvedBeforeMs).toISOString(),
  })
}
