/** The permitted part of a session, and its Solana part. */
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

/** @returns the approved namespaces limited to the requested ones; requests, events and connections use these */
export function permittedIn(
  ctx: Ctx,
  { namespaces, proposal, unasked }: Pick<Session, 'namespaces' | 'proposal' | 'unasked'>,
): SessionNamespaces {
  return permittedNamespaces(askedNamespaces(ctx, proposal), namespaces, unasked)
}

/** @returns the Solana features of a session's wallet; copied, as a grown array reserves more memory */
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

/** @returns the Solana addresses of a session, in order, deduplicated */
export function solanaAccounts(namespaces: SessionNamespaces): string[] {
  const found = approvedChains(namespaces)
    .filter(chain => chain.startsWith('solana:'))
    .flatMap(chain => accountsOn(namespaces, chain))
    .map(account => account.slice(account.lastIndexOf(':') + 1))
  return [...new Set(found.filter(isSolanaAddress))]
}
