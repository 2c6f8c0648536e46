/**
 * What a wallet can do beyond the ordinary (EIP-5792), as its session says: session properties hold for every chain, what is
 * scoped to a chain stands over them, and what is scoped to an account on it over that.
 *
 * @see reference "Networks", §10
 */
import { recordOf } from '../../../runtime/json/isRecord.ts'
import type { Session } from '../../../events/subjects/session.ts'
import { parsed, valueOf } from './sessions.ts'

export type Capabilities = Record<string, Record<string, unknown>>

/** Properties that are capabilities. */
const names: ReadonlySet<string> = new Set([
  'atomic',
  'flow-control',
  'paymasterService',
  'sessionKeys',
  'auxiliaryFunds',
])

/** What is asked of a wallet's capabilities: hex chain ids as the request lists them, and those that are meant if it lists none. */
type AskedCapabilities = { address: string; listed: readonly string[]; otherwise: readonly string[] }

/** @returns capabilities by hex chain id; undefined when the session says nothing of them */
export function sessionCapabilities(session: Session, asked: AskedCapabilities): Capabilities | undefined {
  const { address, listed, otherwise } = asked
  const chainIds = listed.length > 0 ? listed : otherwise
  const { sessionProperties = {}, scopedProperties } = session
  const older = fromOlderProperty(sessionProperties.capabilities, cacheKey(asked))
  if (older) return older
  const everywhere = only(
    Object.fromEntries(Object.entries(sessionProperties).map(([key, text]) => [key, valueOf(text)])),
  )
  const scoped = parsed(scopedProperties)
  const found: Capabilities = {}
  for (const chainId of chainIds) {
    const chain = `eip155:${Number(chainId)}`
    const onChain = recordOf(scoped[chain])
    const ofAccount = recordOf(onChain[`${chain}:${address}`] ?? scoped[`${chain}:${address}`])
    const all = { ...everywhere, ...only(onChain), ...only(ofAccount) }
    if (Object.keys(all).length > 0) found[chainId] = all
  }
  return Object.keys(found).length > 0 ? found : undefined
}

/** @returns the name under which an answer is kept: that of a request without a list is the address alone */
export function cacheKey({ address, listed }: AskedCapabilities): string {
  return `${address}${listed.join(',')}`
}

/** Older wallets put whole answers into one property, by address and chains. */
function fromOlderProperty(text: string | undefined, key: string): Capabilities | undefined {
  const found = text === undefined ? undefined : recordOf(valueOf(text))[key]
  return typeof found === 'object' && found !== null ? (found as Capabilities) : undefined
}

function only(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
}
