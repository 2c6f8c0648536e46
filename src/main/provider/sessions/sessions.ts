/** Reads a session for the provider: the usable part of its namespaces, and the session as a host sees it. */
import { exactIntegers } from '../../../runtime/json/bigIntegers.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { readJson } from '../../../runtime/json/readJson.ts'
import {
  approvedChains,
  chainOf,
  mergeNamespaces,
  permittedNamespaces,
  type SessionNamespaces,
} from '../../../worker/walletconnect/session/namespaces.ts'

/** A session in the official provider's form. `expiry` in Unix seconds. */
export type ProviderSession = {
  topic: string
  pairingTopic: string
  expiry: number
  controller: string
  namespaces: SessionNamespaces
  peer: { publicKey: string; metadata: { name: string; description: string; url: string; icons: string[] } }
  sessionProperties?: Record<string, string>
  scopedProperties?: Record<string, unknown>
}

/** @returns the approved namespaces without anything that was not proposed; the core refuses requests beyond it */
export function usableIn({ namespaces, proposal, unasked = [] }: Session): SessionNamespaces {
  if (proposal) return permittedNamespaces(mergeNamespaces(proposal.required, proposal.optional), namespaces, unasked)
  return Object.fromEntries(
    Object.entries(namespaces).map(([key, part]) => [
      key,
      { ...part, accounts: part.accounts.filter(account => !unasked.includes(chainOf(account))) },
    ]),
  )
}

/** @returns the families of a session's namespaces; `eip155:1` counts as `eip155` */
export function familiesIn(usable: SessionNamespaces): string[] {
  return [...new Set(Object.keys(usable).map(namespaceOf))]
}

/** @returns the chains of a family with accounts, in the wallet's order */
export function chainsIn(usable: SessionNamespaces, family: string): string[] {
  return approvedChains(usable).filter(chain => namespaceOf(chain) === family)
}

/** @returns the session in the official provider's form, a copy */
export function shownSession(session: Session): ProviderSession {
  const { sessionTopic, pairingTopic, expiresAt, controllerKey, namespaces, peer } = session
  const { sessionProperties, scopedProperties } = session
  return structuredClone({
    topic: sessionTopic,
    pairingTopic,
    expiry: Math.floor(expiresAt / 1000),
    controller: controllerKey,
    namespaces,
    peer: { publicKey: controllerKey, metadata: peer },
    ...(sessionProperties && { sessionProperties }),
    ...(scopedProperties && { scopedProperties: parsed(scopedProperties) }),
  })
}

/** @returns a wallet's scoped properties, parsed; values that are not JSON stay text */
export function parsed(scoped: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(scoped).map(([key, text]) => [key, valueOf(text)]))
}

/**
 * Parses a wallet's JSON for a host: integers beyond ±(2^53 - 1) become bigints, and the key `__proto__` is kept.
 *
 * @throws Fault `bad_response` when it is not JSON
 */
export function walletValue(text: string): unknown {
  return readJson(text, { name: 'the wallet', bigIntegers: exactIntegers, prototypeKeys: 'kept' })
}

/** @returns a wallet's text, parsed as JSON; the text itself when it is not JSON */
export function valueOf(text: string): unknown {
  try {
    return walletValue(text)
  } catch {
    return text
  }
}
