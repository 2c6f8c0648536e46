/**
 * Capabilities (EIP-5792) in a session's properties. Session properties hold for every chain; properties scoped to a chain
 * override them, and those scoped to an account on the chain override both.
 *
 * @see reference "Networks", §10
 */
import { recordOf } from '../../../runtime/json/isRecord.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { parsed, valueOf } from './sessions.ts'

/** Capabilities by hex chain id, then by name. */
export type Capabilities = Record<string, Record<string, unknown>>

/** Names of properties that are capabilities. */
const names: ReadonlySet<string> = new Set([
  'atomic',
  'flow-control',
  'paymasterService',
  'sessionKeys',
  'auxiliaryFunds',
])

/** A request for capabilities. `listed`: its hex chain ids; `otherwise`: the chain ids used when it lists none. */
type AskedCapabilities = { address: string; listed: readonly string[]; otherwise: readonly string[] }

/** @returns capabilities by hex chain id; undefined when the session has none */
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

/** @returns the cache key of a request; without a list of chains it is the address alone */
export function cacheKey({ address, listed }: AskedCapabilities): string {
  return `${address}${listed.join(',')}`
}

/** Older wallets put whole answers into one property, under the same keys as the cache. */
function fromOlderProperty(text: string | undefined, key: string): Capabilities | undefined {
  const found = text === undefined ? undefined : recordOf(valueOf(text))[key]
  return typeof found === 'object' && found !== null ? (found as Capabilities) : undefined
}

function only(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
}
