/** What a session may be used for, and what of it is Solana's. */
import type { WalletFeature } from '../../../events/subjects/connection.ts'
import type { Session } from '../../../events/subjects/session.ts'
import { isSolanaAddress } from '../../../events/values/address.ts'
import type { Ctx } from '../../core/context.ts'
import {
  accountsOn,
  approvedChains,
  permittedNamespaces,
  type SessionNamespaces,
} from '../../walletconnect/session/namespaces.ts'
import { askedNamespaces } from '../pairing/proposal.ts'

/** @returns of what the wallet approved only what it was asked for: what requests, events and connections go by */
export function permittedIn(
  ctx: Ctx,
  { namespaces, proposal, unasked }: Pick<Session, 'namespaces' | 'proposal' | 'unasked'>,
): SessionNamespaces {
  return permittedNamespaces(askedNamespaces(ctx, proposal), namespaces, unasked)
}

/** @returns what a session's wallet can be asked for on Solana; kept with its connection, so without the room a list has that grew */
export function featuresOf(namespaces: SessionNamespaces): WalletFeature[] {
  const methods = new Set(
    Object.entries(namespaces).flatMap(([key, part]) => (key.startsWith('solana') ? part.methods : [])),
  )
  const features: WalletFeature[] = []
  if (methods.has('solana_signTransaction')) features.push('signTransaction')
  if (methods.has('solana_signAndSendTransaction')) features.push('signAndSendTransaction')
  if (methods.has('solana_signMessage')) features.push('signMessage')
  return [...features]
}

/** @returns the Solana addresses of a session, first one first, without repeats */
export function solanaAccounts(namespaces: SessionNamespaces): string[] {
  const found = approvedChains(namespaces)
    .filter(chain => chain.startsWith('solana:'))
    .flatMap(chain => accountsOn(namespaces, chain))
    .map(account => account.slice(account.lastIndexOf(':') + 1))
  return [...new Set(found.filter(isSolanaAddress))]
}
