import { networks } from '../../events/values/networks.ts'
import type { Ctx } from '../context.ts'

const methods = [
  'solana_signMessage',
  'solana_signTransaction',
  'solana_requestAccounts',
  'solana_getAccounts',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/**
 * What a wallet is asked to approve: mainnet, devnet, testnet and, when this page runs on one, the local chain.
 * Which chain it really is, the RPC's genesis hash says.
 */
export function proposedNamespaces(
  ctx: Ctx,
): Record<string, { chains: string[]; methods: string[]; events: string[] }> {
  const chains = networks.flatMap(network => [network.caip2, ...network.deprecatedIds])
  const { network } = ctx.model
  if (network.phase === 'identified' && !chains.includes(network.caip2)) chains.push(network.caip2)
  return { solana: { chains, methods, events: ['accountsChanged', 'chainChanged'] } }
}
