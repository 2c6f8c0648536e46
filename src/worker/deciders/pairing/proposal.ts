import type { Proposal } from '../../../events/schema/fields.ts'
import { networks } from '../../../events/values/networks.ts'
import type { Ctx } from '../../core/context.ts'
import { mergeNamespaces, type ProposedNamespaces } from '../../walletconnect/session/namespaces.ts'

const methods = [
  'solana_signMessage',
  'solana_signTransaction',
  'solana_requestAccounts',
  'solana_getAccounts',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/**
 * @returns the namespaces of a proposal, required and optional merged; without a proposal, those that this page needs: mainnet,
 * devnet, testnet and, when this page runs on one, the local chain. The RPC's genesis hash tells which chain it is.
 */
export function askedNamespaces(ctx: Ctx, proposal: Proposal | undefined): ProposedNamespaces {
  if (proposal) return mergeNamespaces(proposal.required, proposal.optional)
  const chains = networks.flatMap(network => [network.caip2, ...network.deprecatedIds])
  const { network } = ctx.model
  if (network.phase === 'identified' && !chains.includes(network.caip2)) chains.push(network.caip2)
  return { solana: { chains, methods, events: ['accountsChanged', 'chainChanged'] } }
}
