/** Networks that the connected wallet can use. */
import type { Model } from '../../app.ts'
import { activeConnection } from './activeConnection.ts'
import { type Connection } from './connection.ts'
import type { Session } from '../session/session.ts'
import { idsOf, isOfSolana } from '../../values/networks.ts'
import { own } from '../../../runtime/schema/own.ts'

export type Parts = Pick<Model, 'network' | 'connection' | 'session'>

/** @returns whether the wallet of the active connection can use a network; an installed wallet says nothing, and may */
export function canUse(model: Parts, caip2: string): boolean {
  const approved = approvedBy(model)
  return !approved || idsOf(caip2).some(chain => approved.includes(chain))
}

/** Undefined: every network, as the active connection has no session. */
export function approvedBy(model: Parts): string[] | undefined {
  const connection: Connection | undefined = activeConnection(model)?.connection
  const session = own(model.session, connection?.sessionTopic ?? '')
  return session && chainsOf(session)
}

function chainsOf({ namespaces, unasked = [] }: Session): string[] {
  const chains = Object.values(namespaces).flatMap(({ accounts }) =>
    accounts.map(account => account.slice(0, account.lastIndexOf(':'))),
  )
  return [...new Set(chains)].filter(chain => isOfSolana(chain) && !unasked.includes(chain))
}

/** `off`: there is no choice. `unknown`: no chain is identified yet. `unsupported`: what the node serves is not the network. */
type NetworkStanding = 'off' | 'unknown' | 'supported' | 'unsupported'

/** @returns the standing of the active network */
export function networkStanding(model: Parts): NetworkStanding {
  const { network } = model
  if (network.phase === 'mismatched') return 'unsupported'
  if (!network.offer) return 'off'
  if (network.phase !== 'identified') return 'unknown'
  return canUse(model, network.offer.active) ? 'supported' : 'unsupported'
}
