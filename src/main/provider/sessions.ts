/** What a provider knows of the sessions: always the model's, so nothing here can be out of date. */
import type { CoreModel } from '../../events/app.ts'
import { namespaceOf, type Session } from '../../events/subjects/session.ts'
import { readExact } from '../../worker/walletconnect/exactJson.ts'
import {
  accountsOn,
  addressOf,
  approvedChains,
  methodsFor,
  type SessionNamespaces,
} from '../../worker/walletconnect/namespaces.ts'

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

type Sessions = Pick<CoreModel, 'session'>

/** @returns the sessions, the newest first */
export function newestFirst({ session }: Sessions): Session[] {
  return Object.values(session)
    .reverse()
    .sort((a, b) => b.settledAt - a.settledAt)
}

/** @returns a session's namespaces by family: `eip155` has what stands under `eip155:1` too */
export function familiesOf(session: Session): string[] {
  return [...new Set(Object.keys(session.namespaces).map(namespaceOf))]
}

/** @returns every family of every session, the newest session's first */
export function families(model: Sessions): string[] {
  return [...new Set(newestFirst(model).flatMap(familiesOf))]
}

/** @returns a session's chains with accounts, without those that nobody asked for */
export function chainsOf(session: Session, family: string): string[] {
  const chains = approvedChains(session.namespaces).filter(chain => namespaceOf(chain) === family)
  return chains.filter(chain => !session.unasked?.includes(chain))
}

/** @returns the chains of a family over all sessions, the newest session's first */
export function approvedIn(model: Sessions, family: string): string[] {
  return [...new Set(newestFirst(model).flatMap(session => chainsOf(session, family)))]
}

/** @returns the newest session whose wallet may be asked this on this chain */
export function sessionFor(model: Sessions, chain: string, method: string): Session | undefined {
  return newestFirst(model).find(
    session =>
      chainsOf(session, namespaceOf(chain)).includes(chain) && methodsFor(session.namespaces, chain).includes(method),
  )
}

/** @returns the newest session with an account on this chain, else with that family */
export function sessionOn(model: Sessions, chain: string): Session | undefined {
  const family = namespaceOf(chain)
  const all = newestFirst(model)
  return (
    all.find(session => chainsOf(session, family).includes(chain)) ??
    all.find(session => familiesOf(session).includes(family))
  )
}

/** @returns the addresses on a chain, in the wallets' order, the newest session's first */
export function addressesOn(model: Sessions, chain: string): string[] {
  const sessions = newestFirst(model).filter(session => chainsOf(session, namespaceOf(chain)).includes(chain))
  return [...new Set(sessions.flatMap(session => accountsOn(session.namespaces, chain).map(addressOf)))]
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

/** @returns what a text says as JSON, or the text */
export function valueOf(text: string): unknown {
  try {
    return readExact(text)
  } catch {
    return text
  }
}
