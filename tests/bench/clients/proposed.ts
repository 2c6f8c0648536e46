import { networks } from '../../../src/events/values/networks.ts'

const methods = [
  'solana_signMessage',
  'solana_signTransaction',
  'solana_requestAccounts',
  'solana_getAccounts',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/** Proposal of both clients: this page's own. */
export function proposed(chainId: string) {
  const chains = networks.flatMap(network => [network.caip2, ...network.deprecatedIds])
  return {
    solana: { chains: [...new Set([...chains, chainId])], methods, events: ['accountsChanged', 'chainChanged'] },
  }
}
