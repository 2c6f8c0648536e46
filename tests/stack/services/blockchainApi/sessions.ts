import type { Context } from 'hono'
import { fixtureEvmAccount } from '../fixtures.ts'
import { bodyRecord } from '../json.ts'
import type { World } from '../world.ts'
import { readCaip10 } from './addresses.ts'
import { mismatch, refused, unreadable } from './errors.ts'

const daySeconds = 86_400
const fixturePci = '6a1f5f5e-38d0-4a4e-9c53-0d8a4a6f2b11'

/** Smart sessions of accounts: one fixture on Ethereum, which can be revoked. */
export type Sessions = { list(c: Context): Response; revoke(c: Context): Promise<Response> }

export function createSessions(world: World): Sessions {
  const revoked = new Map<string, number>()
  world.onReset(() => revoked.clear())
  const sessionsOf = (account: string) => {
    if (account.toLowerCase() !== `eip155:1:${fixtureEvmAccount}`) return []
    return [fixtureSession(Math.floor(world.now() / 1000), revoked.get(fixturePci) ?? null)]
  }
  return {
    list(c) {
      const account = c.req.param('address') ?? ''
      return readCaip10(account) ? c.json({ pcis: sessionsOf(account) }) : invalidAccount(c, account)
    },
    async revoke(c) {
      const account = c.req.param('address') ?? ''
      if (!readCaip10(account)) return invalidAccount(c, account)
      const body = await bodyRecord(c)
      if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
      const { pci, signature } = body
      if (typeof pci !== 'string' || typeof signature !== 'string') return mismatch(c)
      const session = sessionsOf(account).find(one => one.pci === pci)
      if (!session) return refused(c, 400, 'pci', `Unknown session: ${pci}`)
      if (session.revokedAt !== null) return refused(c, 400, 'pci', `The session is revoked already: ${pci}`)
      revoked.set(pci, Math.floor(world.now() / 1000))
      // The real body is empty, which clients of 1.7.19 cannot parse.
      return c.json({})
    },
  }
}

const invalidAccount = (c: Context, account: string): Response =>
  refused(c, 400, 'address', `Expected a CAIP-10 address, got ${account}`)

/** Times are Unix seconds; granted ten days before the clock's day, for thirty days. */
function fixtureSession(nowSeconds: number, revokedAt: number | null) {
  const createdAt = (Math.floor(nowSeconds / daySeconds) - 10) * daySeconds
  return {
    project: {
      id: 'b2f6c1de-2d33-4d5e-8f5b-0a3c1f9f7a01',
      name: 'Harbour Games',
      url: 'https://harbour.example',
      iconUrl: null,
    },
    pci: fixturePci,
    expiry: createdAt + 30 * daySeconds,
    createdAt,
    permissions: [
      {
        type: 'contract-call',
        data: { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', functions: [{ functionName: 'transfer' }] },
      },
    ],
    policies: [],
    context: '0x01',
    revokedAt,
  }
}
