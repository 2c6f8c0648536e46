/** What a session says to a provider: of its namespaces what may be used, and the form in which hosts know it. */
import { namespaceOf, type Session } from '../../../events/subjects/session.ts'
import { readJson } from '../../../runtime/json/readJson.ts'
import {
  approvedChains,
  chainOf,
  mergeNamespaces,
  permittedNamespaces,
  type SessionNamespaces,
} from '../../../worker/walletconnect/session/namespaces.ts'

/** A session as hosts know it from the official provider. Times in Unix seconds. */
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

/** @returns of what a session's wallet approved only what it was asked for: for the rest the core would not ask it */
export function usableIn({ namespaces, proposal, unasked = [] }: Session): SessionNamespaces {
  if (proposal) return permittedNamespaces(mergeNamespaces(proposal.required, proposal.optional), namespaces, unasked)
  return Object.fromEntries(
    Object.entries(namespaces).map(([key, part]) => [
      key,
      { ...part, accounts: part.accounts.filter(account => !unasked.includes(chainOf(account))) },
    ]),
  )
}

/** @returns the families of a session's namespaces: `eip155` has what stands under `eip155:1` too */
export function familiesIn(usable: SessionNamespaces): string[] {
  return [...new Set(Object.keys(usable).map(namespaceOf))]
}

/** @returns the chains of a family with accounts, in the wallet's order */
export function chainsIn(usable: SessionNamespaces, family: string): string[] {
  return approvedChains(usable).filter(chain => namespaceOf(chain) === family)
}

/** @returns the session in the form that hosts know */
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

/** @returns a wallet's scoped properties; one that is no JSON stays the text it is */
export function parsed(scoped: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(scoped).map(([key, text]) => [key, valueOf(text)]))
}

/**
 * @param text JSON of a wallet, which a host gets unchanged
 * @throws Fault `bad_response` when it is not JSON
 */
export function walletValue(text: string): unknown {
  return readJson(text, { name: 'the wallet', bigIntegers: 'exact', prototypeKeys: 'kept' })
}

/** @returns what a text says as JSON, or the text */
export function valueOf(text: string): unknown {
  try {
    return walletValue(text)
  } catch {
    return text
  }
}
