/** The permitted part of a session, and its Solana part. */
import type { WalletFeature } from '../../../events/schema/fields.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { idsOf, isOfSolana, isPublic, networkOfGenesis } from '../../../events/values/networks.ts'
import type { Ctx } from '../../core/context.ts'
import {
  accountsOn,
  addressOf,
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

/**
 * @returns the Solana chains under which a session's wallet may be asked here, the network's present id first. On a public
 *   network only its own ids: under another one a wallet would show another network than the one where money moves. No wallet
 *   knows a local chain, so there, and before the chain is known, any will do
 */
export function chainsHere(ctx: Ctx, namespaces: SessionNamespaces): readonly string[] {
  const approved = solanaChains(namespaces)
  const { model, boot } = ctx
  const genesisHash = model.network.phase === 'identified' ? model.network.genesisHash : boot.genesisHash
  if (genesisHash === '') return approved
  const { caip2 } = networkOfGenesis(genesisHash)
  const found = idsOf(caip2).filter(id => approved.includes(id))
  return found.length > 0 || isPublic(caip2) ? found : approved
}

function solanaChains(namespaces: SessionNamespaces): string[] {
  return approvedChains(namespaces).filter(isOfSolana)
}

/** @returns the same; all where the wallet approved none of them: the connection stands, but its wallet is not asked */
function chainsShown(ctx: Ctx, namespaces: SessionNamespaces): readonly string[] {
  const here = chainsHere(ctx, namespaces)
  return here.length > 0 ? here : solanaChains(namespaces)
}

/** @returns the Solana features of a session's wallet; copied, as a grown array reserves more memory */
export function featuresOf(ctx: Ctx, namespaces: SessionNamespaces): WalletFeature[] {
  const chains = chainsShown(ctx, namespaces)
  const methods = new Set(
    Object.entries(namespaces).flatMap(([key, part]) => (key === 'solana' || chains.includes(key) ? part.methods : [])),
  )
  const features: WalletFeature[] = []
  if (methods.has('solana_signTransaction')) features.push('signTransaction')
  if (methods.has('solana_signAndSendTransaction')) features.push('signAndSendTransaction')
  if (methods.has('solana_signMessage')) features.push('signMessage')
  return [...features]
}

/** @returns the Solana addresses of a session on this page's network, in order, deduplicated; see `chainsShown` */
export function solanaAccounts(ctx: Ctx, namespaces: SessionNamespaces): string[] {
  const found = chainsShown(ctx, namespaces)
    .flatMap(chain => accountsOn(namespaces, chain))
    .map(addressOf)
  return [...new Set(found.filter(isSolanaAddress))]
}
