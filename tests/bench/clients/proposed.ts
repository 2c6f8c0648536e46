import { networks } from '../../../src/events/values/networks.ts'

const methods = [
  'solana_signMessage',
  'solana_signTransaction',
  'solana_requestAccounts',
  'solana_getAccounts',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
]

/** What both clients ask a wallet for: this page's own proposal. */
export function proposed(chainId: string) {
  const chains = networks.flatMap(network => [network.caip2, ...network.deprecatedIds])
  return {
    solana: { chains: [...new Set([...chains, chainId])], methods, events: ['accountsChanged', 'chainChanged'] },
  }
}
